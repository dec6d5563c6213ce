import { beginsPicture } from '../../video/begins';
import { framesBeforeKey, isKeyed } from '../../video/keyed';
import type { Source } from '../../video/source';
import { frameAt, nalKindOf } from './keys';
import { type Located, sampleState } from './locate';
import type { Plan } from './write';

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
  const kind = nalKindOf(codec);
  const isTold = kind !== null && lengthBytes > 0;
  if (!isTold && !keys.includes(1)) return 0;
  const first = kept.findIndex(
    (index) => keys[index] === 1 || (isTold && beginsPicture(source, frameAt(located, index), kind, lengthBytes)),
  );
  return first < 0 ? kept.length : first;
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
