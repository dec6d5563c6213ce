import type { Buffer } from '../../host/bytes';
import type { Draft, EngineJob } from '../../report';
import type { Frame } from './markers';
import type { Plane } from './planes';
import { BandScans } from './progressive';
import type { Scan } from './scans';

/** Reads all passes behind the first one; `lost` counts those that are not whole, and those that a cut took away. */
export function readDetail(
  bytes: Buffer,
  frame: Frame,
  planes: Plane[],
  scans: readonly Scan[],
  tables: readonly Uint16Array[],
  job: EngineJob,
) {
  const bands = new BandScans(bytes, frame, planes, tables, job.deadline);
  const precise = planes.map(() => new Int8Array(64).fill(-1));
  let lost = 0;
  for (const [index, scan] of scans.entries()) {
    if (index > 0 && !bands.read(scan).sound) lost++;
    for (const { id } of scan.components)
      precise[frame.components.findIndex((component) => component.id === id)]?.fill(scan.low, scan.from, scan.to + 1);
  }
  if (lost === 0 && precise.some((bits) => bits.some((low) => low !== 0))) lost = 1;
  return { sound: lost === 0, lost };
}

/** Notes blocks of which nothing came back, of all that the picture or its first passes have. */
export function tellMissing(draft: Draft, missing: number, all: number): void {
  if (missing > 0)
    draft.lost.push({ unit: 'blocks', count: missing, detail: `of ${all}; filled with the colours around` });
}

/** Notes passes of finer detail that are not whole. */
export function tellPasses(draft: Draft, lost: number): void {
  if (lost > 0)
    draft.lost.push({
      unit: 'passes',
      count: lost,
      detail: 'of finer detail, lost for a part of the picture or all of it',
    });
}
