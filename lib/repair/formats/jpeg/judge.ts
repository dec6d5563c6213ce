import type { Frame } from '../../codecs/jpeg/frame';
import type { ScanPlan } from '../../codecs/jpeg/reader';
import { bestQuality, standardQuantisation } from '../../codecs/jpeg/tables';
import type { PhotoTold } from '../../families/photo';
import type { Canvas } from './canvas';
import type { Chain } from './chain';
import { seam } from './edgestore';
import { guessQuality } from './guess';
import type { JpegParts } from './markers';
import { isStandardTable } from './overwritten';
import type { Preview } from './preview';
import type { Stretch } from './stretches';

/** How noise is told: MCUs that are compared at most and at least, the most that one counts, in sample values, and the mean misfit and the share of that of far ones above which it is noise. */
const noise = { most: 6000, least: 8, clipped: 120, misfit: 8, share: { suspect: 0.6, other: 0.8 } };

/** Whether a picture hangs together no better than its pieces would in any order: then it was unpacked with wrong tables. */
export function isNoise(canvas: Canvas, suspect: boolean): boolean {
  const { across, total } = canvas.layout;
  let near = 0;
  let far = 0;
  let compared = 0;
  const step = Math.max(1, Math.floor(total / noise.most));
  for (let place = across; place < total; place += step) {
    const other = (place * 7919 + 13) % total;
    if (!canvas.filled[place] || !canvas.filled[place - across] || !canvas.filled[other]) continue;
    near += Math.min(noise.clipped, seam(canvas.edges, place - across, canvas.edges, place));
    far += Math.min(noise.clipped, seam(canvas.edges, other, canvas.edges, place));
    compared++;
  }
  if (compared < noise.least) return suspect;
  const ratio = near / Math.max(1, far);
  const mean = near / compared;
  return mean > noise.misfit && ratio > (suspect ? noise.share.suspect : noise.share.other);
}

/** The quantisation tables, with those that are lost guessed; says so in the report. */
export function settleTables(
  parts: JpegParts,
  frame: Frame,
  stretches: readonly Stretch[],
  data: { plan: ScanPlan; chains: readonly Chain[] },
  preview: Preview | null,
  told: PhotoTold,
): Map<number, Uint16Array> {
  const tables = new Map(parts.quantisation);
  const doubtful = parts.areTablesDoubtful ? [...tables.values()].filter((table) => !isStandardTable(table)).length : 0;
  if (doubtful > 0) told.lost.push({ unit: 'tables', count: doubtful, how: 'doubtful' });
  const missing = [...new Set(frame.components.map((component) => component.quantisation))].filter(
    (number) => !tables.has(number),
  );
  if (missing.length === 0) return tables;
  told.damages.push({ kind: 'quantisation' });
  const known = qualityOf(parts.quantisation, frame);
  // Every restart interval counts its brightness from the middle anew (ISO/IEC 10918-1, F.1.1.5.1).
  const isRelative = parts.isBeginLost && parts.restartInterval === 0;
  const quality = known ?? guessQuality(stretches, data.chains, data.plan, preview?.tones ?? null, isRelative);
  for (const number of missing) {
    const luma = frame.components[0]?.quantisation === number;
    tables.set(number, standardQuantisation(quality, !luma));
  }
  if (known !== null) told.steps.push({ kind: 'tables', from: 'survivor' });
  else {
    told.steps.push({ kind: 'tables', from: preview ? 'preview' : 'colours', quality });
    told.remarks.push({ kind: 'tables' });
    told.lost.push({ unit: 'tables', count: missing.length, how: 'guessed' });
  }
  return tables;
}

/** The quality whose standard table is nearest to a surviving table. */
function qualityOf(known: ReadonlyMap<number, Uint16Array>, frame: Frame): number | null {
  for (const [number, table] of known) {
    const luma = frame.components[0]?.quantisation === number;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let quality = 1; quality <= bestQuality; quality++) {
      const candidate = standardQuantisation(quality, !luma);
      const distance = candidate.reduce((sum, value, index) => sum + Math.abs(value - (table[index] ?? 0)), 0);
      if (distance < least) {
        least = distance;
        best = quality;
      }
    }
    return best;
  }
  return null;
}
