import { inChain, withPiecesBack } from '../../families/exchanged';
import { type VideoFormat, video } from '../../families/video';
import { beginsAs } from '../foreign';
import { chainOf } from './chain';
import { type AviParts, examineAvi } from './examine';
import { measureAvi } from './measure';
import { rebuildAvi, verifyAvi } from './rebuild';

/** Audio-Video Interleave. */
export const avi: VideoFormat<AviParts> = {
  ids: ['avi'],
  family: video,
  recognise: (head) => (beginsAs('avi', head) ? 'avi' : null),
  examine: withPiecesBack(examineAvi, inChain(chainOf)),
  rebuild: rebuildAvi,
  verify: verifyAvi,
  measure: measureAvi,
};
