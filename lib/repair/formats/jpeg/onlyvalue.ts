import { Buffer } from '../../host/bytes';

/** The head of a picture with fields set right of which only one value is possible, and where its wrong segments begin, in bytes. */
export type SetRight = { bytes: Buffer; places: number[] };

/** A Huffman table: where its class and number stand, and whether its symbols are those of DC differences, which have sizes alone (ITU-T T.81, F.1.2.1). */
type Table = { at: number; isOfSizes: boolean };

/**
 * Where the segments stand that lead from the beginning of a file to its first scan, and the numbers of the tables before that (ITU-T T.81, B.2.4);
 * `lengths` are segments whose length was set right, `classes` tables whose class was.
 */
type Head = {
  frame: number;
  scan: number;
  quantisation: Set<number>;
  dc: Set<number>;
  ac: Set<number>;
  huffman: Table[];
  lengths: number[];
  classes: number[];
};

const markers = {
  quantisation: 0xdb,
  huffman: 0xc4,
  scan: 0xda,
  end: 0xd9,
  interval: 0xdd,
  baseline: 0xc0,
  extended: 0xc1,
  progressive: 0xc2,
};
/** Segments and tables that are set right at the most: where more are wrong, they are none. */
const mostPlaces = 64;
/** The longest length of a segment. */
const longest = 0xffff;
/** Most tables that one segment has: four of quantisation, or four of each class (B.2.4). */
const mostTables = 8;
/** The largest size of a DC difference, and of an AC coefficient a run and a size in one byte (F.1.2). */
const mostSize = 15;
/** Symbols with runs from which on a table is surely one of AC: so many, and at least one of so many; fewer may be damage of one of DC. */
const leastRuns = 3;
const fewRuns = 4;
/** Tables of one class at a time (table B.5). */
const mostNumbers = 4;
/** Bytes of a table of quantisation without its number, by Pq, and of a Huffman table without its symbols (B.2.4.1, B.2.4.2). */
const tableBytes = { eight: 64, sixteen: 128, huffman: 17 };

const isMarker = (bytes: Buffer, at: number): boolean => bytes[at] === 0xff && (bytes[at + 1] ?? 0) >= markers.baseline;

/** Bytes of the tables of a segment, as these tell themselves, up to the next marker; null where there is none behind whole ones. */
function lengthOfTables(bytes: Buffer, at: number, bytesOf: (at: number) => number): number | null {
  let end = at + 4;
  for (let count = 0; count < mostTables && end < bytes.length; count++) {
    end += bytesOf(end);
    if (isMarker(bytes, end)) return end - at - 2;
  }
  return null;
}

const symbolsOf = (bytes: Buffer, at: number): number =>
  bytes.subarray(at + 1, at + tableBytes.huffman).reduce((sum, count) => sum + count, 0);

/** The length that a segment must have by what it holds; null where that does not tell. */
function lengthOf(bytes: Buffer, at: number): number | null {
  const marker = bytes[at + 1] ?? 0;
  if (marker === markers.interval) return 4;
  if (marker === markers.huffman)
    return lengthOfTables(bytes, at, (table) => tableBytes.huffman + symbolsOf(bytes, table));
  if (marker === markers.quantisation)
    return lengthOfTables(
      bytes,
      at,
      (table) => 1 + ((bytes[table] ?? 0) >> 4 === 0 ? tableBytes.eight : tableBytes.sixteen),
    );
  return marker <= markers.progressive ? 8 + 3 * (bytes[at + 9] ?? 0) : null;
}

/** Sets the length of a segment right that does not lead to a marker, where what it holds does; where it ends. */
function endOf(bytes: Buffer, at: number, { lengths }: Head): number {
  const end = at + 2 + bytes.readUInt16BE(at + 2);
  const right = isMarker(bytes, end) ? null : lengthOf(bytes, at);
  if (right === null || right > longest || !isMarker(bytes, at + 2 + right)) return end;
  bytes.writeUInt16BE(right, at + 2);
  lengths.push(at);
  return at + 2 + right;
}

/**
 * Follows whole segments to the first scan, with lengths set right in place; null where they do not lead there, or there is no frame of Huffman codes
 * before it.
 */
function headOf(bytes: Buffer): Head | null {
  const head: Head = {
    frame: -1,
    scan: -1,
    quantisation: new Set(),
    dc: new Set(),
    ac: new Set(),
    huffman: [],
    lengths: [],
    classes: [],
  };
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker < markers.baseline) return null;
    if (marker === markers.scan) return head.frame < 0 ? null : { ...head, scan: at };
    const end = endOf(bytes, at, head);
    if (marker === markers.quantisation) addQuantisation(bytes.subarray(at + 4, end), head);
    else if (marker === markers.huffman) addHuffman(bytes, at + 4, Math.min(end, bytes.length), head);
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

