import { Buffer } from '../host/bytes';
import type { Damage, Loss } from '../report/facts/video';
import type { Source } from './source';

/** Shortest run of zeroes that no encoder leaves inside a frame, in bytes; chosen on the bench, far above the three of the standards. */
const shortest = 64;
const zeroes = Buffer.alloc(shortest);
/** Largest frame that is looked through, in bytes. */
const largest = 32 << 20;

/**
 * Whether bytes of a frame were overwritten with zeroes: inside H.264 and HEVC three of them in a row cannot stand (ISO/IEC 14496-10,
 * 7.4.1; 23008-2, 7.4.2), and arithmetic coding leaves no such runs in VP9 and AV1. Zeroes up to the end of a frame may be filling.
 */
function isOverwritten(source: Source, from: number, to: number): boolean {
  if (to - from < shortest || to - from > largest) return false;
  const bytes = source.read(from, to - from);
  const hit = bytes.indexOf(zeroes);
  if (hit < 0) return false;
  for (let at = hit + shortest; at < bytes.length; at++) if (bytes[at] !== 0) return true;
  return false;
}

/** Frames in which bytes were overwritten with zeroes, and where the first of them lies. */
export type Overwritten = { frames: number; offset: number };

/** Counts such frames of codecs that cannot hold runs of zeroes; `frames` are stretches of the file in bytes. */
export function countOverwritten(source: Source, frames: Iterable<{ from: number; to: number }>): Overwritten {
  const found: Overwritten = { frames: 0, offset: -1 };
  for (const { from, to } of frames) {
    if (!isOverwritten(source, from, to)) continue;
    if (found.frames === 0) found.offset = from;
    found.frames++;
  }
  return found;
}

/** What they are as facts: they show damage, and nothing can bring back what stood there. */
export function overwrittenFacts({ frames, offset }: Overwritten): { damages: Damage[]; lost: Loss[] } {
  if (frames === 0) return { damages: [], lost: [] };
  return {
    damages: [{ kind: 'frames', frames, how: 'overwritten', offset }],
    lost: [{ unit: 'frames', count: frames, how: 'overwritten' }],
  };
}
