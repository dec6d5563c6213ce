import { Buffer } from '../../host/bytes';
import { LimitError } from '../../report';

/** Bytes of a UserEditAtom ([MS-PPT] 2.3.3), with and without its head. */
export const userEditBytes = 36;
const userEditBody = 28;

/** One record of a PowerPoint stream ([MS-PPT] 2.3.1). Containers have children, atoms have data. */
export type PptRecord = {
  version: number;
  type: number;
  offset: number;
  data: Buffer;
  children: PptRecord[] | null;
  cut: boolean;
};

/** Types of records ([MS-PPT] 2.13.24). */
export const ppt = {
  document: 0x03e8,
  endDocument: 0x03ea,
  slide: 0x03ee,
  slideAtom: 0x03ef,
  notes: 0x03f0,
  slidePersist: 0x03f3,
  mainMaster: 0x03f8,
  documentAtom: 0x03e9,
  objectAtom: 0x0fc3,
  object: 0x1011,
  slideList: 0x0ff0,
  drawing: 0x040c,
  colours: 0x07f0,
  textHeader: 0x0f9f,
  textChars: 0x0fa0,
  textBytes: 0x0fa8,
  userEdit: 0x0ff5,
  currentUser: 0x0ff6,
  persistDirectory: 0x1772,
  cryptSession: 0x2f14,
} as const;

/** Whether a record header can stand at `at`. */
export function isPptRecordAt(data: Buffer, at: number): boolean {
  if (at + 8 > data.length) return false;
  return isPptType(data.readUInt16LE(at + 2)) && data.readUInt32LE(at + 4) <= 0x10000000;
}

const isPptType = (type: number): boolean =>
  (type >= 0x03e8 && type <= 0x1f50) || (type >= 0x2af8 && type <= 0x2f1f) || (type >= 0xf000 && type <= 0xf200);

/**
 * Whether the head of a container stands at `at` inside of another, but for a length that cannot be: a record follows it, as its first
 * child. It reaches to the end of what it is in then, since what is drawn loses its place outside of its group ([MS-ODRAW] 2.2.16).
 */
function isContainerAt(data: Buffer, at: number, end: number): boolean {
  if (at + 16 > end || data[at] !== 0x0f || !isPptType(data.readUInt16LE(at + 2))) return false;
  return isPptRecordAt(data, at + 8) && at + 16 + data.readUInt32LE(at + 12) <= end;
}

/** A record as it stands in a stream: it only knows where its data lies, as there are many, and few are looked into. */
class RecordInStream implements PptRecord {
  readonly version: number;
  readonly type: number;
  readonly offset: number;
  children: PptRecord[] | null;
  readonly cut: boolean;
  readonly #source: Buffer;
  readonly #end: number;

  constructor(source: Buffer, offset: number, end: number, children: PptRecord[] | null, cut: boolean) {
    this.version = source.readUInt16LE(offset);
    this.type = source.readUInt16LE(offset + 2);
    this.offset = offset;
    this.children = children;
    this.cut = cut;
    this.#source = source;
    this.#end = end;
  }

  get data(): Buffer {
    return this.#source.subarray(this.offset + 8, this.#end);
  }
}

/** Places at which no record could be read although something stands there, and bytes of zeroes between the parts. */
export type PptGaps = { gaps: number; blank: number };

/**
 * Reads records from `start` to `end`, containers with their children; a record that reaches past the end is marked as cut. Behind
 * bytes that are no record reading goes on at the next place from which records follow each other, and `found` counts such places.
 */
export function readPptRecords(
  data: Buffer,
  start: number,
  end: number,
  nesting: number,
  found: PptGaps = { gaps: 0, blank: 0 },
  isTop = true,
): PptRecord[] {
  if (nesting <= 0) throw new LimitError('The presentation nests its records deeper than this tool follows.');
  const records: PptRecord[] = [];
  let at = start;
  while (at + 8 <= end) {
    if (!isPptRecordAt(data, at) && (isTop || !isContainerAt(data, at, end))) {
      const next = nextRecord(data, at + 1, end, isTop);
      // Between the edits of a presentation, and behind them, zeroes may stand.
      const stop = next < 0 ? end : next;
      if (!isTop || !isBlank(data, at, stop)) found.gaps++;
      else found.blank += stop - at;
      if (next < 0) return records;
      at = next;
      continue;
    }
    const version = data.readUInt16LE(at);
    const stop = at + 8 + data.readUInt32LE(at + 4);
    const cut = stop > end;
    const bodyEnd = Math.min(stop, end);
    // What newer programs keep for themselves is marked as a container too, but holds a ZIP archive (2.4.14.2 and its like).
    const isArchive = bodyEnd - at >= 12 && data.readUInt32LE(at + 8) === 0x04034b50;
    const isContainer = (version & 15) === 15 && !isArchive;
    const children = isContainer ? readPptRecords(data, at + 8, bodyEnd, nesting - 1, found, false) : null;
    records.push(new RecordInStream(data, at, bodyEnd, children, cut));
    at = bodyEnd;
  }
  if (at < end && !isTop) found.gaps++;
  return records;
}

