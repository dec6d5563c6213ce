import { losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import { mendLossless } from '../../../../codecs/ljpeg/mend';
import { readLossless } from '../../../../codecs/ljpeg/read';
import { writeLossless } from '../../../../codecs/ljpeg/write';
import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import { TiffBytes, tag } from '../../../tiff/directory';
import type { Candidate } from '../../layout';
import { type Directories, directoriesOf, type Image, type Piece } from './directories';
import { rawScheme, sensorImage } from './image';
import { namedEnd } from './named';
import { mendedNikon } from './nikon';
import { sharePlaces } from './sensor';
import { overwriteValue } from './write';

/** A piece that was put together again. */
type Mended = { data: Buffer; madeUp: number };

/** The photo with its packed sensor data put together again where it is damaged; null where nothing is, or nothing could be. */
export function withSensorMended(candidate: Candidate, job: EngineJob): Candidate | null {
  const { data, steps } = candidate;
  const directories = directoriesOf(data);
  if (!directories) return null;
  const image = sensorImage(directories);
  if (!image) return null;
  const mended = mendedPieces(directories, image, job);
  if (!mended.some((one) => one !== null)) return null;
  const area = image.pieces.reduce((sum, { width, height }) => sum + width * height, 0);
  const madeUp = mended.reduce((sum, one) => sum + (one?.madeUp ?? 0), 0);
  return {
    ...candidate,
    data: withPieces(data, directories.tiff.little, image, mended),
    steps: [...steps, { kind: 'sensor', how: 'mended' }],
    standing: 1 - madeUp / Math.max(1, area),
  };
}

/** Pieces that are mended one by one: tiles of 256 by 256 of a sensor far larger than any. */
const mostPieces = 4096;

function mendedPieces({ tiff, found }: Directories, image: Image, job: EngineJob): (Mended | null)[] {
  const data = tiff.bytes;
  if (image.compression === rawScheme.nikon) {
    const end = namedEnd(tiff, found);
    const [piece] = image.pieces;
    const slipped = piece && piece.at + piece.count === end ? data.length - end : 0;
    const isMoved = Math.abs(slipped) > mostPadding && Math.abs(slipped) <= mostMoved;
    return [mendedNikon(data, image, isMoved ? slipped : 0, job.deadline)];
  }
  const area = image.pieces.reduce((sum, { width, height }) => sum + width * height, 0) * image.samples;
  if (area > job.limits.pixels || image.pieces.length > mostPieces || sharePlaces(image, data.length)) return [];
  if (!image.pieces.some(({ at }) => losslessFrameAt(data, at))) return [];
  return image.pieces.map((piece) => {
    job.deadline.check();
    return mendedPiece(data, image, piece, job);
  });
}

function mendedPiece(bytes: Buffer, image: Image, piece: Piece, { deadline }: EngineJob): Mended | null {
  const end = endOf(bytes, image, piece);
  const own = losslessFrameAt(bytes, piece.at);
  const reading = own && readLossless(bytes, own, end);
  if (reading?.fault === null) return null;
  // A header with wrong bits reads on for a while; that of another tile reads further then.
  const theirs = likeOthers(bytes, image, piece);
  const other = theirs && readLossless(bytes, theirs, end);
  const isWorse = !reading || (other !== null && other.samples > reading.samples);
  const like = isWorse ? theirs : own;
  const read = (isWorse ? other : reading)?.samples ?? 0;
  if (!like || like.components.some(({ across, down }) => across !== 1 || down !== 1)) return null;
  const count = like.components.length;
  const [slices = 0, each = 0, last = 0] = image.slices;
  const widths = slices > 0 && each > 0 ? [...Array<number>(slices).fill(each), last] : [like.width * count];
  const all = like.width * like.height * count;
  // What a header names need not be what the directory does, nor fit memory.
  if (all !== piece.width * piece.height * image.samples) return null;
  if (widths.reduce((sum, one) => sum + one, 0) !== like.width * count) return null;
  const edge = own ? undefined : edgeBefore(bytes, image, piece, count);
  const picture = mendLossless(bytes, like, { end, read, widths, edge }, deadline) ?? {
    samples: blank(all),
    madeUp: all,
  };
  const data = writeLossless({ ...like, components: count, precision: like.precision, samples: picture.samples });
  return { data, madeUp: picture.madeUp };
}

/** Bytes that fill a file up behind its last data. */
const mostPadding = 3;
/** How far the end of a piece may have moved, in bytes. */
const mostMoved = 1 << 20;

/** Where a piece ends: where its length says, or at the end mark before the next one, where bytes were added or lost inside it. */
function endOf(bytes: Buffer, { pieces }: Image, { at, count }: Piece): number {
  const named = Math.min(bytes.length, at + count);
  const isMarked = (place: number) => bytes[place - 2] === 0xff && bytes[place - 1] === 0xd9;
  if (isMarked(named) || (count > 0 && isMarked(named - 1))) return named;
  const next = pieces.reduce((least, other) => (other.at > at && other.at < least ? other.at : least), bytes.length);
  const most = Math.min(next, named + mostMoved);
  const last = bytes.subarray(0, most).lastIndexOf(Buffer.from([0xff, 0xd9]));
  return last > at && last + 2 > named - mostMoved ? last + 2 : named;
}

/** Black, where nothing is left of a tile. */
const blank = (count: number): Uint16Array => new Uint16Array(count);

/** The last pixel of each line of the tile on the left, to which one without its beginning is held; none where that one is damaged, too. */
function edgeBefore(bytes: Buffer, image: Image, piece: Piece, components: number): Uint16Array | undefined {
  const index = image.pieces.indexOf(piece);
  const across = Math.ceil(image.width / Math.max(1, piece.width));
  const before = image.pieces[index - 1];
  const frame = index % across > 0 && before ? losslessFrameAt(bytes, before.at) : null;
  if (!frame || !before || frame.components.length !== components) return undefined;
  const edge = new Uint16Array(frame.height * components);
  const { fault } = readLossless(bytes, frame, before.at + before.count, (line, row) =>
    edge.set(line.subarray(line.length - components), row * components),
  );
  return fault ? undefined : edge;
}

/** The header of another piece, as if it stood before the data of this one, whose own is lost. */
function likeOthers(bytes: Buffer, image: Image, { at }: Piece) {
  for (const other of image.pieces) {
    const frame = other.at === at ? null : losslessFrameAt(bytes, other.at);
    if (frame) return { ...frame, at, dataAt: at + frame.dataAt - frame.at };
  }
  return null;
}

/** The file with pieces in place of others: where they fit, or behind all else. */
function withPieces(bytes: Buffer, little: boolean, image: Image, pieces: readonly (Mended | null)[]): Buffer {
  const parts: Buffer[] = [Buffer.from(bytes)];
  let length = bytes.length;
  const moved = new Map<number, { at: number; count: number }>();
  for (const [index, one] of pieces.entries()) {
    const piece = image.pieces[index];
    if (!one || !piece) continue;
    if (one.data.length <= piece.count && piece.at + one.data.length <= bytes.length) {
      one.data.copy(parts[0] as Buffer, piece.at);
      moved.set(index, { at: piece.at, count: one.data.length });
      continue;
    }
    const padding = Buffer.alloc(length % 2);
    moved.set(index, { at: length + padding.length, count: one.data.length });
    parts.push(padding, one.data);
    length += padding.length + one.data.length;
  }
  const tiff = new TiffBytes(Buffer.concat(parts), little);
  const { fields } = image.directory;
  const isTiled = fields.has(tag.tileOffsets);
  for (const [index, { at, count }] of moved) {
    overwriteValue(tiff, fields.get(isTiled ? tag.tileOffsets : tag.stripOffsets), index, at);
    overwriteValue(tiff, fields.get(isTiled ? tag.tileCounts : tag.stripCounts), index, count);
  }
  return tiff.bytes;
}
