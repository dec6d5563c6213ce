import type { Cabac } from '../cabac';
import type { Extremes } from '../extremes';
import { measure } from './measures';

/** First contexts and lengths by kind of block: DC and AC of whole macroblocks, 4 by 4, DC and AC of chroma, 8 by 8 (table 9-34, 9-40). */
const significant = [105, 120, 134, 149, 152, 280];
const last = [166, 181, 195, 210, 213, 295];
const levels = [227, 237, 247, 257, 266, 304];
const lengths = [16, 15, 16, 4, 15, 64];

/** ctxIdxInc for 8 by 8 in frames (table 9-43). */
const significant8 = Uint8Array.from([
  ...[0, 1, 2, 3, 4, 5, 5, 4, 4, 3, 3, 4, 4, 4, 5, 5, 4, 4, 4, 4, 3, 3, 6, 7, 7, 7, 8, 9, 10, 9, 8, 7],
  ...[7, 6, 11, 12, 13, 11, 6, 7, 8, 9, 14, 10, 9, 8, 6, 11, 12, 13, 11, 6, 9, 14, 10, 9, 11, 12, 13, 11, 14, 10, 12],
]);
const last8 = Uint8Array.from([
  ...[0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
  ...[3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8],
]);

/** uCoff of the binarization (9.3.2.3), and more bits in its suffix than any coefficient of 8 to 14 bits takes. */
const prefixMost = 14;
const suffixMost = 18;

/** Reads the coefficients of one block (ISO/IEC 14496-10, 7.3.5.3.3), which has some; false where one is larger than any can be, or is elsewhere. */
export function readAvcResidual(cabac: Cabac, category: number, extremes: Extremes): boolean {
  const forSignificant = significant[category] as number;
  const forLast = last[category] as number;
  const most = (lengths[category] as number) - 1;
  let count = 0;
  let place = 0;
  for (; place < most; place++) {
    const own = category === 5 ? (significant8[place] as number) : category === 3 ? Math.min(2, place) : place;
    if (cabac.bin(forSignificant + own) === 0) continue;
    count++;
    const end = category === 5 ? (last8[place] as number) : category === 3 ? Math.min(2, place) : place;
    if (cabac.bin(forLast + end)) break;
  }
  // The last place has coefficients when no other was told to be the last.
  if (place === most) count++;
  return readLevels(cabac, count, levels[category] as number, category === 3 ? 3 : 4, extremes);
}

/** Values and signs of so many coefficients; `steps` is the largest ctxIdxInc of values behind larger ones, less five. */
function readLevels(cabac: Cabac, count: number, base: number, steps: number, extremes: Extremes): boolean {
  let ones = 0;
  let larger = 0;
  for (let left = count; left > 0; left--) {
    if (cabac.bin(base + (larger > 0 ? 0 : Math.min(4, 1 + ones))) === 0) ones++;
    else if (readLarger(cabac, base + 5 + Math.min(steps, larger), extremes)) larger++;
    else return false;
    cabac.bypass();
  }
  return true;
}

/** The rest of coeff_abs_level_minus1 that is not zero: a prefix of up to 14, then Exp-Golomb of order 0 (9.3.2.3). */
function readLarger(cabac: Cabac, context: number, extremes: Extremes): boolean {
  let value = 1;
  while (value < prefixMost && cabac.bin(context)) value++;
  if (value === prefixMost) {
    let bits = 0;
    while (cabac.bypass()) if (++bits > suffixMost) return false;
    value += 2 ** bits - 1 + cabac.bypasses(bits);
  }
  return extremes.allows(measure.level, value);
}
