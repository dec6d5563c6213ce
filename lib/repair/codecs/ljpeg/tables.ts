import type { Buffer } from '../../host/bytes';

/** The longest code, in bits (ISO/IEC 10918-1, annex C), and the largest category of differences (table H.2). */
const longestCode = 16;
export const mostCategory = 16;

/**
 * A table of Huffman codes for categories of differences. `lookup` gives for the next 16 bits of data the category in its low byte and
 * the length of the code in the one above; 0 where no code begins so. `codes` and `lengths` are those of each category, 0 without one.
 */
export type CategoryTable = { lookup: Uint16Array; codes: Uint16Array; lengths: Uint8Array };

/** Builds a table from its 16 counts and its values (ISO/IEC 10918-1, annex C and B.2.4.2); null where the counts leave no room. */
export function categoryTable(counts: Uint8Array, values: Uint8Array): CategoryTable | null {
  const lookup = new Uint16Array(1 << longestCode);
  const codes = new Uint16Array(mostCategory + 1);
  const lengths = new Uint8Array(mostCategory + 1);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= longestCode; length++) {
    for (let step = 0; step < (counts[length - 1] ?? 0); step++) {
      const category = values[index++] ?? mostCategory + 1;
      if (category > mostCategory || code >= 1 << length) return null;
      const room = longestCode - length;
      lookup.fill((length << 8) | category, code << room, (code + 1) << room);
      codes[category] = code++;
      lengths[category] = length;
    }
    code <<= 1;
  }
  return index > 0 ? { lookup, codes, lengths } : null;
}

/** Tables that were built before, by what defines them: tiles of one photo mostly share theirs. */
export class TableStore {
  readonly #known = new Map<string, CategoryTable | null>();

  /** The table that 16 counts and the values behind them define. */
  of(bytes: Buffer): CategoryTable | null {
    const key = bytes.toString('latin1');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const table = categoryTable(bytes.subarray(0, 16), bytes.subarray(16));
    if (this.#known.size < mostTables) this.#known.set(key, table);
    return table;
  }
}

/** Tables that are kept: each takes 128 kB. */
const mostTables = 64;
