import { type PhotoFormat, photo } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import { beginsAs } from '../foreign';
import { fileHeadBytes, type WebpParts } from './chunks';
import { examineWebp } from './examine';
import { measureWebp } from './measure';
import { rebuildWebp, verifyWebp } from './rebuild';
import { survey } from './survey';

/** Whether a file begins as one whose bytes beyond plain letters became two: those of the size of all are among them. */
const isStretched = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.subarray(8, 8 + fileHeadBytes).includes('WEBP');

/** WebP (RFC 9649): VP8, VP8L and animations of both. */
export const webp: PhotoFormat<WebpParts | null> = {
  ids: ['webp'],
  family: photo,
  recognise: (head) => (beginsAs('webp', head) ? 'webp' : null),
  recogniseDamaged: (bytes, claimed) => {
    const { chunks, head } = survey(bytes);
    const isKnown = head >= 0 || isStretched(bytes) || (claimed === 'webp' && chunks.length > 0);
    return isKnown ? 'webp' : null;
  },
  examine: examineWebp,
  rebuild: rebuildWebp,
  verify: verifyWebp,
  measure: measureWebp,
};
