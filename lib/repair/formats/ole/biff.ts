import { Buffer } from '../../host/bytes';

/** The most bytes that a record holds ([MS-XLS] 2.1.4). */
export const mostRecord = 8224;
/** Bytes of a formula record before its tokens ([MS-XLS] 2.4.127), whose number stands last. */
const formulaHead = 22;
/**
 * One record of an Excel workbook stream ([MS-XLS] 2.1.4): `offset` is that of its header of four bytes. A stream has hundreds of
 * thousands, so that each only knows where its data lies: buffers of their own would take most of the memory.
 */
export class BiffRecord {
  readonly type: number;
  readonly offset: number;
  readonly #source: Buffer;
  readonly #start: number;
  #length: number;

  constructor(type: number, offset: number, source: Buffer, start = 0, length = source.length) {
    this.type = type;
    this.offset = offset;
    this.#source = source;
    this.#start = start;
    this.#length = length;
  }

  get data(): Buffer {
    return this.#source.subarray(this.#start, this.#start + this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** Ends the record earlier than its header says. */
  cutTo(length: number): void {
    this.#length = length;
  }

  u16(at: number): number {
    return at + 2 <= this.#length ? this.#source.readUInt16LE(this.#start + at) : this.data.readUInt16LE(at);
  }

  u32(at: number): number {
    return at + 4 <= this.#length ? this.#source.readUInt32LE(this.#start + at) : this.data.readUInt32LE(at);
  }

  /** Writes the record with its header; where it ends. */
  writeTo(target: Buffer, at: number): number {
    target.writeUInt16LE(this.type, at);
    target.writeUInt16LE(this.#length, at + 2);
    this.#source.copy(target, at + 4, this.#start, this.#start + this.#length);
    return at + 4 + this.#length;
  }
}

/** Types of records ([MS-XLS] 2.3). */
export const biff = {
  eof: 0x000a,
  formula: 0x0006,
  string: 0x0207,
  continued: 0x003c,
  drawings: 0x00eb,
  filePass: 0x002f,
  font: 0x0031,
  columnInfo: 0x007d,
  boundSheet: 0x0085,
  format: 0x041e,
  sst: 0x00fc,
  extSst: 0x00ff,
  labelSst: 0x00fd,
  label: 0x0204,
  richLabel: 0x00d6,
  blank: 0x0201,
  multipleBlank: 0x00be,
  error: 0x0205,
  number: 0x0203,
  rk: 0x027e,
  multipleRk: 0x00bd,
  index: 0x020b,
  dbCell: 0x00d7,
  xf: 0x00e0,
  chartData: 0x1065,
  beginning: 0x0809,
  dimensions: 0x0200,
} as const;

/** Lengths that records of common types must have; what differs is no record. */
const fixedLengths = new Map<number, number>([
  [biff.eof, 0],
  [biff.labelSst, 10],
  [biff.number, 14],
  [biff.rk, 10],
  [0x0201, 6],
  [0x0208, 16],
]);

const singleTypes = new Set([
  0x200, 0x201, 0x203, 0x204, 0x205, 0x206, 0x207, 0x208, 0x20b, 0x218, 0x221, 0x223, 0x225, 0x231, 0x236, 0x23e, 0x243,
  0x27e, 0x293, 0x406, 0x41e, 0x4bc,
]);

/** Lengths of records that have but one, or one in each version: also the reach of a sheet's cells, which is shorter in Excel 5 ([MS-XLS] 2.4.90). */
const ownLengths = new Map<number, readonly number[]>([
  ...[...fixedLengths].map(([type, length]) => [type, [length]] as const),
  [biff.dimensions, [14, 10]],
]);

/** Those of them that hold nothing of the content: an end, and what tells of rows and of the reach of cells. Of others with a wrong length nothing is left that could be trusted. */
const plainTypes = new Set<number>([biff.eof, biff.dimensions, 0x0208]);

/** Record types that Excel 5 and later write (2.3): the early block, single ones, future records and charts. */
export function isKnownType(type: number): boolean {
  return (
    (type > 0 && type <= 0x1c2) ||
    singleTypes.has(type) ||
    (type >= 0x800 && type <= 0x8c9) ||
    (type >= 0x1001 && type <= 0x1068)
  );
}

/** Types below 80 (2.3.1, and 16 of Excel 5) whose records differ in length. */
const lowTypes = new Set([
  0x06, 0x14, 0x15, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d, 0x23, 0x2f, 0x31, 0x3c, 0x4d, 0x50, 0x51, 0x52, 0x59,
  0x5a, 0x5b, 0x5d,
]);
/** The others, by the length that they have. */
const lowLengths = new Map(
  Object.entries({
    0: [0x0a, 0x5e, 0x60],
    2: [0x0c, 0x0d, 0x0e, 0x0f, 0x11, 0x12, 0x13, 0x19, 0x22, 0x2a, 0x2b, 0x33, 0x40, 0x42, 0x55, 0x5f, 0x61, 0x63],
    8: [0x10, 0x26, 0x27, 0x28, 0x29],
    10: [0x41],
    12: [biff.columnInfo],
    18: [0x3d],
    112: [0x5c],
  }).flatMap(([length, types]) => types.map((type) => [type, Number(length)] as const)),
);

/** Bytes that some programs write widths of columns in. */
const shortColumnInfo = 11;

/** Whether a record has a type and, as far as it tells by itself, a length of one: text in two bytes each reads as records too. */
export function isAssigned(data: Buffer, at: number): boolean {
  const type = data.readUInt16LE(at);
  if (!isKnownType(type) || type >= 0x80) return isKnownType(type);
  const length = data.readUInt16LE(at + 2);
  // Spreadsheet::WriteExcel leaves the last of the unused bytes of widths of columns (2.4.53) out.
  if (type === biff.columnInfo && length === shortColumnInfo) return true;
  if (!lowTypes.has(type)) return lowLengths.get(type) === length;
  if (type !== biff.font) return true;
  // Its name ends it, in one byte for each character or two; in Excel 5 one byte less stands before it (2.4.122).
  const name = data[at + 4 + 14] ?? 0;
  return [15 + name, 16 + name, 16 + name * 2].includes(length);
}

/** Whether a cell's record agrees with itself: columns, count of values and number of its text. Other records pass. */
export function isSoundCell(record: BiffRecord, strings: number): boolean {
  const { type, length } = record;
  if (type === biff.labelSst) return record.u16(2) < 256 && record.u32(6) < strings;
  if (type === biff.number || type === biff.rk || type === 0x0201) return record.u16(2) < 256;
  if (type === biff.formula)
    return length >= formulaHead && record.u16(2) < 256 && record.u16(20) <= length - formulaHead;
  if (type !== biff.multipleRk && type !== 0x00be) return true;
  if (length < (type === biff.multipleRk ? 12 : 8)) return false;
  const [first, last] = [record.u16(2), record.u16(length - 2)];
  const step = type === biff.multipleRk ? 6 : 2;
  return last >= first && last < 256 && (last - first + 1) * step === length - 6;
}

/** Whether a record header can stand at `at`. */
export function isRecordAt(data: Buffer, at: number): boolean {
  if (at + 4 > data.length) return false;
  const type = data.readUInt16LE(at);
  const length = data.readUInt16LE(at + 2);
  if (type > 0x10ff || length > mostRecord) return false;
  const next = at + 4 + length;
  // A type of some other program's, or an empty one, passes when a known record follows it.
  if (!isKnownType(type) && !(next + 4 <= data.length && isKnownType(data.readUInt16LE(next)))) return false;
  const fixed = fixedLengths.get(type);
  return fixed === undefined || fixed === length;
}

/** Whether a record stands at `at`, as far as the one behind it tells: behind one of no known type, or of a length that its type has not, one that is known must follow. */
export function isFollowed(data: Buffer, at: number): boolean {
  if (!isRecordAt(data, at)) return false;
  const next = at + 4 + data.readUInt16LE(at + 2);
  return isAssigned(data, at) || next + 4 > data.length || isAssigned(data, next) || isPadding(data, next);
}

/**
 * Records of a stream; `gaps` counts places where none could be read and reading went on further behind, `set` those of them where only the
 * length of a record was wrong, so that nothing is missing.
 */
export type BiffRecords = { records: BiffRecord[]; gaps: number; set: number; end: number; cut: boolean };

/**
 * Walks the records of a stream; where the walk breaks it goes on at the next place from which several records follow each other. With
 * `beyond`, reading goes on behind zeroes too, which in a sound stream only fill its last sector.
 */
export function readRecords(data: Buffer, beyond = false): BiffRecords {
  const result: BiffRecords = { records: [], gaps: 0, set: 0, end: 0, cut: false };
  let at = 0;
  let depth = 0;
  while (at + 4 <= data.length) {
    const length = lengthAt(data, at, result);
    if (length === null) {
      if (depth === 0 && !beyond && isPadding(data, at)) break;
      const next = resume(data, at, result);
      if (next < 0) {
        // Zeroes up to the end are no damage.
        if (!(depth === 0 && isPadding(data, at))) result.cut = true;
        break;
      }
      result.gaps++;
      at = next;
      continue;
    }
    const type = data.readUInt16LE(at);
    if (at + 4 + length > data.length) {
      result.cut = true;
      break;
    }
    if (type === biff.beginning) depth++;
    if (type === biff.eof) depth = Math.max(0, depth - 1);
    result.records.push(new BiffRecord(type, at, data, at + 4, length));
    at += 4 + length;
    result.end = at;
  }
  if (depth > 0) result.cut = true;
  return result;
}

/** LibreOffice writes a type that there is not, without content, for each bar or scale of colours that XLS cannot hold. */
const emptied = 0x0000ffff;
const isEmptied = (data: Buffer, at: number): boolean => at + 4 <= data.length && data.readUInt32LE(at) === emptied;

/** The length of the record at `at`, by its type where its own cannot be; null where none is. */
function lengthAt(data: Buffer, at: number, result: BiffRecords): number | null {
  if (isEmptied(data, at) && (isEmptied(data, at + 4) || isFollowed(data, at + 4))) return 0;
  if (isFollowed(data, at)) return data.readUInt16LE(at + 2);
  const own = plainTypes.has(data.readUInt16LE(at)) ? ownLength(data, at) : null;
  if (own === null) return null;
  result.gaps++;
  result.set++;
  return own;
}

/** Where to go on behind a break: the length of the last record may be what is wrong, and then it swallowed what follows it. */
function resume(data: Buffer, at: number, result: BiffRecords): number {
  const { records } = result;
  const last = records.at(-1);
  if (last && last.offset + 4 + last.length === at) {
    const own = ownLength(data, last.offset);
    if (own !== null && own < last.length && plainTypes.has(last.type)) {
      last.cutTo(own);
      result.set++;
      return last.offset + 4 + own;
    }
    const inside = nextRun(data, last.offset + 4, at);
    if (inside >= 0) {
      if (fixedLengths.has(last.type)) records.pop();
      else last.cutTo(inside - last.offset - 4);
      return inside;
    }
  }
  const own = ownLength(data, at);
  return own === null ? nextRun(data, at + 1, data.length) : at + 4 + own;
}

/** Behind the last end record there may be zeroes up to the end of the sector. */
function isPadding(data: Buffer, at: number): boolean {
  return data.subarray(at, Math.min(data.length, at + 16)).every((byte) => byte === 0) || data.length - at < 4;
}

/** Records that follow each other by no chance. */
const enoughRecords = 6;

/** The length that the type of a record has, where its own is another and records follow behind that; null where none does. */
function ownLength(data: Buffer, at: number): number | null {
  const lengths = ownLengths.get(data.readUInt16LE(at)) ?? [];
  const given = data.readUInt16LE(at + 2);
  return lengths.find((length) => length !== given && isRunAt(data, at + 4 + length)) ?? null;
}

/** The first place before `end` from which several records of known types follow each other; -1 when there is none. */
function nextRun(data: Buffer, from: number, end: number): number {
  for (let at = from; at + 4 <= end; at++) if (isRunAt(data, at)) return at;
  return -1;
}

/** Whether several records of known types follow each other from a place. */
function isRunAt(data: Buffer, at: number): boolean {
  if (at + 4 > data.length || !isAssigned(data, at)) return false;
  let place = at;
  let run = 0;
  let filled = 0;
  while (run < enoughRecords && isRecordAt(data, place) && isAssigned(data, place)) {
    if (data.readUInt16LE(place + 2) > 0) filled++;
    place += 4 + data.readUInt16LE(place + 2);
    run++;
  }
  // Small numbers read as empty records one after another.
  return run >= enoughRecords ? filled * 2 >= run : run >= 2 && place === data.length;
}

/** One record with its header. */
export function writeRecord(type: number, data: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16LE(type, 0);
  header.writeUInt16LE(data.length, 2);
  return Buffer.concat([header, data]);
}
