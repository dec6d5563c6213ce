import { Buffer } from '../../../../host/bytes';
import type { Candidate } from '../../layout';
import { bytesOf, fillParts } from '../parts';
import { directoriesOf } from './directories';
import { sensorImage } from './image';
import { lostParts } from './lost';
import { rowsOf } from './rows';

/** Rows of the same filters repeat after as many (ISO 12234-2, CFARepeatPatternDim, of all cameras built like TIFF). */
const apart = 2;

/** The photo with values that were overwritten filled from the rows around; null where none were, or where that fills no picture. */
export function withRowsFilled(candidate: Candidate): Candidate | null {
  const directories = directoriesOf(candidate.data);
  const image = directories && sensorImage(directories);
  const rows = image && rowsOf(directories.tiff, image);
  if (!rows) return null;
  const end = rows.at + rows.row * rows.count;
  const lost = lostParts(candidate.data.subarray(rows.at, end), rows);
  if (lost.length === 0) return null;
  const data = Buffer.from(candidate.data);
  const filled = fillParts(data.subarray(rows.at, end), rows.row, apart, lost);
  if (filled.length === 0) return null;
  return {
    ...candidate,
    data,
    steps: [...candidate.steps, { kind: 'sensor', how: 'filled' }],
    standing: (candidate.standing ?? 1) - bytesOf(lost) / (rows.row * rows.count),
  };
}
