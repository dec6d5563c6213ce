import type { Component, Frame } from '../../codecs/jpeg/frame';
import type { PhotoTold } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { Chain } from './chain';
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

/**
 * The DC value, times its quantisation step, beyond which no block of eight-bit samples comes: eight times 128, with room for rounding; and
 * twice that where brightness is only known from the first block on. Without tables a step is one at least.
 */
const wildest = { known: 1200, relative: 2200 };
/** Restart intervals, and bytes of each, that a sampling is tried on, and those left out that may be debris; one is better whose cost is below this share of another's. */
const tried = { stretches: 200, bytes: 60_000, debris: 20_000 };
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
  const head = stretches.slice(0, tried.stretches).map((stretch, index) => ({
    ...stretch,
    data: sampleOf(stretch.data, index === 0 && parts.isBeginLost),
    isCut: stretch.data.length > tried.bytes || index === stretches.length - 1,
  }));
  const candidates = (ids.length > 1 ? samplings : samplings.slice(1, 2)).map((sampling) =>
    guessedFrame(ids, sampling),
  );
  // Not even the number of components is known without the header of the scan.
  if (!header) candidates.push(guessedFrame([1], [1, 1]));
  let best: { frame: Frame; cost: number } | null = null;
  for (const candidate of candidates) {
    const { plan, chains, count } = readData(job, bytes, parts, candidate, head, scan);
    const errors = chains.reduce((sum, chain, index) => sum + errorsOf(chain, head[index]?.isCut === true), 0);
    // Read in a wrong order, brightness soon wanders off beyond black and white.
    const luma = parts.quantisation.get(candidate.components[0]?.quantisation ?? 0)?.[0] ?? 1;
    const most = (parts.isBeginLost ? wildest.relative : wildest.known) / luma;
    let wild = 0;
    forEachMcu(head, chains, plan, count, ({ coefficients }) => {
      if (isWild(coefficients, most)) wild++;
    });
    const cost = (errors * 2 + wild) / Math.max(1, count);
    if (!best || cost < best.cost * clearlyBetter) best = { frame: candidate, cost };
  }
  const frame = best?.frame ?? guessedFrame(ids, [2, 2]);
  const exif = readExif(parts.applications);
  // Sizes of EXIF count only if the data agrees, which is checked where every size is.
  return { ...frame, marker: scan.dcOnly ? 0xc2 : 0xc0, width: exif.width, height: exif.height };
}

/** The data of a stretch that a sampling is tried on: not the first of it where that may be debris of what was written over the head. */
function sampleOf(data: Buffer, isBeginLost: boolean): Buffer {
  const from = isBeginLost ? Math.min(tried.debris, data.length >> 2) : 0;
  return data.subarray(from, from + tried.bytes);
}

/** Errors in a stretch, but for that where it is cut off in the middle of an MCU: an interval ends with a whole one. */
const errorsOf = ({ errors, count }: Chain, isCut: boolean): number =>
  errors.filter((place) => !isCut || place < count).length;

/** Whether the DC value of a block of an MCU is beyond `most`. */
function isWild(coefficients: Int16Array, most: number): boolean {
  for (let at = 0; at < coefficients.length; at += 64) if (Math.abs(coefficients[at] ?? 0) > most) return true;
  return false;
}
