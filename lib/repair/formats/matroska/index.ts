import { inChain, withPiecesBack } from '../../families/exchanged';
import { type VideoFormat, video } from '../../families/video';
import { beginsAs } from '../foreign';
import { chainOf } from './chain';
import { examineMatroska, type MatroskaParts } from './examine';
import { measureMatroska } from './measure';
import { rebuildMatroska, verifyMatroska } from './rebuild';

/** Matroska, and WebM by its name. */
export const matroska: VideoFormat<MatroskaParts> = {
  ids: ['mkv'],
  family: video,
  recognise: (head) => (beginsAs('matroska', head) ? 'mkv' : null),
  examine: withPiecesBack(examineMatroska, inChain(chainOf)),
  rebuild: rebuildMatroska,
  verify: verifyMatroska,
  measure: measureMatroska,
};
