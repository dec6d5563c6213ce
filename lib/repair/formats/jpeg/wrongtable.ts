import { type Frame, stepsOf } from '../../codecs/jpeg/frame';
import { type Layout, layoutFor } from '../../codecs/jpeg/layout';
import { McuReader, planScan, type ScanPlan } from '../../codecs/jpeg/reader';
import type { HuffmanSpec } from '../../codecs/jpeg/tables';
import { Buffer } from '../../host/bytes';
import type { Effort, EngineJob } from '../../report';
import { type Chain, readChain } from './chain';
import { type FirstScan, firstScan } from './firstscan';
import { hasScansApart, type JpegParts, readJpegParts } from './markers';
import { Salvage } from './salvage';
import { readHuffman } from './segments';
import { chainsOf, spansOf } from './spans';
import { restartsOf, type Stretch, splitStretches } from './stretches';

/** Effort for the whole search, and tables with which the data can be read to its end whose pictures are compared at most. */
const searchEffort = 3000;
const mostCompared = 12;
/**
 * Places without sense from which on a table may be wrong, and the share of the data over which they lie: damage to data stays where it is; and the share of all MCUs with which all of it is
 * read with a wrong table. */
const spread = { places: 6, share: 0.3, all: 0.02 };
/** MCUs before the first place without sense at which a trial begins, and how many it reads. */
const trial = { before: 160, mcus: 480 };
/** How much better the picture of one table has to hang together than that of any other, as a share of the misfit. */
const clearly = 0.9;

/** Share of a misfit below which two pictures do not differ. */
const nothing = 1e-4;
/** Symbols out of order up to which one of them may be wrong: with more the program did not order them. */
const mostOdd = 2;
/** Blocks that could be read in the time that the tables for reading take. */
const readyBlocks = 300;

/** The file with tables set right, and whether no other change makes another picture that hangs together nearly as well. */
export type MendedTable = { bytes: Buffer; isSure: boolean };

/** A DHT segment's tables in the file, in bytes. */
type Segment = { from: number; to: number };

/** The data of the first scan and how it is read. */
type Data = { frame: Frame; layout: Layout; scan: FirstScan; stretches: Stretch[]; interval: number };

/**
 * The file with one byte of its Huffman tables (ISO/IEC 10918-1, B.2.4.2) set right: the only one with which all data can be read to its end and holds as
 * many MCUs as the picture has. Null where no table is wrong, or none proves to be right.
 */
export function withTableMended(job: EngineJob): MendedTable | null {
  const parts = readJpegParts(job.bytes);
  const data = dataOf(job, parts);
  if (!data) return null;
  const segments = huffmanSegments(job.bytes, parts);
  const isMissing = data.layout.blocks.some(
    ({ dc, ac }) => !parts.huffman.has(dc) || (!data.scan.dcOnly && !parts.huffman.has(0x10 | ac)),
  );
  const isBroken = isMissing || segments.some(({ from, to }) => !readHuffman(job.bytes.subarray(from, to), new Map()));
  const begin = isBroken ? { stretch: 0, bit: 0, isAll: false } : firstFault(job, parts, data);
  if (!begin) return null;
  const effort = job.deadline.effort.share(searchEffort);
  const search = { bytes: job.bytes, tables: parts.huffman, segments, data, begin, effort };
  const found = proven(search, oneBit);
  const steps = stepsBack(parts.huffman);
  const isOdd = isBroken || begin.isAll || (steps > 0 && steps <= mostOdd);
  return likeliest(job, found.length === 0 && isOdd ? proven(search, anyValue) : found);
}

/** What a search goes by: the tables as they are, and where a trial begins. */
type Search = {
  bytes: Buffer;
  tables: ReadonlyMap<number, HuffmanSpec>;
  segments: readonly Segment[];
  data: Data;
  begin: { stretch: number; bit: number };
  effort: Effort;
};

