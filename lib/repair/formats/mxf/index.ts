import { inChain, withPiecesBack } from '../../families/exchanged';
import { type VideoFormat, video } from '../../families/video';
import { beginsAs } from '../foreign';
import { chainOf } from './chain';
import { examineMxf, type MxfParts } from './examine';
import { measureMxf } from './measure';
import { rebuildMxf, verifyMxf } from './rebuild';

/** Material Exchange Format. */
export const mxf: VideoFormat<MxfParts> = {
  ids: ['mxf'],
  family: video,
  recognise: (head) => (beginsAs('mxf', head) ? 'mxf' : null),
  examine: withPiecesBack(examineMxf, inChain(chainOf)),
  rebuild: rebuildMxf,
  verify: verifyMxf,
  measure: measureMxf,
};
