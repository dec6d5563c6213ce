import { crc32 } from '../../core/sums';
import type { Reading } from '../../video/session';
import type { Walk } from './walk';

/** Bytes that are summed at once. */
const stretch = 1 << 19;

/** Clusters whose check sum does not fit what they hold, and where the first of them lies; -1 for none. */
export type WrongSums = { clusters: number; offset: number };

/**
 * Compares the check sums of clusters (RFC 8794, 11.3.1) with their bytes: nothing else tells a frame that was changed inside and still
 * decodes. Clusters that lost bytes, or whose size is wrong, have other findings and are left out.
 */
export async function wrongSums({ source, tell }: Reading, walk: Walk): Promise<WrongSums> {
  const wrong: WrongSums = { clusters: 0, offset: -1 };
  if (!walk.sizeOk) return wrong;
  for (const { sum } of walk.clusters) {
    if (!sum || walk.gaps.some(({ offset, length }) => offset < sum.to && offset + length > sum.from)) continue;
    let value = 0;
    for (let at = sum.from; at < sum.to; at += stretch) {
      value = crc32(source.read(at, Math.min(stretch, sum.to - at)), value);
      await tell(at, 0.38, 0.4);
    }
    if (value === sum.stated) continue;
    if (wrong.clusters === 0) wrong.offset = sum.from;
    wrong.clusters++;
  }
  return wrong;
}
