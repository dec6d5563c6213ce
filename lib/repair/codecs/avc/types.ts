import type { Cabac } from '../cabac';

/** What `readBothType` gives for macroblocks of B slices that are predicted in the picture itself: their type follows. */
export const intraInBoth = 23;

/** mb_type of a macroblock of a B slice that is not predicted as its neighbours are (ISO/IEC 14496-10, 9.3.2.5, table 9-37). */
export function readBothType(cabac: Cabac): number {
  if (cabac.bin(30) === 0) return 1 + cabac.bin(32);
  let bits = (cabac.bin(31) << 3) | (cabac.bin(32) << 2);
  bits |= cabac.bin(32) << 1;
  bits |= cabac.bin(32);
  if (bits === 13) return intraInBoth;
  if (bits < 8) return bits + 3;
  if (bits === 14) return 11;
  if (bits === 15) return 22;
  return ((bits << 1) | cabac.bin(32)) - 4;
}

/** sub_mb_type in B slices (table 9-38). */
export function readSubType(cabac: Cabac): number {
  if (cabac.bin(36) === 0) return 0;
  if (cabac.bin(37) === 0) return 1 + cabac.bin(39);
  let type = 3;
  if (cabac.bin(38)) {
    if (cabac.bin(39)) return 11 + cabac.bin(39);
    type += 4;
  }
  type += 2 * cabac.bin(39);
  return type + cabac.bin(39);
}
