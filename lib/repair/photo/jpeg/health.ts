import type { EngineJob } from '../../report';
import type { Chain } from './chain';
import { type Layout, layoutFor } from './layout';
import { type JpegParts, readJpegParts } from './markers';
import { planScan, type ScanPlan } from './reader';
import { Salvage } from './salvage';
import { chainsOf, spansOf } from './spans';
import { type Stretch, splitStretches } from './stretches';

/** Data of a baseline picture as its codes tell it: MCUs of every stretch between restart markers, and whether they are what the picture needs. */
type Codes = {
  parts: JpegParts;
  layout: Layout;
  plan: ScanPlan;
  stretches: Stretch[];
  chains: Chain[];
  isWhole: boolean;
};

/** Reads the codes of a baseline picture; `other` for kinds that are not looked into, null when there is no picture data. */
function readCodes(job: EngineJob): Codes | 'other' | null {
  const parts = readJpegParts(job.bytes);
  const { frame } = parts;
  if (!frame || parts.scanStart < 0 || !parts.hasEnd) return null;
  if ((frame.marker !== 0xc0 && frame.marker !== 0xc1) || frame.precision !== 8 || parts.scans > 1) return 'other';
  const layout = layoutFor(frame);
  if (layout.total * layout.blocks.length * 64 > job.limits.pixels * 3) return 'other';
  const stretches = splitStretches(job.bytes, parts.scanStart, parts.scanEnd, parts.restartInterval > 0);
  const plan = planScan(layout, parts.huffman);
  const chains = chainsOf(stretches, plan, layout.total + 64, job.deadline);
  const count = chains.reduce((sum, chain) => sum + chain.count, 0);
  // Some writers leave a few bytes behind the last MCU, which every decoder steps over.
  const whole = ({ errors, count }: { errors: number[]; count: number }) =>
    errors.length === 0 || (chains.length === 1 && count === layout.total && (errors[0] ?? 0) >= count);
  return { parts, layout, plan, stretches, chains, isWhole: count === layout.total && chains.every(whole) };
}

/** Reads the data of a baseline picture itself: decoders say nothing when blocks are missing, too many or out of place. Null for other kinds. */
export function isDataSound(job: EngineJob): boolean | null {
  const codes = readCodes(job);
  if (codes === 'other') return null;
  if (!codes?.isWhole) return false;
  const { parts, layout, plan, stretches, chains } = codes;
  if (parts.restartInterval > 0) return true;
  const components = parts.frame?.components ?? [];
  const tables = components.map(
    (component) => parts.quantisation.get(component.quantisation) ?? new Uint16Array(64).fill(1),
  );
  const { deadline } = job;
  const salvage = new Salvage({ layout, plan, tables, interval: 0, hasEnd: true, deadline, strict: true }, stretches);
  salvage.run(spansOf(stretches, 0, layout.total, true, chains), chains);
  return salvage.damages.length === 0;
}
