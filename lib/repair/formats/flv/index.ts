import { type VideoFormat, video } from '../../families/video';
import { beginsAs } from '../foreign';
import { examineFlv, type FlvParts } from './examine';
import { measureFlv } from './measure';
import { rebuildFlv, verifyFlv } from './rebuild';

/** Flash video. */
export const flv: VideoFormat<FlvParts> = {
  ids: ['flv'],
  family: video,
  recognise: (head) => (beginsAs('flv', head) ? 'flv' : null),
  examine: examineFlv,
  rebuild: rebuildFlv,
  verify: verifyFlv,
  measure: measureFlv,
};
