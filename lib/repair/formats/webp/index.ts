import { type PhotoFormat, photo } from '../../families/photo';
import { beginsAs } from '../foreign';
import type { WebpParts } from './chunks';
import { examineWebp } from './examine';
import { measureWebp } from './measure';
import { rebuildWebp, verifyWebp } from './rebuild';
import { survey } from './survey';

/** WebP (RFC 9649): VP8, VP8L and animations of both. */
export const webp: PhotoFormat<WebpParts | null> = {
  ids: ['webp'],
  family: photo,
  recognise: (head) => (beginsAs('webp', head) ? 'webp' : null),
  recogniseDamaged: (bytes, claimed) => {
    const { chunks, head } = survey(bytes);
    return head >= 0 || (claimed === 'webp' && chunks.length > 0) ? 'webp' : null;
  },
  examine: examineWebp,
  rebuild: rebuildWebp,
  verify: verifyWebp,
  measure: measureWebp,
};
