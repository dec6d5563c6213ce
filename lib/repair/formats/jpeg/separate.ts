import { type Frame, stepsOf } from '../../codecs/jpeg/frame';
import { layoutFor } from '../../codecs/jpeg/layout';
import { planScan } from '../../codecs/jpeg/reader';
import type { PhotoTold } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { dcToPlanes } from './compose';
import { readDetail, tellMissing, tellPasses } from './detail';
import { isNoise } from './judge';
import { takeLikelier } from './likelier';
import type { JpegParts } from './markers';
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

/**
 * Reads a progressive picture whose first passes hold one or some of its components each (ISO/IEC 10918-1, G.1.1.1.1): every such pass
 * is put together as a picture of its own. `intact` when all passes are whole, `lost` when nothing can be read.
 */
export function examineSeparate(
  job: EngineJob,
  bytes: Buffer,
  parts: JpegParts,
  told: PhotoTold,
): Survivors | 'intact' | 'lost' {
  const { frame } = parts;
  if (!frame || frame.width < 1 || frame.height < 1 || parts.scanOffset < 0) return 'lost';
  const layout = layoutFor(frame);
  if (layout.total * layout.blocks.length * 64 > job.limits.pixels) return 'lost';
  const scans = readScans(bytes, parts.scanOffset, parts.scanEnd, parts.huffman, parts.restartInterval);
  const planes = planesFor(layout, frame.width, frame.height);
  const tables = stepsOf(frame, parts.quantisation);
  const passes = scans
    .filter((scan) => scan.from === 0 && scan.to === 0 && scan.high === 0)
    .map((scan) =>
      readFirst({ job, bytes, frame, planes, tables, hasEnd: parts.hasEnd || scan !== scans.at(-1) }, scan, told),
    );
  const [main] = passes;
  if (!main || main.noise || main.kept < Math.max(1, main.blocks * leastKept)) return 'lost';
  const detail = readDetail(bytes, frame, planes, scans, tables, job);
  if (detail.sound && passes.every(({ sound }) => sound)) return 'intact';
  if (parts.isShown) takeLikelier(planes, planesShown(bytes, frame, layout, scans, job.deadline.effort), tables);
  tell(told, passes, detail.lost);
  const data = { kind: 'planes', layout, planes, firstPasses: passes.length } as const;
  return { parts, frame, quantisation: parts.quantisation, data };
}

type PassFacts = {
  job: EngineJob;
  bytes: Buffer;
  frame: Frame;
  planes: readonly Plane[];
  tables: readonly Uint16Array[];
  hasEnd: boolean;
};

/** Puts the DC values of one pass into the planes of its components. */
function readFirst(facts: PassFacts, scan: Scan, told: PhotoTold): FirstPass {
  const { job, bytes, frame, planes, hasEnd } = facts;
  const numbers = scan.components.map(({ id }) => frame.components.findIndex((component) => component.id === id));
  const components = numbers.map(
    (number, index) => frame.components[number] && { ...frame.components[number], dc: scan.components[index]?.dc ?? 0 },
  );
  const own = components.filter((component) => component !== undefined);
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
    (facts.tables[number] ?? new Uint16Array(64).fill(1)).map((step) => step << scan.low),
  );
  const stretches = splitStretches(bytes, scan.start, scan.end, restartsOf(scan.interval > 0, layout.total));
  const plan = planScan(layout, scan.huffman, job.deadline.effort, true, scan.low);
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
  dcToPlanes(salvage.canvas, salvage.stretches, plan, used, scan.low);
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
