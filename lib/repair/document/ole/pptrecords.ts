import { LimitError } from '../../report';

/** One record of a PowerPoint stream ([MS-PPT] 2.3.1). Containers have children, atoms have data. */
export type PptRecord = {
  version: number;
  type: number;
  offset: number;
  data: Buffer;
  children: PptRecord[] | null;
  cut: boolean;
};

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
  const type = data.readUInt16LE(at + 2);
  const known =
    (type >= 0x03e8 && type <= 0x1f50) || (type >= 0x2af8 && type <= 0x2f1f) || (type >= 0xf000 && type <= 0xf200);
  return known && data.readUInt32LE(at + 4) <= 0x10000000;
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
    if (!isPptRecordAt(data, at)) {
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
    const type = data.readUInt16LE(at + 2);
    const stop = at + 8 + data.readUInt32LE(at + 4);
    const cut = stop > end;
    const body = data.subarray(at + 8, Math.min(stop, end));
    // What newer programs keep for themselves is marked as a container too, but holds a ZIP archive (2.4.14.2 and its like).
    const container = (version & 15) === 15 && !(body.length >= 4 && body.readUInt32LE(0) === 0x04034b50);
    const children = container ? readPptRecords(data, at + 8, Math.min(stop, end), nesting - 1, found, false) : null;
    records.push({ version, type, offset: at, data: body, children, cut });
    at = Math.min(stop, end);
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
    (type === ppt.userEdit && data.readUInt32LE(at + 4) === 28) ||
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
  const body = record.children
    ? Buffer.concat(record.children.filter((child) => !child.cut || child.children).map(writePptRecord))
    : record.data;
  const header = Buffer.alloc(8);
  header.writeUInt16LE(record.version, 0);
  header.writeUInt16LE(record.type, 2);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
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
  if (record.type === ppt.textChars) return [record.data.toString('utf16le')];
  if (record.type === ppt.textBytes) return [record.data.toString('latin1')];
  return record.children?.flatMap(pptTexts) ?? [];
}
