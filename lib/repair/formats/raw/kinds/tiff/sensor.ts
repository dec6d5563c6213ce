import { losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import { readLossless } from '../../../../codecs/ljpeg/read';
import { TableStore } from '../../../../codecs/ljpeg/tables';
import type { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import type { Damage } from '../../../../report/facts/photo';
import { scheme } from '../../../tiff/directory';
import type { Judged, Sensor } from '../../layout';
import { wipedShare } from '../wiped';
import { type Directories, directoriesOf, type Image, type Piece, sensorSpace } from './directories';
import { longestSide, rawScheme, sensorImage } from './image';
import { lostShare } from './lost';
import { nikonReader } from './nikon';
import { type Rows, rowsOf, wholePiece } from './rows';
import { slipOf } from './slip';
import { readSony } from './sony';

/** What a piece of sensor data comes to: the share of it that stands, and whether its values were read. */
export type PieceReading = { intact: number; how: Judged; isDamaged: boolean };

/** Reads one piece of sensor data. */
export type PieceReader = (bytes: Buffer, image: Image, piece: Piece) => PieceReading;

/** How many times the bytes of a file its pieces of sensor data may take together. */
const mostTold = 2;

/** Whether pieces of sensor data lie in each other's places, as no camera writes them: reading each takes many times what all are. */
export const sharePlaces = ({ pieces }: Image, size: number): boolean =>
  pieces.reduce((sum, { at, count }) => sum + Math.max(0, Math.min(count, size - at)), 0) > size * mostTold;

/** What the sensor data tells of itself; null where no directory leads to any. */
export function tiffSensor(bytes: Buffer, { deadline }: EngineJob): Sensor | null {
  const directories = directoriesOf(bytes);
  const image = directories && sensorImage(directories);
  if (!image || image.width < 1 || image.height < 1) return null;
  const { width, height } = image;
  if (sharePlaces(image, bytes.length))
    return {
      width,
      height,
      how: 'sized',
      intact: 0,
      damages: [{ kind: 'data', how: 'sensor', offset: image.pieces[0]?.at ?? 0 }],
    };
  if (Math.max(width, height) > longestSide) return { width, height, how: 'unread', intact: 1, damages: [] };
  const read = readerOf(directories, image);
  const slip = slipOf(directories, image);
  if (slip) {
    const at = slip.rows.at + slip.row * slip.rows.row;
    return {
      width,
      height,
      how: 'sized',
      intact: slip.row / height,
      damages: [{ kind: 'data', how: 'sensor', offset: at }],
    };
  }
  // Nikon's values are nothing without the notes that tell how they are packed: then nothing leads to them.
  if (!read)
    return image.compression === rawScheme.nikon ? null : { width, height, how: 'unread', intact: 1, damages: [] };
  let intact = 0;
  let all = 0;
  let damaged = 0;
  let how: Judged = 'read';
  // Rows tell what was written over them by those around, whatever strips they are cut into.
  const whole = image.compression === scheme.none && rowsOf(directories.tiff, image) ? wholePiece(image) : null;
  for (const piece of whole ? [whole] : image.pieces) {
    deadline.check();
    const one = read(bytes, image, piece);
    const area = piece.width * piece.height;
    intact += one.intact * area;
    all += area;
    if (one.isDamaged) damaged++;
    if (one.how !== 'read') how = one.how;
  }
  const damages: Damage[] = damaged > 0 ? [{ kind: 'data', how: 'sensor', offset: image.pieces[0]?.at ?? 0 }] : [];
  return { width, height, how, intact: all > 0 ? intact / all : 0, damages };
}

/** What reads sensor data that is packed like this; null where nothing here does. */
function readerOf({ tiff }: Directories, image: Image): PieceReader | null {
  const { bytes } = tiff;
  const rows = rowsOf(tiff, image);
  switch (image.compression) {
    case scheme.none:
      return rows ? rowReader(rows) : readRows;
    case scheme.oldJpeg:
    case scheme.jpeg:
      return isLossless(bytes, image) ? losslessReader() : null;
    case rawScheme.sony:
      return readSony;
    case rawScheme.nikon:
      return nikonReader(bytes, image);
    default:
      return null;
  }
}

/** Whether pieces are lossless JPEG, or have lost their headers: lossy ones hold colours of eight bits (DNG Specification 1.6, chapter 3). */
const isLossless = (bytes: Buffer, { pieces, photometric, bits }: Image): boolean =>
  photometric === sensorSpace.filters || bits > lossyBits || pieces.some(({ at }) => losslessFrameAt(bytes, at));

const lossyBits = 8;

function losslessReader(): PieceReader {
  const store = new TableStore();
  return (bytes, _, { at, count }) => {
    const frame = losslessFrameAt(bytes, at, store);
    if (!frame) return { intact: 0, how: 'read', isDamaged: true };
    const { samples, all, fault } = readLossless(bytes, frame, at + count);
    return { intact: fault === 'left' ? 1 : samples / all, how: 'read', isDamaged: fault !== null };
  };
}

/** Rows that are not packed: their length in bits follows from the width, rounded up to bytes (TIFF 6.0, section 8). Some makers give each value of fewer bits two bytes. */
const readRows: PieceReader = (bytes, { bits, samples }, { at, count, width, height }) => {
  const isWide = bits < 16 && count >= width * height * samples * 2;
  const wanted = Math.ceil((width * (isWide ? 16 : bits) * samples) / 8) * height;
  return standing(bytes, at, count, wanted);
};

/** Rows in one piece also tell what something else was written over. */
const rowReader =
  (rows: Rows): PieceReader =>
  (bytes, _, { at, count }) => {
    const wanted = rows.row * rows.count;
    const there = Math.max(0, Math.min(count, wanted, bytes.length - at));
    const intact = (there / wanted) * (1 - lostShare(bytes.subarray(at, at + there), rows));
    return { intact, how: 'sized', isDamaged: intact < 1 };
  };

/** What is there of data that takes so many bytes, less what was wiped. */
function standing(bytes: Buffer, at: number, count: number, wanted: number): PieceReading {
  const there = Math.max(0, Math.min(count, wanted, bytes.length - at));
  const share = wanted > 0 ? there / wanted : 0;
  const intact = share * (1 - wipedShare(bytes.subarray(at, at + there)));
  return { intact, how: 'sized', isDamaged: intact < 1 };
}
