import type { Cabac } from '../cabac';
import { at } from './contexts';
import type { HevcSlice } from './header';

/** sao of a coding tree block (ISO/IEC 23008-2, 7.3.8.3), by whether there are ones to its left and above it that it may take it from. */
export function readSao(
  cabac: Cabac,
  { slice_sao_luma_flag: saoLuma, slice_sao_chroma_flag: saoChroma }: HevcSlice,
  bitDepth: number,
  hasLeft: boolean,
  hasAbove: boolean,
): void {
  if (hasLeft && cabac.bin(at.saoMerge)) return;
  if (hasAbove && cabac.bin(at.saoMerge)) return;
  const most = (1 << (Math.min(10, bitDepth) - 5)) - 1;
  let kind = 0;
  for (let plane = 0; plane < 3; plane++) {
    if (plane === 0 ? !saoLuma : !saoChroma) continue;
    if (plane < 2) kind = cabac.bin(at.saoType) ? 1 + cabac.bypass() : 0;
    if (kind === 0) continue;
    const nonzero = readOffsets(cabac, most);
    // Signs and sao_band_position, or sao_eo_class, which both planes of chroma share.
    if (kind === 1) cabac.bypasses(nonzero + 5);
    else if (plane < 2) cabac.bypasses(2);
  }
}

/** sao_offset_abs, four of them; how many are not zero. */
function readOffsets(cabac: Cabac, most: number): number {
  let nonzero = 0;
  for (let index = 0; index < 4; index++) {
    let value = 0;
    while (value < most && cabac.bypass()) value++;
    if (value > 0) nonzero++;
  }
  return nonzero;
}