/** Changes of one byte, as what it is combined with by exclusive or. */
const oneBit = [1, 2, 4, 8, 16, 32, 64, 128];
const anyValue = Array.from({ length: 255 }, (_, index) => index + 1);

/** The files with one byte of the tables changed with which all data can be read; so many of them at most. */
function proven(
  { bytes: original, tables, segments, data, begin, effort }: Search,
  changes: readonly number[],
): Buffer[] {
  const found: Buffer[] = [];
  const bytes = Buffer.from(original);
  const isRight = ({ from, to }: Segment) => {
    const changed = new Map(tables);
    if (!readHuffman(bytes.subarray(from, to), changed)) return false;
    effort.spend('jpegBlock', readyBlocks);
    const plan = planScan(data.layout, changed, effort, data.scan.dcOnly, data.scan.low);
    return makesSense(data, plan, begin) && isWhole(data, plan);
  };
  for (const segment of segments)
    for (let at = segment.from; at < segment.to; at++) {
      for (const change of changes) {
        bytes[at] = (original[at] ?? 0) ^ change;
        if (isRight(segment)) found.push(Buffer.from(bytes));
        if (effort.isSpent || found.length === mostCompared) return found;
      }
      bytes[at] = original[at] ?? 0;
    }
  return found;
}

/**
 * Symbols that are less than the one before them of the same length: none where a program counted them (ISO/IEC 10918-1, K.2, figure K.4) or took the
 * tables of annex K.3, many in those of some others.
 */
function stepsBack(tables: ReadonlyMap<number, HuffmanSpec>): number {
  let steps = 0;
  for (const { counts, symbols } of tables.values()) {
    let at = 0;
    for (const count of counts) {
      for (let index = at + 1; index < at + count; index++)
        if ((symbols[index] ?? 0) < (symbols[index - 1] ?? 0)) steps++;
      at += count;
    }
  }
  return steps;
}

/** The data of pictures whose first scan has all components; null for others, and where the end is lost, which proves nothing. */
function dataOf(job: EngineJob, parts: JpegParts): Data | null {
  const { frame, hasEnd, scanStart, scanHeader, restartInterval: interval } = parts;
  if (!frame || scanStart < 0 || !hasEnd || frame.precision !== 8 || frame.marker > 0xc2) return null;
  if (scanHeader?.[2] !== frame.components.length || hasScansApart(parts)) return null;
  const layout = layoutFor(frame);
  if (layout.total < 1 || layout.total * layout.blocks.length * 64 > job.limits.pixels * 3) return null;
  const scan = firstScan(job.bytes, parts);
  if (frame.marker === 0xc2 && !scan.dcOnly) return null;
  const stretches = splitStretches(job.bytes, scan.start, scan.end, restartsOf(interval > 0, layout.total));
  return { frame, layout, scan, stretches, interval };
}

/** The DHT segments before the first scan. */
function huffmanSegments(bytes: Buffer, { start, scanOffset }: JpegParts): Segment[] {
  const segments: Segment[] = [];
  for (let at = start + 2; at + 4 <= scanOffset && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const to = at + 2 + bytes.readUInt16BE(at + 2);
    if (bytes[at + 1] === 0xc4 && to <= scanOffset) segments.push({ from: at + 4, to });
  }
  return segments;
}

