import { type PhotoFormat, photo } from '../../families/photo';
import { beginsAs } from '../foreign';
import { examineJpeg } from './examine';
import { measureJpeg } from './measure';
import type { Survivors } from './parts';
import { rebuildJpeg, verifyJpeg } from './rebuild';

/** JPEG (ISO/IEC 10918-1). */
export const jpeg: PhotoFormat<Survivors | null> = {
  ids: ['jpg'],
  family: photo,
  recognise: (head) => (beginsAs('jpeg', head) ? 'jpg' : null),
  examine: examineJpeg,
  rebuild: rebuildJpeg,
  verify: verifyJpeg,
  measure: measureJpeg,
};
