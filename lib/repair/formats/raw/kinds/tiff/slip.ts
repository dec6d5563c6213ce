import { type LineStep, sharpest } from '../../../../codecs/ljpeg/sharpest';
import { Buffer } from '../../../../host/bytes';
import type { Candidate } from '../../layout';
import { type Directories, directoriesOf, type Image } from './directories';
import { sensorImage } from './image';
import { namedEnd, namedPlaces } from './named';
import { type Rows, rowsOf, stepBetween } from './rows';

/** Most bytes by which data may have slipped. */
const mostSlipped = 1 << 20;
/** The share of the step of rows as they stand below which that of moved ones must be. */
const clearly = 0.6;

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
  const last = image.pieces.at(-1);
  if (!rows || !last || slipped === 0 || Math.abs(slipped) > mostSlipped) return null;
  if (last.at + last.count !== end && !hasNextMoved(directories, last.at + last.count, slipped)) return null;
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

/** Whether the picture that stands behind all sensor data begins as much further on or before, and not where it is told to. */
function hasNextMoved({ tiff, found }: Directories, end: number, slipped: number): boolean {
  const next = namedPlaces(tiff, found).find(({ at }) => at >= end);
  const begins = (at: number) => tiff.bytes[at] === 0xff && tiff.bytes[at + 1] === 0xd8 && tiff.bytes[at + 2] === 0xff;
  return next?.isJpeg === true && !begins(next.at) && begins(next.at + slipped);
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