/** Reads the Huffman tables of a segment; one with several symbols that no DC table has is one of AC, which is set right in place. */
function addHuffman(bytes: Buffer, from: number, end: number, { dc, ac, huffman, classes }: Head): void {
  for (let at = from; at + tableBytes.huffman <= end; ) {
    const symbols = bytes.subarray(at + tableBytes.huffman, at + tableBytes.huffman + symbolsOf(bytes, at));
    const runs = symbols.reduce((count, symbol) => count + (symbol > mostSize ? 1 : 0), 0);
    const isOfSizes = symbols.length <= mostSize + 1 && runs < leastRuns;
    const number = (bytes[at] ?? 0) & 15;
    const isOfRuns = runs >= leastRuns && runs * fewRuns > symbols.length;
    if (isOfRuns && (bytes[at] ?? 0) >> 4 !== 1 && number < mostNumbers) {
      bytes[at] = (1 << 4) | number;
      classes.push(at);
    }
    const id = bytes[at] ?? 0;
    if (id >> 4 < 2) (id >> 4 === 0 ? dc : ac).add(id & 15);
    huffman.push({ at, isOfSizes });
    at += tableBytes.huffman + symbols.length;
  }
}

/** Sets lengths and classes of the tables between scans right. Data of scans is stepped over to the next marker (B.1.1.2). */
function setTablesBetween(bytes: Buffer, from: number, head: Head): void {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 4 <= bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === markers.end) return;
    if (marker === markers.scan) at += 2 + bytes.readUInt16BE(at + 2);
    else if (marker === markers.huffman || marker === markers.quantisation) {
      const end = endOf(bytes, at, head);
      if (marker === markers.huffman && isMarker(bytes, end))
        addHuffman(bytes, at + 4, Math.min(end, bytes.length), head);
      at = isMarker(bytes, end) ? end : at + 2;
    } else at++;
  }
}

/**
 * Gives the one table that a scan asks for and that there is not its class and number (B.2.4.2): to the one table with symbols of that class which says
 * that it is of the other, or of none.
 */
function setClass(bytes: Buffer, { huffman, dc, ac, classes }: Head, named: readonly number[], wanted: 0 | 1): void {
  const defined = wanted === 0 ? dc : ac;
  const missing = [...new Set(named)].filter((number) => !defined.has(number));
  const strays = huffman.filter(
    ({ at, isOfSizes }) => isOfSizes === (wanted === 0) && (bytes[at] ?? 0) >> 4 !== wanted,
  );
  const [number, stray] = [missing[0], strays[0]];
  if (missing.length !== 1 || strays.length !== 1 || number === undefined || !stray) return;
  bytes[stray.at] = (wanted << 4) | number;
  defined.add(number);
  classes.push(stray.at);
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
  const result = Buffer.from(bytes);
  const head = headOf(result);
  if (!head) return null;
  const { frame, scan, lengths, classes } = head;
  const count = result[frame + 9] ?? 0;
  if (scan + 8 + 2 * count > result.length || !isOfAll(result, head, count)) return null;
  result.writeUInt16BE(6 + 2 * count, scan + 2);
  result[scan + 4] = count;
  const precision = result[frame + 4] ?? 0;
  const isBaseline = result[frame + 1] === markers.baseline;
  if (precision !== 8 && (isBaseline || precision !== 12)) result[frame + 4] = 8;
  setComponents(result, head, count);
  setClasses(result, head, count);
  setTables(result, head, count);
  setCoefficients(result, head, count);
  const places = [
    { at: frame, end: frame + 10 + 3 * count },
    { at: scan, end: scan + 8 + 2 * count },
  ].filter(({ at, end }) => !result.subarray(at, end).equals(bytes.subarray(at, end)));
  setTablesBetween(result, scan + 2, head);
  const all = [...new Set([...lengths, ...classes, ...places.map(({ at }) => at)])];
  return all.length === 0 || all.length > mostPlaces ? null : { bytes: result, places: all };
}

/** Tables of the wrong class, by what the first scan asks for: of a scan in passes only those of DC are known. */
function setClasses(bytes: Buffer, head: Head, count: number): void {
  const { frame, scan } = head;
  const named = Array.from({ length: count }, (_, index) => bytes[scan + 6 + 2 * index] ?? 0);
  const isOfPasses = bytes[frame + 1] === markers.progressive;
  setClass(
    bytes,
    head,
    named.map((byte) => byte >> 4),
    0,
  );
  if (!isOfPasses)
    setClass(
      bytes,
      head,
      named.map((byte) => byte & 15),
      1,
    );
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

/**
 * The table of one class that a component must have which names one that there is not: that of the number of its other class, where all other
 * components name both alike. Null where that does not tell.
 */
function likeOther(
  index: number,
  named: readonly number[],
  others: readonly number[],
  defined: ReadonlySet<number>,
): number | null {
  const other = others[index] ?? 0;
  if (defined.has(named[index] ?? 0) || !defined.has(other) || named.length < 2) return null;
  return named.every((number, at) => at === index || number === others[at]) ? other : null;
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
      tableFor(index, dc, head.dc) ?? likeOther(index, dc, ac, head.dc) ?? dc[index] ?? 0,
      (isOfPasses ? null : (tableFor(index, ac, head.ac) ?? likeOther(index, ac, dc, head.ac))) ?? ac[index] ?? 0,
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
