import { losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import { mendLossless } from '../../../../codecs/ljpeg/mend';
import { readLossless } from '../../../../codecs/ljpeg/read';
import { writeLossless } from '../../../../codecs/ljpeg/write';
import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import { TiffBytes, tag } from '../../../tiff/directory';
import type { Candidate } from '../../layout';
import { directoriesOf, type Image, type Piece } from './directories';
import { sensorImage } from './sensor';
import { overwriteValue } from './write';

/** A piece that was put together again. */
type Mended = { data: Buffer; madeUp: number };

/** The photo with its packed sensor data put together again where it is damaged; null where nothing is, or nothing could be. */
export function withSensorMended({ data, steps }: Candidate, job: EngineJob): Candidate | null {
  const directories = directoriesOf(data);
  const image = directories && sensorImage(directories);
  if (!image || !image.pieces.some(({ at }) => losslessFrameAt(data, at))) return null;
  const mended = image.pieces.map((piece) => {
    job.deadline.check();
    return mendedPiece(data, image, piece, job);
  });
  if (!mended.some((one) => one !== null)) return null;
  const area = image.pieces.reduce((sum, { width, height }) => sum + width * height, 0);
  const madeUp = mended.reduce((sum, one) => sum + (one?.madeUp ?? 0), 0);
  return {
    data: withPieces(data, directories.tiff.little, image, mended),
    steps: [...steps, { kind: 'sensor', how: 'mended' }],
    madeUp: madeUp / Math.max(1, area),
  };
}

function mendedPiece(bytes: Buffer, image: Image, piece: Piece, { deadline }: EngineJob): Mended | null {
  const end = Math.min(bytes.length, piece.at + piece.count);
  const own = losslessFrameAt(bytes, piece.at);
  if (own && readLossless(bytes, own, end).fault === null) return null;
  const like = own ?? likeOthers(bytes, image, piece);
  if (!like || like.components.some(({ across, down }) => across !== 1 || down !== 1)) return null;
  const count = like.components.length;
  const [slices = 0, each = 0, last = 0] = image.slices;
  const widths = slices > 0 && each > 0 ? [...Array<number>(slices).fill(each), last] : [like.width * count];
  const all = like.width * like.height * count;
  if (widths.reduce((sum, one) => sum + one, 0) !== like.width * count) return null;
  const picture = mendLossless(bytes, like, end, widths, deadline) ?? {
    samples: blank(all, like.precision),
    madeUp: all,
  };
  const data = writeLossless({ ...like, components: count, precision: like.precision, samples: picture.samples });
  return { data, madeUp: picture.madeUp };
}

/** Black, where nothing is left of a tile. */
const blank = (count: number, precision: number): Uint16Array => new Uint16Array(count).fill(2 ** (precision - 8));

/** The header of another piece, as if it stood before the data of this one, whose own is lost. */
function likeOthers(bytes: Buffer, image: Image, { at }: Piece) {
  for (const other of image.pieces) {
    const frame = losslessFrameAt(bytes, other.at);
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
