import { isIrap } from '../codecs/hevc/naltypes';
import type { Source } from './source';

/** Units of a frame that are looked at for a key; slices of one come early. */
const mostUnits = 12;

/**
 * Whether a decoder can start at a frame, a stretch of the file in bytes whose units lie behind lengths of `lengthBytes`: key pictures, and
 * recovery points, behind which pictures become right (ISO/IEC 14496-10 and 23008-2, 7.4.1 and 7.4.2).
 */
export function beginsPicture(
  source: Source,
  { from, to }: { from: number; to: number },
  kind: 'avc' | 'hevc',
  lengthBytes: number,
): boolean {
  let at = from;
  for (let count = 0; count < mostUnits && at + lengthBytes < to; count++) {
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
