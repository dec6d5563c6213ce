import { detectBySignature } from '../../detect';
import { type PhotoFormat, photo } from '../../families/photo';
import { examineRaw, type RawParts } from './examine';
import { measureRaw } from './measure';
import { rebuildRaw, verifyRaw } from './rebuild';

const ids = ['cr2', 'cr3', 'nef', 'nrw', 'arw', 'dng', 'gpr', 'raf', 'crw'] as const;

/** Raw photos of cameras: built like TIFF, or as their makers laid them out. */
export const raw: PhotoFormat<RawParts | null> = {
  ids,
  family: photo,
  recognise: (head, claimed) => {
    const found = detectBySignature(head, claimed)?.format;
    return ids.find((id) => id === found) ?? null;
  },
  examine: examineRaw,
  rebuild: rebuildRaw,
  verify: verifyRaw,
  measure: measureRaw,
};
