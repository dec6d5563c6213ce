import { type CrxTile, crxTilesAt } from '../../../../codecs/crx/headers';
import { mendTile } from '../../../../codecs/crx/mend';
import { crxHeaders } from '../../../../codecs/crx/write';
import { topBoxes } from '../../../../core/boxes';
import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import type { Candidate } from '../../layout';
import { sensorTrack, type Track, tracksOf } from './tracks';

/** Where a box of 64 bits of size has them. */
const wideSize = 8;

/**
 * The photo with its sensor data packed anew, so that programs read it to the end: rows of a colour that do not stand are made of another
 * colour. Only what is there up to `end` is read, and planes also `slip` bytes from where they should stand. Null where nothing is wrong with the data, or nothing here can read it.
 */
export function mended(
  candidate: Candidate,
  { end, slip }: { end: number; slip: number },
  job: EngineJob,
): Candidate | null {
  const { data: bytes } = candidate;
  const track = sensorTrack(tracksOf(bytes));
  const laid = track && crxTilesAt(bytes, Math.min(track.start, bytes.length), track.shape);
  if (!track || !laid?.isRead || track.shape.width * track.shape.height > job.limits.pixels) return null;
  const packed = packedAnew(bytes.subarray(0, end), laid.tiles, { bits: track.shape.bits, slip }, job);
  if (!packed || packed.isSound) return null;
  const head = crxHeaders(packed.tiles);
  if (head.length > track.shape.headBytes) return null;
  const filling = Buffer.alloc(track.shape.headBytes - head.length);
  const sample = Buffer.concat([head, filling, ...packed.tiles.flatMap((planes) => planes.map(({ data }) => data))]);
  const data = withSample(bytes, track, sample);
  if (!data) return null;
  return {
    ...candidate,
    data,
    steps: [...candidate.steps, { kind: 'sensor', how: 'colours' }],
    standing: packed.share,
  };
}

function packedAnew(bytes: Buffer, tiles: readonly CrxTile[], how: { bits: number; slip: number }, job: EngineJob) {
  const all: { data: Buffer; unused: number }[][] = [];
  let [sum, area, isSound] = [0, 0, true];
  for (const tile of tiles) {
    const done = mendTile(bytes, tile, how, () => job.deadline.check());
    if (!done) return null;
    all.push(done.planes);
    isSound &&= done.isSound;
    sum += done.share * tile.width * tile.height;
    area += tile.width * tile.height;
  }
  return { tiles: all, share: sum / area, isSound };
}

/** The file with other sensor data: in the place of what stood there, or behind all else where it takes more room. */
function withSample(bytes: Buffer, track: Track, sample: Buffer): Buffer | null {
  const fits = sample.length <= track.length && track.start + track.length <= bytes.length;
  const last = topBoxes(bytes).boxes.at(-1);
  if (!fits && last?.type !== 'mdat') return null;
  const data = Buffer.concat([bytes, fits ? Buffer.alloc(0) : sample]);
  if (fits) data.fill(0, track.start, track.start + track.length);
  const start = fits ? track.start : bytes.length;
  sample.copy(data, start);
  data.writeBigUInt64BE(BigInt(start), track.startAt);
  data.writeUInt32BE(sample.length, track.lengthAt);
  if (!fits && last && !withSize(data, last.offset, data.length - last.offset)) return null;
  return data;
}

/** Writes the size of a box, in the bits that it has; false where they are too few. */
function withSize(data: Buffer, at: number, size: number): boolean {
  const now = data.readUInt32BE(at);
  if (now === 1) data.writeBigUInt64BE(BigInt(size), at + wideSize);
  else if (now !== 0 && size <= 0xffffffff) data.writeUInt32BE(size, at);
  else return now === 0;
  return true;
}
