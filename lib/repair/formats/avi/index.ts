import { beginsAs } from '../foreign';
import type { Format } from '../format';
import { type AviParts, examineAvi } from './examine';
import { measureAvi } from './measure';
import { rebuildAvi, verifyAvi } from './rebuild';

/** Audio-Video Interleave. */
export const avi: Format<AviParts> = {
  ids: ['avi'],
  family: 'video',
  recognise: (head) => beginsAs('avi', head),
  examine: examineAvi,
  rebuild: rebuildAvi,
  verify: verifyAvi,
  measure: measureAvi,
};
