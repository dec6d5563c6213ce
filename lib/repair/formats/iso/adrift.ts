import { isIrap } from '../../codecs/hevc/naltypes';
import { framesBeforeKey, isKeyed } from '../../video/keyed';
import type { Source } from '../../video/source';
import { type Located, sampleState } from './locate';
import type { Plan } from './write';

/** Units of a frame that are looked at for a key; slices of one come early. */
const mostUnits = 12;

/** How many frames of all plans build on a key frame that is gone, and whether nothing else is left, neither frames nor sound. */
export function framesAdrift(source: Source, plans: readonly Plan[]): { count: number; isAll: boolean } {
  const adrift = plans.map((plan) => leadAdrift(source, plan));
  return {
    count: adrift.reduce((sum, count) => sum + count, 0),
    isAll: plans.every(({ kept }, index) => kept.length > 0 && adrift[index] === kept.length),
  };
}

/**
 * How many frames at the beginning of a track's plan build on a key frame that is not in it, so that no decoder shows them as they were:
 * by the table of key frames, and where frames are NAL units by their types, since that table may be wrong.
 */
function leadAdrift(source: Source, { located, kept }: Plan): number {
  const { keys, codec, lengthBytes } = located.track;
  if (keys === null || located.track.kind !== 'vide') return 0;
  const kind = /^(avc[1-4]|dva[1v])$/.test(codec) ? 'avc' : /^(hvc1|hev1|dvh[1e])$/.test(codec) ? 'hevc' : null;
  const isTold = kind !== null && lengthBytes > 0;
  if (!isTold && !keys.includes(1)) return 0;
  const first = kept.findIndex(
    (index) => keys[index] === 1 || (isTold && startsPicture(source, located, index, kind, lengthBytes)),
  );
  return first < 0 ? kept.length : first;
}

/** Whether a decoder can start at a frame: key pictures, and recovery points, behind which pictures become right (ISO/IEC 14496-10 and 23008-2, 7.4.1 and 7.4.2). */
function startsPicture(
  source: Source,
  { offsets, sizes }: Located,
  index: number,
  kind: 'avc' | 'hevc',
  lengthBytes: number,
): boolean {
  const from = offsets[index] ?? 0;
  const end = from + (sizes[index] ?? 0);
  let at = from;
  for (let count = 0; count < mostUnits && at + lengthBytes < end; count++) {
    const head = source.read(at, lengthBytes + 3);
    if (head.length < lengthBytes + 2) return false;
    const [first, second] = [head[lengthBytes] ?? 0, head[lengthBytes + 1] ?? 0];
    const type = kind === 'avc' ? first & 31 : (first >> 1) & 63;
    const payload = kind === 'avc' ? second : (head[lengthBytes + 2] ?? 0);
    if (kind === 'avc' ? type === 5 : isIrap(type)) return true;
    if (type === (kind === 'avc' ? 6 : 39) && payload === 6) return true;
    at += lengthBytes + head.readUIntBE(0, lengthBytes);
  }
  return false;
}

/** Leaves out the frames at the beginning that no decoder shows without a key frame that is gone, and says how many; none where it would be all. */
export function dropAdrift({ track, states }: Located): number {
  const { keys, codec } = track;
  if (keys === null || !isKeyed(codec)) return 0;
  const kept = [...states.keys()].filter((index) => states[index] !== sampleState.gone);
  const adrift = framesBeforeKey(kept, (index) => keys[index] === 1);
  if (adrift === kept.length) return 0;
  for (const index of kept.slice(0, adrift)) states[index] = sampleState.gone;
  return adrift;
}
