import { type LineStep, sharpest } from '../../../../codecs/ljpeg/sharpest';
import { Buffer } from '../../../../host/bytes';
import { scheme, type TiffBytes } from '../../../tiff/directory';
import type { Candidate } from '../../layout';
import { type Directories, directoriesOf, type Image } from './directories';
import { rawScheme, sensorImage } from './image';
import { namedEnd } from './named';

/** Most bytes by which data may have slipped. */
const mostSlipped = 1 << 20;
/** Values of a row that are compared, about. */
const compared = 240;
/** The share of the step of rows as they stand below which that of moved ones must be. */
const clearly = 0.6;
/** Pixels whose packed values end with a byte, for every number of bits. */
const pixelsApart = 8;
/** Bits of a sensor's values. */
const usualBits = { least: 8, most: 16 };
/** Bytes of one of Sony's blocks. */
const block = 16;

/** Rows of sensor data that are not packed, or in blocks of one length: bytes of a row, and a coarse value at each so many of them. */
type Rows = { at: number; row: number; count: number; apart: number; value: (bytes: Buffer, place: number) => number };

/** From which row on data stands elsewhere, and by how many bytes: below zero where some were lost. */
export type Slip = { row: number; bytes: number; rows: Rows };

/**
 * Where bytes were lost or added inside sensor data whose rows all take the same room: by as much as the file is shorter or longer than its
 * directories say, from the row on that goes on from those above only so. Null where nothing is, and where no row tells.
 */
export function slipOf(directories: Directories, image: Image): Slip | null {
  const { bytes } = directories.tiff;
  const rows = rowsOf(directories.tiff, image);
  const end = namedEnd(directories.tiff, directories.found);
  const slipped = bytes.length - end;
  const [piece] = image.pieces;
  if (!rows || !piece || piece.at + piece.count !== end || slipped === 0 || Math.abs(slipped) > mostSlipped)
    return null;
  const steps: LineStep[] = [];
  for (let row = 2; row < rows.count; row++) {
    const place = rows.at + row * rows.row + slipped;
    const isThere = place >= rows.at && Math.max(place, place - slipped) + rows.row <= bytes.length;
    if (!isThere) continue;
    steps.push({ index: row, step: stepBetween(bytes, rows, rows.at + (row - 2) * rows.row, place) });
  }
  const row = sharpest(steps)?.index;
  if (!row || rows.at + (row + 3) * rows.row + Math.max(0, slipped) > bytes.length) return null;
  // A file that was cut off goes on as it is up to its end.
  const [above, here] = [row - 2, row + 2].map((one) => rows.at + one * rows.row) as [number, number];
  const isOff = stepBetween(bytes, rows, above, here) * clearly > stepBetween(bytes, rows, above, here + slipped);
  return isOff ? { row, bytes: slipped, rows } : null;
}

/** The mean step between two rows. */
function stepBetween(bytes: Buffer, { row, apart, value }: Rows, above: number, below: number): number {
  let sum = 0;
  let count = 0;
  const each = apart * Math.max(1, Math.floor(row / apart / compared));
  for (let at = 0; at + apart <= row; at += each) {
    sum += Math.abs(value(bytes, above + at) - value(bytes, below + at));
    count++;
  }
  return count > 0 ? sum / count : 0;
}

/** The rows of a picture in one piece; null where they are packed otherwise. */
function rowsOf({ little }: TiffBytes, { pieces, width, height, bits, samples, compression }: Image): Rows | null {
  const [piece] = pieces;
  if (pieces.length !== 1 || !piece || samples !== 1) return null;
  const { at, count } = piece;
  if (compression === rawScheme.sony && count === width * height)
    return { at, row: width, count: height, apart: block, value: (bytes, place) => bytes.readUInt32LE(place) & 0x7ff };
  if (compression !== scheme.none || bits < usualBits.least || bits > usualBits.most) return null;
  if (count >= width * height * 2)
    return {
      at,
      row: width * 2,
      count: height,
      apart: 2,
      value: (bytes, place) => (little ? bytes.readUInt16LE(place) : bytes.readUInt16BE(place)),
    };
  return {
    at,
    row: Math.ceil((width * bits) / 8),
    count: height,
    apart: bits * (pixelsApart / 8),
    value: (bytes, place) => bytes[place] ?? 0,
  };
}

/** The file with its sensor data where it belongs again, the row in which that happened filled from the one above; null where none slipped. */
export function withoutSlip({ data, steps, ...more }: Candidate): Candidate | null {
  const directories = directoriesOf(data);
  const image = directories && sensorImage(directories);
  const slip = image && slipOf(directories, image);
  if (!slip) return null;
  const { row, bytes, rows } = slip;
  const begins = rows.at + row * rows.row;
  const before = data.subarray(0, begins + Math.min(0, bytes));
  // What is filled in is taken from the rows of the same filters above, as far as it goes.
  const missing = Math.max(0, -bytes);
  const filling = Buffer.alloc(missing);
  for (let at = 0; at < missing; at++)
    filling[at] = data[begins - 2 * rows.row * Math.ceil(missing / rows.row) - missing + at] ?? 0;
  const lost = (missing + 2 * rows.row) / (rows.row * rows.count);
  return {
    ...more,
    data: Buffer.concat([before, filling, data.subarray(begins + bytes)]),
    steps: [...steps, { kind: 'sensor', how: 'slipped' }],
    standing: Math.min(more.standing ?? 1, 1 - lost),
  };
}
