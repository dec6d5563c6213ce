import { type Frame, stepsOf } from '../../codecs/jpeg/frame';
import { type Layout, layoutFor } from '../../codecs/jpeg/layout';
import { planScan } from '../../codecs/jpeg/reader';
import { nothingToldYet, type PhotoTold } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { scanToPlanes } from './compose';
import { readDetail, tellMissing, tellPasses } from './detail';
import { isNoise } from './judge';
import { takeLikelier } from './likelier';
import type { JpegParts } from './markers';
import { progressive } from './marks';
import type { Survivors } from './parts';
import { type Plane, planesFor } from './planes';
import { Salvage } from './salvage';
import { readScans, type Scan } from './scans';
import { planesShown } from './shownpasses';
import { chainsOf, spansOf } from './spans';
import { damagedAt, restartsOf, splitStretches } from './stretches';

/** Share of its blocks that a pass must have to be one. */
const leastKept = 0.02;

/** What a first pass brought: whether all of it was sound, its blocks, and those that were found. */
type FirstPass = { sound: boolean; blocks: number; kept: number; noise: boolean };

/** What was read of a picture whose scans, or first passes, hold one or some of its components each. */
type Separate = {
  layout: Layout;
  scans: readonly Scan[];
  planes: Plane[];
  tables: Uint16Array[];
  passes: readonly FirstPass[];
  /** Whether the scans hold DC values alone, as the first ones of a progressive picture. */
  dcOnly: boolean;
  detail: ReturnType<typeof readDetail>;
  isWhole: boolean;
};

/** Every scan of a picture whose components stand apart, put together as a picture of its own; null when nothing can be read. */
function readSeparate(job: EngineJob, bytes: Buffer, parts: JpegParts, told: PhotoTold): Separate | null {
  const { frame } = parts;
  if (!frame || frame.width < 1 || frame.height < 1 || parts.scanOffset < 0) return null;
  const layout = layoutFor(frame);
  if (isTooLarge(job, layout)) return null;
  const scans = readScans(bytes, parts.scanOffset, parts.scanEnd, parts.huffman, parts.restartInterval);
  const planes = planesFor(layout, frame.width, frame.height);
  const tables = stepsOf(frame, parts.quantisation);
  const dcOnly = frame.marker === progressive;
  const given = { job, bytes, frame, planes, tables, dcOnly };
  const passes = scans
    .filter((scan) => !dcOnly || (scan.from === 0 && scan.to === 0 && scan.high === 0))
    .map((scan) => readFirst({ ...given, hasEnd: parts.hasEnd || scan !== scans.at(-1) }, scan, told));
  const [main] = passes;
  if (!main || main.noise || main.kept < Math.max(1, main.blocks * leastKept)) return null;
  const detail = readDetail(bytes, frame, planes, scans, tables, job);
  const isWhole = detail.sound && passes.every(({ sound }) => sound);
  return { layout, scans, planes, tables, passes, dcOnly, detail, isWhole };
}

/**
 * Reads a picture whose scans, or the first passes of a progressive one, hold one or some of its components each (ISO/IEC 10918-1, A.2 and
 * G.1.1.1.1). `intact` when all are whole, `lost` when nothing can be read.
 */
export function examineSeparate(
  job: EngineJob,
  bytes: Buffer,
  parts: JpegParts,
  told: PhotoTold,
): Survivors | 'intact' | 'lost' {
  const { frame } = parts;
  const read = readSeparate(job, bytes, parts, told);
  if (!read || !frame) return 'lost';
  const { layout, scans, planes, tables, passes, dcOnly, detail } = read;
  if (read.isWhole) return 'intact';
  if (parts.isShown) takeLikelier(planes, planesShown(bytes, frame, layout, scans, job.deadline.effort), tables);
  tell(told, passes, detail.lost);
  const data = { kind: 'planes', layout, planes, firstPasses: dcOnly ? passes.length : null } as const;
  return { parts, frame, quantisation: parts.quantisation, data };
}

