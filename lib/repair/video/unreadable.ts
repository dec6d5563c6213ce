import type { Buffer } from '../host/bytes';
import type { Effort } from '../report';
import type { Damage, Loss } from '../report/facts/video';
import type { Source } from './source';

/**
 * Judges frames in their order: whether one can be what an encoder wrote, null for those that cannot be judged.
 * `isSure`: it knows the codec so well that it does not err, however many it finds. `late`: how many it did not judge when they came that
 * turned out to be damaged. `least`: share of all below which it may be the judge that errs, as with one alone.
 */
export type FrameJudge = {
  isSound(frame: Buffer): boolean | null;
  isSure?: boolean;
  late?(): number;
  least?: number;
};

/** Largest frame that is judged, in bytes, and share of the frames from which on it is the judge that errs, not the frames. */
const largest = 32 << 20;
const mostShare = 0.5;

/** What frames are as facts that cannot be read to their end; nothing can bring back what stood there. */
export type Unreadable = { damages: Damage[]; lost: Loss[] };

/** Judges frames, or packets of sound, stretches of the file in bytes, as far as the effort lasts. */
export function unreadableFrames(
  source: Source,
  frames: Iterable<{ from: number; to: number }>,
  judge: FrameJudge,
  effort: Effort,
  unit: 'frames' | 'sound packets' = 'frames',
): Unreadable {
  let [all, count, offset, doubted] = [0, 0, -1, -1];
  for (const { from, to } of frames) {
    if (effort.isSpent) break;
    if (to - from > largest || to > source.size || from >= to) continue;
    const isWhole = judge.isSound(source.copy(from, to - from));
    all++;
    if (isWhole === null && doubted < 0) doubted = from;
    if (isWhole !== false) continue;
    if (count === 0) offset = from;
    count++;
  }
  const late = judge.late?.() ?? 0;
  count += late;
  if (late > 0) offset = offset < 0 ? doubted : Math.min(offset, doubted);
  const isFew = judge.least !== undefined && count < Math.max(2, all * judge.least);
  const isErring = isFew || (!judge.isSure && count >= all * mostShare);
  if (count === 0 || isErring) return { damages: [], lost: [] };
  return unit === 'frames'
    ? {
        damages: [{ kind: 'frames', frames: count, how: 'unreadable', offset }],
        lost: [{ unit, count, how: 'inside' }],
      }
    : { damages: [{ kind: 'sounds', count, offset }], lost: [{ unit, count, how: 'inside' }] };
}

/** Effort for the frames of a file, in units, so that it takes no longer than a decoder does. */
export const judgingEffort = 1500;
