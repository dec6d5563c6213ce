import { beginsAs } from '../foreign';
import type { Format } from '../format';
import { examineFlv, type FlvParts } from './examine';
import { measureFlv } from './measure';
import { rebuildFlv, verifyFlv } from './rebuild';

/** Flash video. */
export const flv: Format<FlvParts> = {
  ids: ['flv'],
  family: 'video',
  recognise: (head) => beginsAs('flv', head),
  examine: examineFlv,
  rebuild: rebuildFlv,
  verify: verifyFlv,
  measure: measureFlv,
};
