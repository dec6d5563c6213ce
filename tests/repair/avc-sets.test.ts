import { describe, expect, it } from 'vitest';
import { readAvcFields } from '../../lib/repair/codecs/avc/fields';
import { searchAvcFields } from '../../lib/repair/codecs/avc/search';
import { Effort } from '../../lib/repair/report';
import { fixtureOf } from './support/videos';

/** The units of a byte stream (ISO/IEC 14496-10, annex B), without the zeroes behind them. */
function unitsOf(bytes: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf('000001', 0, 'hex'); at >= 0; at = bytes.indexOf('000001', at + 3, 'hex'))
    starts.push(at + 3);
  return starts.map((from, index) => {
    let to = (starts[index + 1] ?? bytes.length + 3) - 3;
    while (to > from && bytes[to - 1] === 0) to--;
    return bytes.subarray(from, to);
  });
}

const typeOf = (unit: Buffer) => (unit[0] ?? 0) & 31;

describe('the search for lost parameter sets of H.264', () => {
  it('is not led astray by small first pictures, which other widths of numbers read as well', () => {
    // Three seconds that stand still, then three that move.
    const units = unitsOf(fixtureOf('avc-still.h264'));
    const set = (type: number) => units.find((unit) => typeOf(unit) === type) ?? Buffer.alloc(0);
    const known = readAvcFields(set(7), set(8));
    const found = searchAvcFields(
      units.filter((unit) => typeOf(unit) === 1 || typeOf(unit) === 5),
      new Effort(1e6),
    );
    expect(found).toMatchObject({ width: 128, height: 96 });
    for (const name of ['log2_max_frame_num', 'pic_order_cnt_type', 'pic_init_qp', 'transform_8x8_mode_flag'] as const)
      expect(found?.fields[name], name).toBe(known?.[name]);
  });

  it('takes no quantiser of colours to be off where pictures refer to one other, as in fast presets of x264', () => {
    const units = unitsOf(fixtureOf('avc-veryfast.h264'));
    const set = (type: number) => units.find((unit) => typeOf(unit) === type) ?? Buffer.alloc(0);
    const known = readAvcFields(set(7), set(8));
    const slices = units.filter((unit) => typeOf(unit) === 1 || typeOf(unit) === 5);
    const found = searchAvcFields(slices, new Effort(1e6));
    expect(known?.weighted_pred_flag).toBe(true);
    for (const name of [
      'weighted_pred_flag',
      'num_ref_idx_default_active',
      'pic_init_qp',
      'transform_8x8_mode_flag',
    ] as const)
      expect(found?.fields[name], name).toEqual(known?.[name]);
    expect(known?.chroma_qp_index_offset).toBeCloseTo(0);
    expect(found?.fields.chroma_qp_index_offset).toBe(0);
  });

  it('tells slices without arithmetic coding, whose key frames read with either transform', () => {
    const units = unitsOf(fixtureOf('avc-plain.h264'));
    const set = (type: number) => units.find((unit) => typeOf(unit) === type) ?? Buffer.alloc(0);
    const known = readAvcFields(set(7), set(8));
    const slices = units.filter((unit) => typeOf(unit) === 1 || typeOf(unit) === 5);
    const found = searchAvcFields(slices, new Effort(5000));
    expect(known?.entropy_coding_mode_flag).toBe(false);
    expect(found).toMatchObject({ width: 176, height: 144 });
    for (const name of [
      'entropy_coding_mode_flag',
      'transform_8x8_mode_flag',
      'log2_max_frame_num',
      'pic_order_cnt_type',
      'PicWidthInMbs',
      'FrameHeightInMbs',
      'deblocking_filter_control_present_flag',
    ] as const)
      expect(found?.fields[name], name).toEqual(known?.[name]);
    expect(found?.fields.pic_init_qp).toBe(26);
  });

  it('takes no weights of references for the order of pictures, which differs from one to the next', () => {
    const units = unitsOf(fixtureOf('avc-weighted.h264'));
    const set = (type: number) => units.find((unit) => typeOf(unit) === type) ?? Buffer.alloc(0);
    const known = readAvcFields(set(7), set(8));
    const slices = units.filter((unit) => typeOf(unit) === 1 || typeOf(unit) === 5);
    const found = searchAvcFields(slices, new Effort(5000))?.fields;
    expect(known).toMatchObject({ weighted_pred_flag: true, pic_order_cnt_type: 2 });
    expect(found).toMatchObject({ weighted_pred_flag: true, pic_order_cnt_type: 2 });
  });
});
