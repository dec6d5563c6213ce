import { describe, expect, it } from 'vitest';
import type { AvcFields } from '../../lib/repair/codecs/avc/fields';
import { readAvcFields, writeAvcSets } from '../../lib/repair/codecs/avc/fields';
import type { AvcSlice } from '../../lib/repair/codecs/avc/header';
import { PlainData } from '../../lib/repair/codecs/avc/plain';
import { BitWriter } from '../../lib/repair/codecs/bitwriter';
import { parameterSets } from '../../lib/repair/codecs/configuration';
import { Effort } from '../../lib/repair/report';
import { cameraRecording } from './support/videos';

const at = cameraRecording.indexOf('avc1', cameraRecording.indexOf('stsd'));
const [sps, pps] = parameterSets(cameraRecording.subarray(at));
const read = readAvcFields(sps ?? Buffer.alloc(0), pps ?? Buffer.alloc(0));
if (!read) throw new Error('The sets could not be read.');
/** Pictures of two macroblocks side by side. */
const fields: AvcFields = { ...read, PicWidthInMbs: 2, FrameHeightInMbs: 1 };

/** Whether the data of a slice can be read to its end. */
function isWhole(type: 'P' | 'I', bits: BitWriter, said: Partial<AvcFields> = {}): boolean {
  const unit = bits.unit([]);
  const slice = {
    slice_type: type === 'P' ? 0 : 2,
    first_mb_in_slice: 0,
    num_ref_idx_active: [1, 0],
    body: 0,
    data: 0,
  };
  const data = new PlainData({ ...fields, ...said }, new Effort(1e9));
  const end = data.read(slice as unknown as AvcSlice, unit, unit.length);
  return end.whole && end.block === 2;
}

/** A macroblock of 16 blocks without coefficients, the first with this mode but the one that is predicted, the others as predicted. */
const smallBlocks = (bits: BitWriter, rem: number) => {
  bits.put(1, 0).put(3, rem);
  for (let block = 1; block < 16; block++) bits.put(1, 1);
  // DC of colours, and the fourth code of coded_block_pattern: nothing is coded.
  return bits.golomb(0).golomb(3);
};
const intraOfI = (bits: BitWriter, rem: number) => smallBlocks(bits.golomb(0), rem);

describe('slices of H.264 without arithmetic coding', () => {
  it('hold no block that looks at samples that are not there', () => {
    // What is predicted is DC (2): the modes 0 and 1 look up and to the left, 8 (of rem 7) to the left.
    const first = () => smallBlocks(new BitWriter().golomb(0), 7);
    expect(isWhole('I', intraOfI(first(), 1))).toBe(false);
    const unlooking = () => {
      const bits = new BitWriter().golomb(0);
      for (let block = 0; block < 16; block++) bits.put(1, 1);
      return bits.golomb(0).golomb(3);
    };
    expect(isWhole('I', intraOfI(unlooking(), 1))).toBe(true);
    expect(isWhole('I', intraOfI(unlooking(), 7))).toBe(true);
    expect(isWhole('I', intraOfI(unlooking(), 0))).toBe(false);
  });

  it('look at macroblocks that are predicted from other pictures only where they may', () => {
    // A macroblock of P slices in one part without vector and coefficients, and one that looks at it from the right.
    const bits = () =>
      smallBlocks(new BitWriter().golomb(0).golomb(0).signed(0).signed(0).golomb(0).golomb(0).golomb(5), 1);
    expect(isWhole('P', bits(), { constrained_intra_pred_flag: false })).toBe(true);
    expect(isWhole('P', bits(), { constrained_intra_pred_flag: true })).toBe(false);
  });

  it('have nothing but zeroes before samples that are not coded', () => {
    const samples = (fill: number) => {
      const bits = new BitWriter();
      for (let block = 0; block < 2; block++) {
        // mb_type 25 has nine bits.
        bits.golomb(25).put(7, block === 0 ? fill : 0);
        for (let sample = 0; sample < 384; sample++) bits.put(8, 100);
      }
      return bits;
    };
    expect(isWhole('I', samples(0))).toBe(true);
    expect(isWhole('I', samples(4))).toBe(false);
  });

  it('have long levels in High profiles only', () => {
    const level = (prefix: number) => {
      const bits = new BitWriter();
      // Intra_16x16 with DC prediction: chroma mode, mb_qp_delta, coeff_token of one coefficient that is no trailing one.
      bits.golomb(3).golomb(0).signed(0).put(6, 5);
      bits
        .put(prefix, 0)
        .put(1, 1)
        .put(prefix - 3, 0);
      // total_zeros of none.
      bits.put(1, 1);
      return bits.golomb(3).golomb(0).signed(0).put(1, 1);
    };
    expect(isWhole('I', level(15), { profile_idc: 66 })).toBe(true);
    expect(isWhole('I', level(16), { profile_idc: 66 })).toBe(false);
    expect(isWhole('I', level(16), { profile_idc: 100 })).toBe(true);
  });
});

describe('parameter sets', () => {
  it('say whether macroblocks from other pictures may be looked at', () => {
    for (const constrained_intra_pred_flag of [false, true]) {
      const told = { ...read, constrained_intra_pred_flag, pic_order_cnt_type: 2 };
      const sets = writeAvcSets(told, 160, 128, 4);
      expect(readAvcFields(sets.sps, sets.pps)?.constrained_intra_pred_flag).toBe(constrained_intra_pred_flag);
    }
  });
});
