import { withPiecesBack } from '../../families/exchanged';
import { type VideoFormat, video } from '../../families/video';
import { Buffer } from '../../host/bytes';
import { beginsAs } from '../foreign';
import type { FormatId } from '../table';
import { withoutIndex } from './anew';
import { formatOfBrand } from './brands';
import { examineIso } from './examine';
import { findMoved } from './exchanged';
import { measureIso } from './measure';
import type { IsoParts } from './parts';
import { rebuildIso, verifyIso } from './rebuild';

const ids: readonly [FormatId, ...FormatId[]] = ['mp4', 'mov', 'm4v', '3gp', 'insv'];

/** ISO base media and QuickTime: the files of phones and cameras. */
export const iso: VideoFormat<IsoParts | null> = {
  ids,
  family: video,
  recognise: (head, claimed) => {
    if (!beginsAs('iso', head)) return null;
    const format = formatOfBrand(Buffer.from(head.buffer, head.byteOffset, head.length), claimed);
    return format && ids.includes(format) ? format : null;
  },
  examine: withPiecesBack(examineIso, findMoved),
  anew: withoutIndex,
  rebuild: rebuildIso,
  verify: verifyIso,
  measure: measureIso,
};
