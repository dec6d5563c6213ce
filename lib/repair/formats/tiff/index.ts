import { tiffFormat } from '../../detect';
import { type PhotoFormat, photo } from '../../families/photo';
import { beginsAs } from '../foreign';
import { examineTiff } from './examine';
import { measureTiff } from './measure';
import type { TiffParts } from './parts';
import { rebuildTiff, verifyTiff } from './rebuild';

/** TIFF 6.0. */
export const tiff: PhotoFormat<TiffParts | null> = {
  ids: ['tif'],
  family: photo,
  recognise: (head, claimed) => (beginsAs('tiff', head) && tiffFormat(head, claimed) === 'tif' ? 'tif' : null),
  examine: examineTiff,
  rebuild: rebuildTiff,
  verify: verifyTiff,
  measure: measureTiff,
};
