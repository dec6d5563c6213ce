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
  slideList: 0x0ff0,
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

/** Reads records from `start` to `end`, containers with their children; a record that reaches past the end is marked as cut. */
export function readPptRecords(data: Buffer, start: number, end: number, nesting: number): PptRecord[] {
  if (nesting <= 0) throw new LimitError('The presentation nests its records deeper than this tool follows.');
  const records: PptRecord[] = [];
  let at = start;
  while (at + 8 <= end) {
    if (!isPptRecordAt(data, at)) {
      const next = nextRecord(data, at + 1, end);
      if (next < 0) break;
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
    const children = container ? readPptRecords(data, at + 8, Math.min(stop, end), nesting - 1) : null;
    records.push({ version, type, offset: at, data: body, children, cut });
    at = Math.min(stop, end);
  }
  return records;
}

/** The next place where a container that a presentation is made of begins. */
function nextRecord(data: Buffer, from: number, end: number): number {
  for (let at = from; at + 16 <= end; at++) {
    if (data[at] !== 0x0f || data[at + 1] !== 0) continue;
    const type = data.readUInt16LE(at + 2);
    if (type !== ppt.slide && type !== ppt.mainMaster && type !== ppt.notes && type !== ppt.document) continue;
    if (isPptRecordAt(data, at + 8)) return at;
  }
  return -1;
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

/** Every text of a record and below (2.9.42, 2.9.43). */
export function pptTexts(record: PptRecord): string[] {
  if (record.type === ppt.textChars) return [record.data.toString('utf16le')];
  if (record.type === ppt.textBytes) return [record.data.toString('latin1')];
  return record.children?.flatMap(pptTexts) ?? [];
}