/** Where a trial begins: before the first MCU that makes no sense, where such lie all over the data; null where the tables may be right. */
function firstFault(job: EngineJob, { huffman }: JpegParts, { layout, scan, stretches, interval }: Data) {
  const plan = planScan(layout, huffman, job.deadline.effort, scan.dcOnly, scan.low);
  const chains = chainsOf(stretches, plan, layout.total + layout.across * 4, job.deadline);
  const stretch = chains.findIndex(({ errors }) => errors.length > 0);
  const count = chains.reduce((sum, chain) => sum + chain.count, 0);
  // Differences of DC values alone hardly ever make no sense; their number does.
  if (stretch < 0) return scan.dcOnly && count !== layout.total ? { stretch: 0, bit: 0, isAll: false } : null;
  const isSpread = interval > 0 ? areSpread(chains) : isSpreadIn(chains[0], count);
  if (!isSpread && !scan.dcOnly) return null;
  const chain = chains[stretch];
  const bit = chain?.bits[Math.max(0, (chain.errors[0] ?? 0) - trial.before)] ?? 0;
  return {
    stretch,
    bit,
    isAll: chains.reduce((sum, { errors }) => sum + new Set(errors).size, 0) > count * spread.all,
  };
}

function isSpreadIn(chain: Chain | undefined, count: number): boolean {
  const places = [...new Set(chain?.errors)];
  return places.length >= spread.places && (places.at(-1) ?? 0) - (places[0] ?? 0) >= count * spread.share;
}

/** Whether stretches between restart markers make no sense all over the picture. */
function areSpread(chains: readonly Chain[]): boolean {
  const wrong = chains.flatMap(({ errors }, index) => (errors.length > 0 ? [index] : []));
  return wrong.length >= spread.places && (wrong.at(-1) ?? 0) - (wrong[0] ?? 0) >= chains.length * spread.share;
}

/** Whether some MCUs can be read where the data made no sense before. */
function makesSense({ stretches }: Data, plan: ScanPlan, begin: { stretch: number; bit: number }): boolean {
  const reader = new McuReader(stretches[begin.stretch]?.data ?? Buffer.alloc(0), plan);
  reader.seek(begin.bit, []);
  for (let mcu = 0; mcu < trial.mcus && !reader.finished(); mcu++) if (!reader.mcu()) return false;
  return true;
}

/** Whether all data makes sense and holds as many MCUs as the picture has. */
function isWhole({ stretches, layout }: Data, plan: ScanPlan): boolean {
  let count = 0;
  for (const { data } of stretches) {
    const reader = new McuReader(data, plan);
    for (; !reader.finished() && count < layout.total; count++) if (!reader.mcu()) return false;
    if (!reader.finished()) return false;
  }
  return count === layout.total;
}

/** Of several files the one with the tables that are most as programs make them, and of those the one whose picture hangs together best. */
function likeliest(job: EngineJob, found: readonly Buffer[]): MendedTable | null {
  const steps = found.map((bytes) => stepsBack(readJpegParts(bytes).huffman));
  const least = Math.min(...steps);
  const usual = found.filter((_, index) => steps[index] === least);
  const costs = usual.length > 1 ? usual.map((bytes) => misfitOf(job, bytes)) : [0];
  const lowest = Math.min(...costs);
  const bytes = usual[costs.indexOf(lowest)];
  // Others make the same picture, or one that is clearly worse.
  const isSure = costs.every((cost) => cost <= lowest * (1 + nothing) || cost * clearly > lowest);
  return bytes ? { bytes, isSure } : null;
}

/** How badly the MCUs of a picture fit together on average, in sample values. */
function misfitOf(job: EngineJob, bytes: Buffer): number {
  const parts = readJpegParts(bytes);
  const data = dataOf({ ...job, bytes }, parts);
  if (!data) return Number.POSITIVE_INFINITY;
  const { frame, layout, scan, stretches, interval } = data;
  const { deadline } = job;
  const plan = planScan(layout, parts.huffman, deadline.effort, scan.dcOnly, scan.low);
  const tables = stepsOf(frame, parts.quantisation);
  const salvage = new Salvage({ layout, plan, tables, interval, hasEnd: true, deadline, strict: true }, stretches);
  const chains = stretches.map((stretch) => readChain(stretch.data, plan, layout.total, deadline));
  salvage.run(spansOf(stretches, interval, layout.total, true, chains), chains);
  const { canvas } = salvage;
  return canvas.meanFit(0, layout.total);
}
