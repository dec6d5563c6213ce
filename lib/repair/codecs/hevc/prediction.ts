import type { Cabac } from '../cabac';
import type { Extremes } from '../extremes';
import { at } from './contexts';
import { measure } from './measures';

/** candModeList by the modes to the left and above (ISO/IEC 23008-2, 8.4.2, step 4). */
function candidates(one: number, other: number): [number, number, number] {
  if (one === other) return one < 2 ? [0, 1, 26] : [one, 2 + ((one + 29) & 31), 2 + ((one - 2 + 1) & 31)];
  const third = one !== 0 && other !== 0 ? 0 : one !== 1 && other !== 1 ? 1 : 26;
  return [one, other, third];
}

/** IntraPredModeY by mpm_idx. */
export function readLikelyMode(cabac: Cabac, one: number, other: number): number {
  const index = cabac.bypass() ? 1 + cabac.bypass() : 0;
  return candidates(one, other)[index] as number;
}

/** IntraPredModeY by rem_intra_luma_pred_mode. */
export function readOtherMode(cabac: Cabac, one: number, other: number): number {
  let mode = cabac.bypasses(5);
  for (const candidate of candidates(one, other).sort((left, right) => left - right)) if (mode >= candidate) mode++;
  return mode;
}

/** mvd_coding (7.3.8.9); false where a component is larger than any can be. */
export function readVector(cabac: Cabac, extremes: Extremes): boolean {
  const x = cabac.bin(at.vector);
  const y = cabac.bin(at.vector);
  const largeX = x ? cabac.bin(at.vector + 1) : 0;
  const largeY = y ? cabac.bin(at.vector + 1) : 0;
  const isX = !x || readLength(cabac, extremes, largeX);
  const isY = !y || readLength(cabac, extremes, largeY);
  return isX && isY;
}

/** Bits of abs_mvd_minus2 at most: components have 16 (7.4.9.9). */
const mostBits = 16;

/** abs_mvd_minus2 and the sign of one component. */
function readLength(cabac: Cabac, extremes: Extremes, large: number): boolean {
  let bits = 1;
  let value = 1;
  if (large) {
    for (; bits <= mostBits && cabac.bypass(); bits++) value += 1 << bits;
    value += 1 + cabac.bypasses(Math.min(mostBits, bits));
  }
  cabac.bypass();
  return bits <= mostBits && extremes.allows(measure.difference, value);
}

/** The largest CuQpDeltaVal of eight-bit pictures (7.4.9.14): below zero one more, and three more for each further bit. */
const mostQpDelta = 25;

/** cu_qp_delta_abs and its sign (9.3.3.10); false where it is larger than any can be (7.4.9.14). */
export function readQpDelta(cabac: Cabac, extremes: Extremes, bitDepth: number): boolean {
  let value = 0;
  while (value < 5 && cabac.bin(at.qpDelta + (value > 0 ? 1 : 0))) value++;
  if (value === 5) {
    let bits = 0;
    while (cabac.bypass()) {
      value += 1 << bits;
      if (++bits > 6) return false;
    }
    value += cabac.bypasses(bits);
  }
  const negative = value > 0 && cabac.bypass() === 1;
  const most = mostQpDelta + 3 * (bitDepth - 8) + (negative ? 1 : 0);
  return value <= most && extremes.allows(measure.qpDelta, value);
}
