import { type VideoFormat, video } from '../../families/video';
import { beginsAs } from '../foreign';
import { examineMatroska, type MatroskaParts } from './examine';
import { measureMatroska } from './measure';
import { rebuildMatroska, verifyMatroska } from './rebuild';

/** Matroska, and WebM by its name. */
export const matroska: VideoFormat<MatroskaParts> = {
  ids: ['mkv'],
  family: video,
  recognise: (head) => (beginsAs('matroska', head) ? 'mkv' : null),
  examine: examineMatroska,
  rebuild: rebuildMatroska,
  verify: verifyMatroska,
  measure: measureMatroska,
};
