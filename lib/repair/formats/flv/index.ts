import { inChain, withPiecesBack } from '../../families/exchanged';
import { type VideoFormat, video } from '../../families/video';
import { beginsAs } from '../foreign';
import { chainOf } from './chain';
import { examineFlv, type FlvParts } from './examine';
import { measureFlv } from './measure';
import { rebuildFlv, verifyFlv } from './rebuild';

/** Flash video. */
export const flv: VideoFormat<FlvParts> = {
  ids: ['flv'],
  family: video,
  recognise: (head) => (beginsAs('flv', head) ? 'flv' : null),
  examine: withPiecesBack(examineFlv, inChain(chainOf)),
  rebuild: rebuildFlv,
  verify: verifyFlv,
  measure: measureFlv,
};