function isBlank(data: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (data[at] !== 0) return false;
  return true;
}

/** So many records that follow each other are none by chance. */
const enoughRecords = 4;

/** The next place where a container that a presentation is made of begins, or inside of one, where several records follow each other. */
function nextRecord(data: Buffer, from: number, end: number, isTop: boolean): number {
  for (let at = from; at + 8 <= end; at++) {
    if (isTop && isPartAt(data, at, end)) return at;
    if (!isTop && isRunAt(data, at, end)) return at;
  }
  return -1;
}

const parts = new Set<number>([ppt.slide, ppt.mainMaster, ppt.notes, ppt.document]);

function isPartAt(data: Buffer, at: number, end: number): boolean {
  if (at + 16 > end || data[at + 1] !== 0) return false;
  const type = data.readUInt16LE(at + 2);
  if (data[at] === 0x0f && parts.has(type)) return isPptRecordAt(data, at + 8);
  // The list of places and the edit that leads to it are no containers, but have lengths of their own.
  return (
    (type === ppt.userEdit && data.readUInt32LE(at + 4) === userEditBody) ||
    (type === ppt.persistDirectory && isRunAt(data, at, end))
  );
}

function isRunAt(data: Buffer, at: number, end: number): boolean {
  let place = at;
  for (let count = 0; count < enoughRecords; count++) {
    if (place === end) return count >= 2;
    if (!isPptRecordAt(data, place)) return false;
    place += 8 + data.readUInt32LE(place + 4);
    if (place > end) return false;
  }
  return true;
}

/** Writes a record anew; lengths follow from what is in it, and atoms that were cut are left out. */
export function writePptRecord(record: PptRecord): Buffer {
  const target = Buffer.allocUnsafe(writtenLength(record));
  writeInto(target, 0, record);
  return target;
}

const isWritten = ({ cut, children }: PptRecord): boolean => !cut || children !== null;

function writtenLength(record: PptRecord): number {
  const { children } = record;
  if (!children) return 8 + record.data.length;
  return children.reduce((sum, child) => sum + (isWritten(child) ? writtenLength(child) : 0), 8);
}

/** Writes a record with what is in it; where it ends. */
function writeInto(target: Buffer, at: number, record: PptRecord): number {
  const { version, type, children } = record;
  target.writeUInt16LE(version, at);
  target.writeUInt16LE(type, at + 2);
  let end = at + 8;
  if (!children) end += record.data.copy(target, end);
  else for (const child of children) if (isWritten(child)) end = writeInto(target, end, child);
  target.writeUInt32LE(end - at - 8, at + 4);
  return end;
}

/** A new atom. */
export function pptAtom(type: number, data: Buffer, version = 0): PptRecord {
  return { version, type, offset: -1, data, children: null, cut: false };
}

/** A new container. */
export function pptContainer(type: number, children: PptRecord[], instance = 0): PptRecord {
  return { version: (instance << 4) | 15, type, offset: -1, data: Buffer.alloc(0), children, cut: false };
}

/** Every text of a record and below (2.9.42, 2.9.43). */
export function pptTexts(record: PptRecord): string[] {
  const texts: string[] = [];
  collectTexts(record, texts);
  return texts;
}

function collectTexts(record: PptRecord, texts: string[]): void {
  const { type, children } = record;
  if (type === ppt.textChars) texts.push(record.data.toString('utf16le'));
  else if (type === ppt.textBytes) texts.push(record.data.toString('latin1'));
  else if (children) for (const child of children) collectTexts(child, texts);
}
