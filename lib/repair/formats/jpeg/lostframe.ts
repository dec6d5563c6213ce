import type { Component, Frame } from '../../codecs/jpeg/frame';
import type { PhotoTold } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { readExif } from './exif';
import { type FirstScan, readData } from './firstscan';
import type { JpegParts } from './markers';
import { forEachMcu } from './sampled';
import type { Stretch } from './stretches';

/** Sampling factors of the luminance that cameras and programs use, the usual first. */
const samplings: readonly (readonly [number, number])[] = [
  [2, 2],
  [1, 1],
  [2, 1],
  [1, 2],
];

/** A frame as most writers make it, for a file that lost its own. Sizes are zero until they are found. */
function guessedFrame(ids: readonly number[], sampling: readonly [number, number]): Frame {
  const components: Component[] = ids.map((id, index) => ({
    id,
    horizontal: index === 0 && ids.length > 1 ? sampling[0] : 1,
    vertical: index === 0 && ids.length > 1 ? sampling[1] : 1,
    quantisation: index === 0 ? 0 : 1,
    dc: index === 0 ? 0 : 1,
    ac: index === 0 ? 0 : 1,
  }));
  return { marker: 0xc0, precision: 8, width: 0, height: 0, components, offset: -1 };
}

/** The DC value, times its quantisation step, beyond which no block of eight-bit samples comes: eight times 128, with room for rounding. */
const wildest = 1200;
/** Restart intervals, and bytes of each, that a sampling is tried on; one is better whose cost is below this share of another's. */
const tried = { stretches: 200, bytes: 60_000 };
const clearlyBetter = 0.8;

/** A frame for a picture that lost its own: the sampling with which most of the data makes sense. */
export function frameOf(
  job: EngineJob,
  bytes: Buffer,
  parts: JpegParts,
  stretches: Stretch[],
  scan: FirstScan,
  told: PhotoTold,
): Frame {
  told.damages.push({ kind: 'frame' });
  const header = parts.scanHeader;
  const ids = header
    ? Array.from({ length: header[2] ?? 3 }, (_, index) => header[3 + index * 2] ?? index + 1)
    : [1, 2, 3];
  const head = stretches
    .slice(0, tried.stretches)
    .map((stretch) => ({ ...stretch, data: stretch.data.subarray(0, tried.bytes) }));
  let best: { frame: Frame; cost: number } | null = null;
  for (const sampling of ids.length > 1 ? samplings : samplings.slice(1, 2)) {
    const candidate = guessedFrame(ids, sampling);
    const { plan, chains, count, errors } = readData(job, bytes, parts, candidate, head, scan);
    // Read in a wrong order, brightness soon wanders off beyond black and white.
    const luma = parts.quantisation.get(candidate.components[0]?.quantisation ?? 0)?.[0] ?? 8;
    let wild = 0;
    forEachMcu(head, chains, plan, count, ({ coefficients }) => {
      if (isWild(coefficients, luma)) wild++;
    });
    const cost = (errors * 2 + wild) / Math.max(1, count);
    if (!best || cost < best.cost * clearlyBetter) best = { frame: candidate, cost };
  }
  const frame = best?.frame ?? guessedFrame(ids, [2, 2]);
  const exif = readExif(parts.applications);
  // Sizes of EXIF count only if the data agrees, which is checked where every size is.
  return { ...frame, marker: scan.dcOnly ? 0xc2 : 0xc0, width: exif.width, height: exif.height };
}

/** Whether a block of an MCU is brighter or darker than any sample can be; `luma` is the step of DC values. */
function isWild(coefficients: Int16Array, luma: number): boolean {
  for (let at = 0; at < coefficients.length; at += 64)
    if (Math.abs(coefficients[at] ?? 0) * luma > wildest) return true;
  return false;
}
