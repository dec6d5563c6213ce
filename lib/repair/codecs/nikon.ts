import { Buffer } from '../host/bytes';
import type { Deadline } from '../report';
import { type MendedPicture, mendDifferences } from './ljpeg/mend';
import { placesOf } from './ljpeg/places';
import { type LosslessFault, none } from './ljpeg/read';
import { categoryTable } from './ljpeg/tables';

/**
 * Nikon's packing of sensor data (tag Compression 34713, as dcraw reads it): differences to the last but one value of a row, or of the
 * last but one row, behind codes of one of six tables. A category may leave out its lowest bits, as many as its upper half says.
 */
const tables = {
  lossy12: { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 2], values: [5, 4, 3, 6, 2, 7, 1, 0, 8, 9, 11, 10, 12] },
  split12: {
    counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 2],
    values: [0x39, 0x5a, 0x38, 0x27, 0x16, 5, 4, 3, 2, 1, 0, 11, 12, 12],
  },
  lossless12: { counts: [0, 1, 4, 2, 3, 1, 2], values: [5, 4, 6, 3, 7, 2, 8, 1, 9, 0, 10, 11, 12] },
  lossy14: { counts: [0, 1, 4, 3, 1, 1, 1, 1, 1, 2], values: [5, 6, 4, 7, 8, 3, 9, 2, 1, 0, 10, 11, 12, 13, 14] },
  split14: {
    counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 1, 2],
    values: [8, 0x5c, 0x4b, 0x3a, 0x29, 7, 6, 5, 4, 3, 2, 1, 0, 13, 14],
  },
  lossless14: { counts: [0, 1, 4, 2, 2, 3, 1, 2], values: [7, 6, 8, 5, 9, 4, 10, 3, 11, 12, 2, 0, 1, 13, 14] },
};

type TableName = keyof typeof tables;

/** How the values of a photo are packed: which tables, from which row on the second one, and what the first rows follow from. */
export type NikonPacking = {
  first: TableName;
  second: TableName;
  split: number;
  /** What the first two values of the first two rows follow from. */
  foretold: readonly [number, number, number, number];
  bits: number;
};

/** Marks of the ways of packing, at the beginning of Nikon's table of linearisation (tag 0x96 or 0x8c of its notes). */
const mark = { lossless: 0x46, lossy: 0x44, split: 0x20, late: 0x49, other: 0x58 } as const;
/** Bytes that the table begins later in by in two of its kinds, and where it tells the row from which on more bits are left out. */
const places = { late: 2110, split: 562 } as const;

/** Reads how values are packed from Nikon's table of linearisation, in the byte order of its notes; null where it does not tell. */
export function nikonPacking(table: Buffer, bits: number, little: boolean): NikonPacking | null {
  const u16 = (at: number) => (little ? table.readUInt16LE(at) : table.readUInt16BE(at));
  const [kind = 0, version = 0] = table;
  if (table.length < 10 || (bits !== 12 && bits !== 14)) return null;
  if (kind !== mark.lossless && kind !== mark.lossy && kind !== mark.late) return null;
  const at = kind === mark.late || version === mark.other ? places.late + 2 : 2;
  if (table.length < at + 8) return null;
  const hasSplit = kind === mark.lossy && version === mark.split && table.length >= places.split + 2;
  const packed = kind === mark.lossless ? 'lossless' : 'lossy';
  return {
    first: `${packed}${bits}`,
    second: `split${bits}`,
    split: hasSplit ? u16(places.split) : 0,
    foretold: [u16(at), u16(at + 2), u16(at + 4), u16(at + 6)],
    bits,
  };
}

/** How far values may be off at both ends of their range, where bits were left out. */
const slack = 16;

/** The category and the length of the code for each 16 bits to come: the length in the upper byte, as of lossless JPEG. */
function lookupOf(name: TableName): Uint16Array {
  const { counts, values } = tables[name];
  const plain = Buffer.alloc(16);
  plain.set(counts);
  // Categories are numbered first, since those with an upper half are none of lossless JPEG.
  const numbered = categoryTable(plain, Buffer.from(values.map((_, index) => index)));
  const lookup = Uint16Array.from(numbered?.lookup ?? []);
  for (let at = 0; at < lookup.length; at++) {
    const entry = lookup[at] ?? 0;
    if (entry > 0) lookup[at] = (entry & 0xff00) | (values[entry & 0xff] ?? 0);
  }
  return lookup;
}

/** How far Nikon's packed values read: rows that stand, and what is wrong behind them, if anything. */
export type NikonReading = { rows: number; fault: LosslessFault | null };

/** Share of the data that may stand behind the last value. */
const mostLeft = 0.02;

/** Reads Nikon's packed values to the last one: every code must be one, every value one that the sensor may give, and the data must last. `take` gets each row. */
export function readNikon(
  data: Buffer,
  width: number,
  height: number,
  packing: NikonPacking,
  take?: (line: Int32Array, row: number) => void,
): NikonReading {
  const first = lookupOf(packing.first);
  const second = packing.split > 0 ? lookupOf(packing.second) : first;
  const bits = new PlainBits(data);
  const above = Int32Array.from(packing.foretold);
  const most = (1 << packing.bits) + slack;
  const line = new Int32Array(width);
  for (let row = 0; row < height; row++) {
    const lookup = packing.split > 0 && row >= packing.split ? second : first;
    const fault = readRow(bits, lookup, line, above.subarray((row & 1) * 2, (row & 1) * 2 + 2), most);
    if (fault) return { rows: row, fault };
    take?.(line, row);
  }
  return { rows: height, fault: data.length - bits.at > data.length * mostLeft + 2 ? 'left' : null };
}

