import type { Buffer } from '../../host/bytes';
import { BiffRecord, biff, isAssigned, isFollowed, isSoundCell, mostRecord } from './biff';
import { isPptRecordAt } from './pptrecords';
import { type PartPlace, readsUpTo, sharedBegin } from './sharedstrings';

/** Where reading begins: at a record, inside of so many others, and where that begins the shared texts, at one of them. */
export type Start = { record: number; depth: number; text?: PartPlace };

export const beginning: Start = { record: 0, depth: 0 };

/**
 * Where reading a stream stops to make sense; from where on, and up to where, what makes none may lie; and where reading can begin again
 * before that. Offsets in the stream.
 */
export type Reach = { at: number; from: number; to: number; start: Start };

/** Reads a stream from a place on. */
export type Reading = (data: Buffer, start: Start) => Reach;

/** Numbers of shared texts that a cell may name as long as their table was not read. */
const mostTexts = 1_000_000;

/** Cells with one row each, which stand in the order of these ([MS-XLS] 2.1.7.20.6). */
const ofRow = new Set<number>([biff.labelSst, biff.number, biff.rk, biff.multipleRk, biff.label, biff.formula]);

/** Reads the records of a workbook stream: each must be one, cells must agree with themselves and stand in the order of their rows, and shared texts read to their end. */
export function workbookReach(data: Buffer, start: Start): Reach {
  const walk = new WorkbookWalk(data, start);
  return walk.run();
}

class WorkbookWalk {
  readonly #data: Buffer;
  readonly #start: Start;
  #at: number;
  /** Where the last record began that needs none before it, and inside of how many others. */
  #before: number;
  #inside: number;
  #depth: number;
  #row = -1;
  #shared: BiffRecord[] = [];

  constructor(data: Buffer, start: Start) {
    this.#data = data;
    this.#start = start;
    [this.#at, this.#before] = [start.record, start.record];
    [this.#depth, this.#inside] = [start.depth, start.depth];
  }

  run(): Reach {
    const { length } = this.#data;
    while (this.#at + 4 <= length) {
      const at = this.#at;
      // What has no type of a record may be any bytes, which reach over all that they do not hold.
      if (!isFollowed(this.#data, at) || !isAssigned(this.#data, at))
        return this.#stop(this.#depth === 0 && isBlank(this.#data, at) ? length : at);
      const record = new BiffRecord(
        this.#data.readUInt16LE(at),
        at,
        this.#data,
        at + 4,
        this.#data.readUInt16LE(at + 2),
      );
      if (at + 4 + record.length > length) return this.#stop(at);
      const stopped = this.#texts(record);
      if (stopped) return stopped;
      if (!isSoundCell(record, mostTexts) || !this.#isInOrder(record)) return this.#stop(at);
      this.#take(record);
    }
    return this.#stop(this.#depth === 0 ? length : this.#at);
  }

  #stop(at: number): Reach {
    const start = { record: this.#before, depth: this.#inside };
    return { at, from: this.#before, to: doubtedTo(this.#data, at), start };
  }

  /** Where the shared texts stop that end before a record. */
  #texts(record: BiffRecord): Reach | null {
    const [first] = this.#shared;
    const isMore = record.type === biff.continued && first !== undefined;
    if (first && !isMore) {
      const stopped = textsReach(
        this.#shared,
        this.#depth,
        first.offset === this.#start.record ? this.#start.text : undefined,
      );
      if (stopped) return stopped;
      this.#shared = [];
    }
    if (record.type === biff.sst || isMore) this.#shared.push(record);
    return null;
  }

  /** Whether the row of a cell is not before the last one; each series of a chart's values, and each sheet, begins anew. */
  #isInOrder(record: BiffRecord): boolean {
    if (record.type === biff.chartData) this.#row = -1;
    if (!ofRow.has(record.type) || record.length < 2) return true;
    const row = record.u16(0);
    if (row < this.#row) return false;
    this.#row = row;
    return true;
  }

  #take({ type, length }: BiffRecord): void {
    // What continues a record is read with it.
    if (type !== biff.continued) [this.#before, this.#inside] = [this.#at, this.#depth];
    if (type === biff.beginning || type === biff.eof) {
      this.#row = -1;
      this.#depth = Math.max(0, this.#depth + (type === biff.beginning ? 1 : -1));
    }
    this.#at += 4 + length;
  }
}

/** Up to where a record, and the head of the one behind it, which has to be one too, may be wrong. */
const doubtedTo = (data: Buffer, at: number): number =>
  Math.min(data.length, at + (at + 4 <= data.length ? Math.min(data.readUInt16LE(at + 2), mostRecord) : 0) + 8);

/** Where the shared texts of records that follow each other stop to be ones; null where they are all there. */
function textsReach(records: readonly BiffRecord[], depth: number, text = sharedBegin): Reach | null {
  const stopped = readsUpTo(
    records.map(({ data }) => data),
    text,
  );
  if (!stopped) return null;
  const placeOf = ({ part, at }: Omit<PartPlace, 'number'>) => {
    const record = records[Math.min(part, records.length - 1)];
    return (record?.offset ?? 0) + 4 + (part < records.length ? at : (record?.length ?? 0));
  };
  return {
    at: placeOf(stopped.at),
    from: placeOf(stopped.from),
    to: placeOf(stopped.at) + mostRecord,
    start: { record: records[0]?.offset ?? 0, depth, text: stopped.from },
  };
}

/** Reads the records of a presentation, each inside of the one that it belongs to ([MS-PPT] 2.3.1). */
export function presentationReach(data: Buffer, { record: first }: Start): Reach {
  const ends = [data.length];
  let [at, before, top] = [first, first, first];
  const stopAt = (place: number): Reach => ({
    at: place,
    from: before,
    to: Math.min(data.length, place + 8),
    start: { record: top, depth: 0 },
  });
  while (at + 8 <= data.length) {
    while (ends.length > 1 && at === ends.at(-1)) ends.pop();
    const end = ends.at(-1) ?? data.length;
    if (at + 8 > end) return stopAt(at);
    if (!isPptRecordAt(data, at)) return stopAt(ends.length === 1 && isBlank(data, at) ? data.length : at);
    const stop = at + 8 + data.readUInt32LE(at + 4);
    if (stop > end) return stopAt(at);
    const isArchive = stop - at >= 12 && data.readUInt32LE(at + 8) === archiveMark;
    before = at;
    if (ends.length === 1) top = at;
    if ((data.readUInt16LE(at) & 15) === 15 && !isArchive && stop > at + 8) {
      ends.push(stop);
      at += 8;
    } else at = stop;
    if (ends.length > deepest) return stopAt(at);
  }
  return stopAt(data.length);
}

/** A ZIP archive that newer programs keep in a record that is marked as a container. */
const archiveMark = 0x04034b50;
/** Containers inside each other that are followed. */
const deepest = 64;

const isBlank = (data: Buffer, from: number): boolean => data.subarray(from).every((byte) => byte === 0);
