import { losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import type { Candidate } from '../../layout';
import { largestPictures } from '../../previews';
import { losslessStreams } from './found';
import { namedPlaces } from './places';
import { strayDirectories } from './scan';

/** Ways in which the front of a file may have changed that are tried. */
const mostFronts = 3;
/** Bytes that may have been lost in front. */
const mostLost = 64 << 20;

/**
 * The file as it is, and as it was before bytes in front were lost or added, as far as its directories tell: by how much the data that
 * they name, and that begins with a mark, stands elsewhere. Bytes that are lost are filled with zeroes, so that all places fit again.
 */
export function* fronts(bytes: Buffer, orders: readonly boolean[], job: EngineJob): Generator<Candidate> {
  yield { data: bytes, steps: [] };
  const starts = new Set([
    ...largestPictures(job, 50).map(({ start }) => start),
    ...losslessStreams(bytes, job).map(({ frame }) => frame.at),
  ]);
  const votes = new Map<number, number>();
  for (const little of orders) {
    const { tiff, found } = strayDirectories(bytes, little);
    for (const { at, isJpeg, isLossless, count } of namedPlaces(tiff, found)) {
      if (!isJpeg || count === 0) continue;
      for (const start of starts) {
        const lost = at - start;
        if (lost === 0 || lost > mostLost || lost < -bytes.length) continue;
        // A lossless picture is no chance find where one is named.
        if (isLossless !== (losslessFrameAt(bytes, start) !== null)) continue;
        votes.set(lost, (votes.get(lost) ?? 0) + 1);
      }
    }
  }
  const likely = [...votes].sort((left, right) => right[1] - left[1]).slice(0, mostFronts);
  for (const [lost] of likely) {
    if (lost > 0)
      yield { data: Buffer.concat([Buffer.alloc(lost), bytes]), steps: [{ kind: 'fillData', bytes: lost }] };
    else yield { data: bytes.subarray(-lost), steps: [{ kind: 'head', how: 'cut', bytes: -lost }] };
  }
}