/** Reads a row; `above` are its first two values in the row of its kind before, and then its own. */
function readRow(
  bits: PlainBits,
  lookup: Uint16Array,
  line: Int32Array,
  above: Int32Array,
  most: number,
): LosslessFault | null {
  for (let column = 0; column < line.length; column++) {
    const difference = bits.difference(lookup);
    if (difference === none) return bits.isShort ? 'short' : 'code';
    const value = (column < 2 ? (above[column] ?? 0) : (line[column - 2] ?? 0)) + difference;
    if (value < -slack || value >= most) return 'range';
    line[column] = value;
    if (column < 2) above[column] = value;
  }
  return bits.isShort ? 'short' : null;
}

/** Puts together what is left of damaged values, of which so many rows read soundly; null where nothing is, and where bits were left out, whose place in the picture decides. */
export function mendNikon(
  data: Buffer,
  width: number,
  height: number,
  packing: NikonPacking,
  standing: number,
  deadline: Deadline,
): MendedPicture | null {
  if (packing.split > 0) return null;
  const source = {
    bytes: data,
    dataAt: 0,
    end: data.length,
    all: width * height,
    lookups: [lookupOf(packing.first)],
    open: (at: number, stop: number) => new PlainBits(data.subarray(0, stop), at),
    isEnd: (at: number) => at >= data.length,
  };
  const rows = {
    line: width,
    components: 2,
    most: (1 << packing.bits) - 1,
    up: 2,
    first: packing.foretold,
    slack: mostSlack,
  };
  return mendDifferences(source, rows, placesOf([width], height), standing, deadline);
}

/** Codes that the bits that fill up the last byte can be taken for: zeroes are a code of two bits, and five of its value (tables above). */
const mostSlack = 1;

/** Packs values as they were; null where a difference has no code. */
export function writeNikon(values: Uint16Array, width: number, { first, foretold }: NikonPacking): Buffer | null {
  const codes = codesOf(first);
  const out = Buffer.alloc(values.length * 4);
  let [length, held, count] = [0, 0, 0];
  for (let at = 0; at < values.length; at++) {
    const column = at % width;
    const row = (at - column) / width;
    const before = column >= 2 ? values[at - 2] : row >= 2 ? values[at - 2 * width] : foretold[row * 2 + column];
    const difference = (values[at] ?? 0) - (before ?? 0);
    const size = 32 - Math.clz32(Math.abs(difference));
    const code = codes.get(size);
    if (!code) return null;
    const bits = difference < 0 ? difference + (1 << size) - 1 : difference;
    held = (held << (code.length + size)) | (code.value << size) | bits;
    count += code.length + size;
    for (; count >= 8; count -= 8) out[length++] = (held >> (count - 8)) & 0xff;
    held &= (1 << count) - 1;
  }
  if (count > 0) out[length++] = (held << (8 - count)) & 0xff;
  return out.subarray(0, length);
}

/** The code of each category of a table, from its highest bit on. */
function codesOf(name: TableName): Map<number, { value: number; length: number }> {
  const codes = new Map<number, { value: number; length: number }>();
  const { counts, values } = tables[name];
  let [value, index] = [0, 0];
  for (const [step, count] of counts.entries()) {
    for (let one = 0; one < count; one++) {
      const category = values[index++] ?? 0;
      if (!codes.has(category)) codes.set(category, { value, length: step + 1 });
      value++;
    }
    value <<= 1;
  }
  return codes;
}

/** Bits, the first of a byte being its highest; behind the end there are zeroes. */
class PlainBits {
  at = 0;
  readonly #data: Buffer;
  #held = 0;
  #count = 0;

  constructor(data: Buffer, at = 0) {
    this.#data = data;
    this.at = at;
  }

  get isShort(): boolean {
    return this.at - Math.floor(this.#count / 8) > this.#data.length;
  }

  #fill(): void {
    while (this.#count <= 16) {
      this.#held = ((this.#held << 8) | (this.#data[this.at++] ?? 0)) & 0xffffff;
      this.#count += 8;
    }
  }

  difference(lookup: Uint16Array): number {
    if (this.#count <= 16) this.#fill();
    const entry = lookup[(this.#held >> (this.#count - 16)) & 0xffff] ?? 0;
    if (entry === 0) return none;
    this.#count -= entry >> 8;
    const length = entry & 15;
    const left = (entry >> 4) & 15;
    if (length === 0) return 0;
    if (this.#count < length) this.#fill();
    this.#count -= length - left;
    const read = (this.#held >> this.#count) & ((1 << (length - left)) - 1);
    const value = (((read << 1) + 1) << left) >> 1;
    return value & (1 << (length - 1)) ? value : value - (1 << length) + (left === 0 ? 1 : 0);
  }
}
