import type { ForeignKind } from '../formats/foreign';
import type { Buffer } from '../host/bytes';
import { detectByContent } from './scan';
import { detectBySignature } from './signatures';
import { claimedFormat, type Detection, type Format, familyOf } from './types';

export { plainKind } from './plain';
export { detectBySignature } from './signatures';
export { tiffFormat } from './tiff';
export { blankByte, isEven } from './whole';
export { claimedFormat, type Detection, type Format, familyOf };

/** Containers in which a format of ours may still be found by its content. */
const containers: readonly ForeignKind[] = ['zip', 'ole', 'oleEmpty'];

/**
 * Finds the format from the content. The file name only decides between formats that share their content (NEF and NRW, MP4 and INSV)
 * and lends weight when the head is lost. `bytes` is the whole file, or at least its first mebibyte.
 */
export function detectFormat(bytes: Buffer, fileName: string): Detection {
  const claimed = claimedFormat(fileName);
  const direct = detectBySignature(bytes, claimed);
  if (direct && (direct.format !== null || !containers.includes(direct.other))) return direct;
  return detectByContent(bytes, claimed) ?? direct;
}
