import { type PhotoFormat, photo } from '../../families/photo';
import { Buffer } from '../../host/bytes';
import { beginsAs } from '../foreign';
import { examineJpeg } from './examine';
import { measureJpeg } from './measure';
import type { Survivors } from './parts';
import { rebuildJpeg, verifyJpeg } from './rebuild';

/** SOI and the mark of the next segment (B.1.1.3) where every byte beyond plain letters was stored as two (RFC 3629, 3). */
const stored = Buffer.from('c3bfc398c3bf', 'hex');

/** JPEG (ISO/IEC 10918-1). */
export const jpeg: PhotoFormat<Survivors | null> = {
  ids: ['jpg'],
  family: photo,
  recognise: (head) => (beginsAs('jpeg', head) ? 'jpg' : null),
  recogniseDamaged: (bytes) => (bytes.subarray(0, stored.length).equals(stored) ? 'jpg' : null),
  examine: examineJpeg,
  rebuild: rebuildJpeg,
  verify: verifyJpeg,
  measure: measureJpeg,
};
