import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import type { Candidate } from '../../layout';
import { largestPictures } from '../../previews';
import { directoriesOf } from './directories';
import { losslessStreams } from './found';
import { namedEnd, namedPlaces } from './named';
import { strayDirectories } from './scan';

/** Ways in which the front of a file may have changed that are tried. */
const mostFronts = 3;
/** Pictures whose beginnings are looked at. */
const mostStarts = 50;
/** Places that directories name, and lossless pictures, that are held against each other. */
const mostNamed = 1000;
/** Bytes that may have been lost in front. */
const mostLost = 64 << 20;

/**
 * The file as it is, and as it was before bytes in front were lost or added, as far as its directories tell: by how much the data that
 * they name, and that begins with a mark, stands elsewhere. Bytes that are lost are filled with zeroes, so that all places fit again.
 */
export function* fronts(bytes: Buffer, orders: readonly boolean[], job: EngineJob): Generator<Candidate> {
  const missing = isCutInFront(bytes) ? missingBytes(bytes, orders) : 0;
  if (missing > 0) yield withFront(bytes, missing);
  yield { data: bytes, steps: [] };
  for (const lost of likelyLost(bytes, orders, job)) {
    if (lost > 0) yield withFront(bytes, lost);
    else yield { data: bytes.subarray(-lost), steps: [{ kind: 'head', how: 'cut', bytes: -lost }] };
  }
}

/** By how many bytes the data that directories name stands before its place, those that most of it agrees on first. */
function likelyLost(bytes: Buffer, orders: readonly boolean[], job: EngineJob): number[] {
  const lossless = losslessStreams(bytes, job).slice(0, mostNamed);
  const starts = [
    ...largestPictures({ ...job, bytes }, mostStarts).map(({ start }) => ({ start, isOwn: false })),
    ...lossless.map(({ frame }) => ({ start: frame.at, isOwn: true })),
  ];
  const votes = new Map<number, number>();
  for (const little of orders) {
    const { tiff, found } = strayDirectories(bytes, little);
    const named = namedPlaces(tiff, found)
      .filter(({ isJpeg, count }) => isJpeg && count > 0)
      .slice(0, mostNamed);
    for (const { at, isLossless } of named)
      for (const { start, isOwn } of starts) {
        // A lossless picture is no chance find where one is named.
        const lost = at - start;
        if (isLossless === isOwn && lost !== 0 && lost <= mostLost) votes.set(lost, (votes.get(lost) ?? 0) + 1);
      }
  }
  const likely = [...votes].sort((left, right) => right[1] - left[1]);
  return likely.slice(0, mostFronts).map(([lost]) => lost);
}

/** A file that lacks so many bytes in front, with zeroes there. */
const withFront = (bytes: Buffer, lost: number): Candidate => ({
  data: Buffer.concat([Buffer.alloc(lost), bytes]),
  steps: [{ kind: 'fillData', bytes: lost }],
});

/** Whether a file begins in the middle: neither with the head of a TIFF nor with bytes that were wiped. */
function isCutInFront(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 8);
  return directoriesOf(bytes) === null && !head.every((byte) => byte === head[0]);
}

/** By how much a file is shorter than what its directories name. */
function missingBytes(bytes: Buffer, orders: readonly boolean[]): number {
  const ends = orders.map((little) => {
    const { tiff, found } = strayDirectories(bytes, little);
    return namedEnd(tiff, found);
  });
  const missing = Math.max(0, ...ends) - bytes.length;
  return missing <= mostLost ? missing : 0;
}
