import { type PhotoFormat, photo } from '../../families/photo';
import { beginsAs } from '../foreign';
import { examinePng, type PngParts } from './examine';
import { measurePng } from './measure';
import { rebuildPng, verifyPng } from './rebuild';

/** Portable Network Graphics (ISO/IEC 15948). */
export const png: PhotoFormat<PngParts | null> = {
  ids: ['png'],
  family: photo,
  recognise: (head) => (beginsAs('png', head) ? 'png' : null),
  examine: examinePng,
  rebuild: rebuildPng,
  verify: verifyPng,
  measure: measurePng,
};
