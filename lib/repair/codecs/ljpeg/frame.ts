import type { Buffer } from '../../host/bytes';
import { type CategoryTable, TableStore } from './tables';

/** The header of a lossless picture (ISO/IEC 10918-1, annex H). */
export type LosslessFrame = {
  /** Where its first mark and its packed data begin, in bytes. */
  at: number;
  dataAt: number;
  /** Bits of a sample, and by how many the samples were shifted before they were packed. */
  precision: number;
  shift: number;
  /** Samples of a component in a line, and lines. */
  width: number;
  height: number;
  /** The table of each component, and its samples across and down in a unit (B.2.2). */
  components: readonly { table: CategoryTable; across: number; down: number }[];
  /** Which neighbours foretell a sample (table H.1). */
  predictor: number;
  /** Units between restart marks; 0 without any. */
  interval: number;
};

const mark = { start: 0xd8, frame: 0xc3, tables: 0xc4, scan: 0xda, interval: 0xdd } as const;

/** Segments before the packed data that are followed. */
const mostSegments = 64;

type Draft = {
  frame: {
    precision: number;
    width: number;
    height: number;
    ids: { id: number; across: number; down: number }[];
  } | null;
  tables: Map<number, CategoryTable>;
  interval: number;
};

/** Reads the header of a lossless picture at a place; null where none stands there. */
export function losslessFrameAt(bytes: Buffer, at: number, store = new TableStore()): LosslessFrame | null {
  if (bytes[at] !== 0xff || bytes[at + 1] !== mark.start) return null;
  const draft: Draft = { frame: null, tables: new Map(), interval: 0 };
  let place = at + 2;
  for (let count = 0; count < mostSegments && place + 4 <= bytes.length && bytes[place] === 0xff; count++) {
    const kind = bytes[place + 1] ?? 0;
    const length = bytes.readUInt16BE(place + 2);
    const body = bytes.subarray(place + 4, place + 2 + length);
    if (length < 2 || body.length < length - 2) return null;
    place += 2 + length;
    if (kind === mark.scan) return withScan(draft, body, at, place);
    if (kind === mark.interval && body.length >= 2) draft.interval = body.readUInt16BE(0);
    if (kind === mark.frame) draft.frame = frameOf(body);
    else if (kind >= 0xc0 && kind <= 0xcf && kind !== mark.tables && kind !== 0xc8 && kind !== 0xcc) return null;
    if (kind === mark.tables && !addTables(draft, body, store)) return null;
  }
  return null;
}

function frameOf(body: Buffer): Draft['frame'] {
  if (body.length < 6 || body.length < 6 + (body[5] ?? 0) * 3) return null;
  const ids = Array.from({ length: body[5] ?? 0 }, (_, index) => {
    const sampling = body[7 + index * 3] ?? 0;
    return { id: body[6 + index * 3] ?? 0, across: sampling >> 4, down: sampling & 15 };
  });
  return { precision: body[0] ?? 0, height: body.readUInt16BE(1), width: body.readUInt16BE(3), ids };
}

function addTables({ tables }: Draft, body: Buffer, store: TableStore): boolean {
  for (let at = 0; at + 17 <= body.length; ) {
    const size = body.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0);
    const table = store.of(body.subarray(at + 1, at + 17 + size));
    if (!table || at + 17 + size > body.length) return false;
    tables.set((body[at] ?? 0) & 15, table);
    at += 17 + size;
  }
  return true;
}

/** Samples of one kind that a unit may have (ISO/IEC 10918-1, B.2.2), and the bits that samples may have (table B.2). */
const mostSampling = 4;
/** Components of a scan (B.2.3). */
const mostComponents = 4;
const samples = { least: 2, most: 16 };

function withScan({ frame, tables, interval }: Draft, body: Buffer, at: number, dataAt: number): LosslessFrame | null {
  const count = body[0] ?? 0;
  if (!frame || count < 1 || count > mostComponents || count !== frame.ids.length || body.length < 4 + count * 2)
    return null;
  const { precision, width, height } = frame;
  if (width < 1 || height < 1 || precision < samples.least || precision > samples.most) return null;
  const components: LosslessFrame['components'][number][] = [];
  for (const [index, { id, across, down }] of frame.ids.entries()) {
    const table = tables.get((body[2 + index * 2] ?? 0) >> 4);
    if (body[1 + index * 2] !== id || !table || across < 1 || across > mostSampling || down < 1 || down > mostSampling)
      return null;
    components.push({ table, across, down });
  }
  const predictor = body[1 + count * 2] ?? 0;
  const shift = (body[3 + count * 2] ?? 0) & 15;
  if (predictor < 1 || predictor > 7 || shift >= precision) return null;
  return { at, dataAt, precision, shift, width, height, components, predictor, interval };
}
