import { bestQuality, standardQuantisation } from '../../codecs/jpeg/tables';
import { differInOneBit } from '../../core/bits';

/** Elements of a quantisation table (ISO/IEC 10918-1, B.2.4.1). */
const elements = 64;
/** Elements of a table that may be something else than those of an encoder's. */
const mostOther = 16;
/** How many times as large or small as the encoder's, and how far off it, one of them is at least: no maker who changes its tables goes so far. */
const extreme = { times: 4, off: 32 };
/** The largest value of an element of eight bits; larger ones have sixteen, in tables that are told apart by nothing. */
const largest = 255;
/** Values that the elements in common have at least: where they hardly differ, as at the ends of the qualities, other tables end like that. */
const leastValues = 6;

/** The matrix for pictures that stand alone of MPEG-1 (ISO/IEC 11172-2, 2.4.3.2), in the order of the file. */
const mpegIntra = [
  8, 16, 16, 19, 16, 19, 22, 22, 22, 22, 22, 22, 26, 24, 26, 27, 27, 27, 26, 26, 26, 26, 27, 27, 27, 29, 29, 29, 34, 34,
  34, 29, 29, 29, 27, 27, 29, 29, 32, 32, 34, 34, 37, 38, 37, 35, 35, 34, 35, 38, 38, 40, 40, 40, 48, 48, 46, 46, 56,
  56, 58, 69, 69, 83,
];
/** The coarsest quantiser of MPEG-1. */
const coarsest = 31;

/** That matrix as ffmpeg scales it for Motion JPEG; the step of DC values stays. */
const mpegQuantisation = (scale: number) =>
  Uint16Array.from(mpegIntra, (value, place) =>
    place === 0 ? value : Math.min(largest, Math.floor((value * scale) / 8)),
  );

/** A table by which most encoders quantise, and the quality or scale that it shares with the others of its pictures. */
type Standard = { table: Uint16Array; of: string };

const standards: readonly Standard[] = [
  ...[false, true].flatMap((chroma) =>
    Array.from({ length: bestQuality }, (_, index) => ({
      table: standardQuantisation(index + 1, chroma),
      of: `quality ${index + 1}`,
    })),
  ),
  ...Array.from({ length: coarsest }, (_, index) => ({ table: mpegQuantisation(index + 1), of: `scale ${index + 1}` })),
];

const isSame = (one: Uint16Array, other: Uint16Array): boolean => one.every((value, place) => value === other[place]);

/** Whether a table is one by which most encoders quantise, as it can only be where nothing is wrong with it. */
export const isStandardTable = (table: Uint16Array): boolean => standards.some((one) => isSame(one.table, table));

/**
 * How many elements of a table were written over, or 1 with a wrong bit, if all others are those of this one; null where that is not how they
 * differ. `isPaired` where another table of the picture is of the same quality.
 */
function writtenOver(table: Uint16Array, standard: Uint16Array, isPaired: () => boolean): number | null {
  const places: number[] = [];
  for (let place = 0; place < elements; place++) {
    const [own, usual] = [table[place] ?? 0, standard[place] ?? 0];
    if (own !== usual) places.push(place);
  }
  if (places.length === 0 || places.length > mostOther) return null;
  const values = places.map((place) => table[place] ?? 0);
  if (new Set(standard.filter((_, place) => !places.includes(place))).size < leastValues) return null;
  // A maker who changes a single step mostly changes that of DC values, so that another table has to say what it was.
  const [first = 0] = places;
  if (places.length === 1 && differInOneBit(values[0] ?? 0, standard[first] ?? 0) && (first > 0 || isPaired()))
    return 1;
  // No table has a step of nothing (B.2.4.1). Steps that a maker sets are alike, or near the library's.
  const isFar = places.some((place) => isExtreme(table[place] ?? 0, standard[place] ?? 1));
  return values.includes(0) || (isFar && new Set(values).size > 1) ? places.length : null;
}

function isExtreme(own: number, usual: number): boolean {
  const ratio = own / usual;
  return Math.abs(own - usual) >= extreme.off && (ratio >= extreme.times || ratio <= 1 / extreme.times);
}

/**
 * Tables of which a few elements were overwritten, or one has a wrong bit, as they should be: all others are those of a table of the IJG library or of ffmpeg. Decoders
 * take any table for one, and show colours and brightness that were not meant.
 */
export function overwrittenTables(tables: ReadonlyMap<number, Uint16Array>): Map<number, Uint16Array> {
  const mended = new Map<number, Uint16Array>();
  for (const [number, table] of tables) {
    if (table.some((value) => value > largest)) continue;
    let [best, least]: [Uint16Array | null, number] = [null, mostOther + 1];
    const others = [...tables].filter(([other]) => other !== number).map(([, other]) => other);
    for (const { table: standard, of } of standards) {
      const isPaired = () => standards.some((one) => one.of === of && others.some((other) => isSame(other, one.table)));
      const count = isSame(standard, table) ? 0 : writtenOver(table, standard, isPaired);
      if (count !== null && count < least) [best, least] = [standard, count];
    }
    if (best && least > 0) mended.set(number, best);
  }
  return mended;
}