/** The coefficients of such a picture, where each of its scans can be read to its end and holds as many blocks as belong there; false otherwise, null where too much would have to be read. */
export function wholePlanes(job: EngineJob, parts: JpegParts): Plane[] | false | null {
  if (!parts.frame || isTooLarge(job, layoutFor(parts.frame))) return null;
  const read = readSeparate(job, job.bytes, parts, nothingToldYet());
  return read?.isWhole ? read.planes : false;
}

/** Whether a picture has more blocks than may be held. */
const isTooLarge = ({ limits }: EngineJob, { total, blocks }: Layout): boolean =>
  total * blocks.length * 64 > limits.pixels;

type PassFacts = {
  job: EngineJob;
  bytes: Buffer;
  frame: Frame;
  planes: readonly Plane[];
  tables: readonly Uint16Array[];
  /** Whether the scans hold DC values alone, as the first ones of a progressive picture. */
  dcOnly: boolean;
  hasEnd: boolean;
};

/** Puts the DC values of one pass, or all that a sequential scan holds, into the planes of its components. */
function readFirst(facts: PassFacts, scan: Scan, told: PhotoTold): FirstPass {
  const { job, bytes, frame, planes, dcOnly, hasEnd } = facts;
  const numbers = scan.components.map(({ id }) => frame.components.findIndex((component) => component.id === id));
  const components = numbers.map(
    (number, index) => frame.components[number] && { ...frame.components[number], ...scan.components[index] },
  );
  const own = components.filter((component) => component !== undefined);
  // A sequential scan sends all bits of its values, whatever was written over its parameters (B.2.3).
  const low = dcOnly ? scan.low : 0;
  if (own.length === 0 || own.length !== components.length) return { sound: false, blocks: 1, kept: 0, noise: false };
  const widest = Math.max(...frame.components.map(({ horizontal }) => horizontal));
  const tallest = Math.max(...frame.components.map(({ vertical }) => vertical));
  const layout = layoutFor({
    ...frame,
    components: own,
    width: Math.ceil((frame.width * Math.max(...own.map(({ horizontal }) => horizontal))) / widest),
    height: Math.ceil((frame.height * Math.max(...own.map(({ vertical }) => vertical))) / tallest),
  });
  const steps = numbers.map((number) =>
    (facts.tables[number] ?? new Uint16Array(64).fill(1)).map((step) => step << low),
  );
  const stretches = splitStretches(bytes, scan.start, scan.end, restartsOf(scan.interval > 0, layout.total));
  const plan = planScan(layout, scan.huffman, job.deadline.effort, dcOnly, low);
  const chains = chainsOf(stretches, plan, layout.total + 64, job.deadline);
  const count = chains.reduce((sum, chain) => sum + chain.count, 0);
  const sound = count === layout.total && chains.every(({ errors, complete }) => errors.length === 0 && complete);
  const given = { layout, plan, tables: steps, interval: scan.interval, hasEnd, deadline: job.deadline };
  const salvage = new Salvage({ ...given, strict: sound }, stretches);
  salvage.run(spansOf(stretches, scan.interval, layout.total, hasEnd, chains), chains);
  for (const { stretch, byte } of salvage.damages.slice(0, 10)) {
    told.damages.push(damagedAt(bytes, stretches[stretch], byte));
  }
  const kept = salvage.canvas.count();
  const used = numbers.map((number) => planes[number]).filter((plane) => plane !== undefined);
  scanToPlanes(salvage.canvas, salvage.stretches, plan, used);
  return {
    sound: sound && salvage.damages.length === 0 && kept === layout.total,
    blocks: layout.total,
    kept,
    noise: !sound && isNoise(salvage.canvas, false),
  };
}

function tell(told: PhotoTold, passes: readonly FirstPass[], lost: number): void {
  if (told.damages.every(({ kind }) => kind !== 'data')) told.damages.push({ kind: 'data', how: 'damagedOrCut' });
  const missing = passes.reduce((sum, { blocks, kept }) => sum + blocks - kept, 0);
  const all = passes.reduce((sum, { blocks }) => sum + blocks, 0);
  tellMissing(told, missing, all);
  tellPasses(told, lost);
  told.rebuilt.push({ unit: 'blocks', count: all - missing });
}
