import { type VideoFormat, video } from '../../families/video';
import { beginsAs } from '../foreign';
import { examineMxf, type MxfParts } from './examine';
import { measureMxf } from './measure';
import { rebuildMxf, verifyMxf } from './rebuild';

/** Material Exchange Format. */
export const mxf: VideoFormat<MxfParts> = {
  ids: ['mxf'],
  family: video,
  recognise: (head) => (beginsAs('mxf', head) ? 'mxf' : null),
  examine: examineMxf,
  rebuild: rebuildMxf,
  verify: verifyMxf,
  measure: measureMxf,
};
