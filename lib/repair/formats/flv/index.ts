import type { Format } from '../format';
import { examineFlv, type FlvParts } from './examine';
import { measureFlv } from './measure';
import { rebuildFlv, verifyFlv } from './rebuild';

/** The signature and the version (Adobe FLV 10.1, annex E.2). */
const signature = [0x46, 0x4c, 0x56, 1];

/** Flash video. */
export const flv: Format<FlvParts> = {
  ids: ['flv'],
  family: 'video',
  recognise: (head) => signature.every((byte, at) => head[at] === byte),
  examine: examineFlv,
  rebuild: rebuildFlv,
  verify: verifyFlv,
  measure: measureFlv,
};
