import type { Session } from '../session';
import type { Source } from '../source';
import { avcNal, hevcNal } from './nal';

export type Frames = { offsets: number[]; sizes: number[]; keys: number[]; passed: number };

const largest = 8 << 20;

/** Whether another unit begins at `at`: parameter sets and messages are never the last of a frame. */
function follows(source: Source, at: number, judge: typeof avcNal, most: number): boolean {
  const head = source.read(at, 24);
  if (head.length < 6) return false;
  const length = head.readUInt32BE(0);
  return length >= 2 && length <= most && at + 4 + length <= source.size && judge(head.subarray(4)) !== null;
}

/**
 * Finds frames in raw media data by chains of NAL units with four-byte lengths (ISO/IEC 14496-15, 4.3.2): a new frame begins at the
 * first slice of a picture. `most` bounds a unit's length in bytes.
 */
export async function findFrames(session: Session, from: number, hevc: boolean, most = largest): Promise<Frames> {
  const { source, tell } = session;
  const judge = hevc ? hevcNal : avcNal;
  const found: Frames = { offsets: [], sizes: [], keys: [], passed: 0 };
  let start = -1;
  let end = -1;
  let sliced = false;
  let key = false;
  const close = () => {
    if (start >= 0 && sliced) {
      found.offsets.push(start);
      found.sizes.push(end - start);
      found.keys.push(key ? 1 : 0);
    }
    start = -1;
    sliced = false;
    key = false;
  };
  let at = from;
  while (at + 8 < source.size) {
    const head = source.read(at, 24);
    // Lengths under sixteen mebibytes begin with a zero byte: the rest is passed over quickly.
    if (head[0] !== 0) {
      close();
      const window = source.read(at, 1 << 16);
      const zero = window.indexOf(0);
      const skip = zero < 0 ? window.length : zero;
      found.passed += skip;
      at += skip;
      continue;
    }
    const length = head.length >= 6 ? head.readUInt32BE(0) : 0;
    const nal = length >= 2 && length <= most && at + 4 + length <= source.size ? judge(head.subarray(4)) : null;
    // Outside a chain a stray match is likely: a lone slice must be long enough to be a picture's.
    if (
      !nal ||
      (start < 0 && nal.slice && !nal.first) ||
      (!nal.slice && length > 4096) ||
      (start < 0 && !nal.slice && !follows(source, at + 4 + length, judge, most))
    ) {
      close();
      at++;
      found.passed++;
      continue;
    }
    if (start >= 0 && sliced && (nal.first || !nal.slice)) close();
    if (start < 0) start = at;
    sliced = sliced || nal.slice;
    key = key || nal.key;
    at += 4 + length;
    end = at;
    if ((found.sizes.length & 31) === 0) await tell(at, 0.1, 0.5);
  }
  close();
  return found;
}
