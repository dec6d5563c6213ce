import { Buffer } from '../../../../host/bytes';
import type { TiffField } from '../../../../report/facts/photo';
import { type TiffBytes, tag } from '../../../tiff/directory';
import type { Directories } from './directories';
import { withFilters } from './filters';
import { isLosslessForm, isRowForm, type Named, withKind } from './forms';
import { rawScheme } from './image';
import { withNumbers } from './numbers';
import { offsetsOf, type Sheet, sensorSheet } from './sheet';
import { withSlices } from './slicefields';
import type { Shape } from './tree';

/**
 * Sets right, in place, what in the directory of the sensor data contradicts that data: numbers, types and counts of entries, the size and
 * packing that the headers of lossless JPEG tell of themselves, and those by which rows fill their bytes where another field says the same.
 * Gives the fields that were set; all stays as it was where the directory does not fit its data then.
 */
export function withDescription(tiff: TiffBytes, { found, broken }: Directories, shape: Shape): TiffField[] {
  const sheet = sensorSheet(tiff, [...offsetsOf(found), ...broken]);
  if (!sheet) return [];
  const end = sheet.offset + 2 + sheet.entries.length * 12;
  const before = Buffer.from(tiff.bytes.subarray(sheet.offset, end));
  const named: Named = new Set();
  const isOwn = shape.isCr2 && !sheet.find(tag.width);
  if (withNumbers(sheet, isOwn) > 0) named.add('places');
  withFilters(sheet, named);
  withKind(sheet, named);
  const isFitting = isFormed(sheet, shape, isOwn, named);
  if (named.size === 0) return [];
  if (isFitting) return [...named];
  before.copy(tiff.bytes, sheet.offset);
  return [];
}

function isFormed(sheet: Sheet, shape: Shape, isOwn: boolean, named: Named): boolean {
  if (isLosslessForm(sheet, isOwn, named)) return !shape.isCr2 || withSlices(sheet, named);
  if (sheet.one(tag.compression) === rawScheme.nikon) return true;
  return isRowForm(sheet, shape.isDng, named);
}
