import type { Buffer } from '../host/bytes';
import type { Effort } from '../report';
import type { Damage, Loss } from '../report/facts/video';
import type { Source } from './source';

/** Whether a frame can be what an encoder wrote; frames are judged in their order. Null for those that cannot be judged. */
export type FrameJudge = (frame: Buffer) => boolean | null;

/** Largest frame that is judged, in bytes, and share of the frames from which on it is the judge that errs, not the frames. */
const largest = 32 << 20;
const mostShare = 0.5;

/** What frames are as facts that cannot be read to their end; nothing can bring back what stood there. */
export type Unreadable = { damages: Damage[]; lost: Loss[] };

/** Judges frames, or packets of sound, stretches of the file in bytes, as far as the effort lasts. */
export function unreadableFrames(
  source: Source,
  frames: Iterable<{ from: number; to: number }>,
  isSound: FrameJudge,
  effort: Effort,
  unit: 'frames' | 'sound packets' = 'frames',
): Unreadable {
  let [all, count, offset] = [0, 0, -1];
  for (const { from, to } of frames) {
    if (effort.isSpent) break;
    if (to - from > largest || to > source.size || from >= to) continue;
    const isWhole = isSound(source.copy(from, to - from));
    all++;
    if (isWhole !== false) continue;
    if (count === 0) offset = from;
    count++;
  }
  if (count === 0 || count >= all * mostShare) return { damages: [], lost: [] };
  return unit === 'frames'
    ? {
        damages: [{ kind: 'frames', frames: count, how: 'unreadable', offset }],
        lost: [{ unit, count, how: 'inside' }],
      }
    : { damages: [{ kind: 'sounds', count, offset }], lost: [{ unit, count, how: 'inside' }] };
}

/** Effort for the frames of a file, in units, so that it takes no longer than a decoder does. */
export const judgingEffort = 1500;
