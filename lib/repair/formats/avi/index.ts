import { Buffer } from '../../host/bytes';
import type { Format } from '../format';
import { type AviParts, examineAvi } from './examine';
import { measureAvi } from './measure';
import { rebuildAvi, verifyAvi } from './rebuild';

/** RIFF with a form type of its own (AVI RIFF File Reference, "AVI RIFF Form"). */
function recognise(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 12)).toString('latin1');
  return text.startsWith('RIFF') && text.endsWith('AVI ');
}

/** Audio-Video Interleave. */
export const avi: Format<AviParts> = {
  ids: ['avi'],
  family: 'video',
  recognise,
  examine: examineAvi,
  rebuild: rebuildAvi,
  verify: verifyAvi,
  measure: measureAvi,
};
