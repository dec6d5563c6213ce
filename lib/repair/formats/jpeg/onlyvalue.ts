import { Buffer } from '../../host/bytes';

/** The head of a picture with fields set right of which only one value is possible, and where its wrong segments begin, in bytes. */
export type SetRight = { bytes: Buffer; places: number[] };

/** Where the segments stand that lead from the beginning of a file to its first scan, and the numbers of the tables before that (ITU-T T.81, B.2.4). */
type Head = { frame: number; scan: number; quantisation: Set<number>; dc: Set<number>; ac: Set<number> };

const markers = { quantisation: 0xdb, huffman: 0xc4, scan: 0xda, baseline: 0xc0, extended: 0xc1, progressive: 0xc2 };
/** Bytes of a table of quantisation without its number, by Pq, and of a Huffman table without its symbols (B.2.4.1, B.2.4.2). */
const tableBytes = { eight: 64, sixteen: 128, huffman: 17 };

/** Follows whole segments to the first scan; null where they do not lead there, or there is no frame of Huffman codes before it. */
function headOf(bytes: Buffer): Head | null {
  const head: Head = { frame: -1, scan: -1, quantisation: new Set(), dc: new Set(), ac: new Set() };
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker < markers.baseline) return null;
    if (marker === markers.scan) return head.frame < 0 ? null : { ...head, scan: at };
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (marker === markers.quantisation) addQuantisation(bytes.subarray(at + 4, end), head);
    else if (marker === markers.huffman) addHuffman(bytes.subarray(at + 4, end), head);
    else if (marker <= markers.progressive) {
      const count = bytes[at + 9] ?? 0;
      if (head.frame >= 0 || count < 1 || count > 4 || end !== at + 10 + 3 * count) return null;
      head.frame = at;
    }
    at = end;
  }
  return null;
}

function addQuantisation(body: Buffer, { quantisation }: Head): void {
  for (let at = 0; at < body.length; ) {
    const id = body[at] ?? 0;
    quantisation.add(id & 15);
    at += 1 + (id >> 4 === 0 ? tableBytes.eight : tableBytes.sixteen);
  }
}

function addHuffman(body: Buffer, { dc, ac }: Head): void {
  for (let at = 0; at + tableBytes.huffman <= body.length; ) {
    const id = body[at] ?? 0;
    (id >> 4 === 0 ? dc : ac).add(id & 15);
    at += tableBytes.huffman + body.subarray(at + 1, at + tableBytes.huffman).reduce((sum, count) => sum + count, 0);
  }
}

/**
 * The table that a component must have which names one that there is not: the only one, or the only one that no other component has. Null where its own
 * is there, or several may be meant.
 */
function tableFor(index: number, named: readonly number[], defined: ReadonlySet<number>): number | null {
  const own = named[index] ?? 0;
  if (defined.has(own)) return null;
  const free = [...defined].filter((number) => !named.includes(number));
  const [only] = defined.size === 1 ? defined : free;
  return only !== undefined && (defined.size === 1 || free.length === 1) ? only : null;
}

/**
 * Sets fields of the frame and of the first scan header right of which only one value is possible: the precision (ITU-T T.81, table B.2), what a scan of all
 * components repeats of the frame (B.2.3), the coefficients of a sequential scan and of one of several components in passes (table B.3, G.1.1.1.1), and
 * numbers of tables where one alone is left. Null where all of them are as they must be, or segments do not lead to a scan of all components.
 */
export function withOnlyValues(bytes: Buffer): SetRight | null {
  const head = headOf(bytes);
  if (!head) return null;
  const { frame, scan } = head;
  const result = Buffer.from(bytes);
  const count = result[frame + 9] ?? 0;
  if (scan + 8 + 2 * count > result.length || !isOfAll(result, head, count)) return null;
  result.writeUInt16BE(6 + 2 * count, scan + 2);
  result[scan + 4] = count;
  const precision = result[frame + 4] ?? 0;
  const isBaseline = result[frame + 1] === markers.baseline;
  if (precision !== 8 && (isBaseline || precision !== 12)) result[frame + 4] = 8;
  setComponents(result, head, count);
  setTables(result, head, count);
  setCoefficients(result, head, count);
  const places = [
    { at: frame, end: frame + 10 + 3 * count },
    { at: scan, end: scan + 8 + 2 * count },
  ].filter(({ at, end }) => !result.subarray(at, end).equals(bytes.subarray(at, end)));
  return places.length === 0 ? null : { bytes: result, places: places.map(({ at }) => at) };
}

/** Whether a first scan has all components: by its length and count, or where these contradict each other by the components that it names and what stands behind them. */
function isOfAll(bytes: Buffer, { frame, scan }: Head, count: number): boolean {
  const [length, own] = [bytes.readUInt16BE(scan + 2), bytes[scan + 4] ?? 0];
  if (length === 6 + 2 * own) return own === count;
  const isNamed = Array.from({ length: count }, (_, index) => index).every(
    (index) => bytes[scan + 5 + 2 * index] === bytes[frame + 10 + 3 * index],
  );
  const last = bytes[frame + 1] === markers.progressive ? 0 : 63;
  return isNamed && bytes[scan + 5 + 2 * count] === 0 && bytes[scan + 6 + 2 * count] === last;
}

/** Components have one name in the frame and in the scan, in one order (B.2.3); of two names those are right that count up from 0 or 1. */
function setComponents(bytes: Buffer, { frame, scan }: Head, count: number): void {
  const first = bytes[scan + 5] ?? 0;
  const indexes = Array.from({ length: count }, (_, index) => index);
  const isCounted = first < 2 && indexes.every((index) => bytes[scan + 5 + 2 * index] === first + index);
  for (const index of indexes) {
    const [inFrame, inScan] = [frame + 10 + 3 * index, scan + 5 + 2 * index];
    if (isCounted) bytes[inFrame] = bytes[inScan] ?? 0;
    else bytes[inScan] = bytes[inFrame] ?? 0;
  }
}

function setTables(bytes: Buffer, head: Head, count: number): void {
  const { frame, scan } = head;
  const indexes = Array.from({ length: count }, (_, index) => index);
  const named = indexes.map((index) => bytes[frame + 12 + 3 * index] ?? 0);
  const dc = indexes.map((index) => (bytes[scan + 6 + 2 * index] ?? 0) >> 4);
  const ac = indexes.map((index) => (bytes[scan + 6 + 2 * index] ?? 0) & 15);
  const isOfPasses = bytes[frame + 1] === markers.progressive;
  for (const index of indexes) {
    bytes[frame + 12 + 3 * index] = tableFor(index, named, head.quantisation) ?? named[index] ?? 0;
    const tables = [
      tableFor(index, dc, head.dc) ?? dc[index] ?? 0,
      (isOfPasses ? null : tableFor(index, ac, head.ac)) ?? ac[index] ?? 0,
    ] as const;
    bytes[scan + 6 + 2 * index] = (tables[0] << 4) | tables[1];
  }
}

/**
 * All coefficients at once in a sequential scan; in passes the DC values alone, which have none before them. Where the bits of those are not told either
 * (Ah is zero in a first scan, G.1.1.1.2), nothing of it is believed.
 */
function setCoefficients(bytes: Buffer, { frame, scan }: Head, count: number): void {
  const at = scan + 5 + 2 * count;
  const isOfPasses = bytes[frame + 1] === markers.progressive;
  if (isOfPasses && (count === 1 || (bytes[at + 2] ?? 0) >> 4 > 0)) return;
  bytes[at] = 0;
  bytes[at + 1] = isOfPasses ? 0 : 63;
  if (!isOfPasses) bytes[at + 2] = 0;
}
