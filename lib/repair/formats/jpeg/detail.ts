import type { Frame } from '../../codecs/jpeg/frame';
import type { PhotoTold } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
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

/** Tells of blocks of which nothing came back, of all that the picture or its first passes have. */
export function tellMissing({ lost }: PhotoTold, missing: number, all: number): void {
  if (missing > 0) lost.push({ unit: 'blocks', count: missing, how: 'concealed', of: all });
}

/** Tells of passes of finer detail that are not whole. */
export function tellPasses({ lost }: PhotoTold, passes: number): void {
  if (passes > 0) lost.push({ unit: 'passes', count: passes, how: 'detail' });
}
