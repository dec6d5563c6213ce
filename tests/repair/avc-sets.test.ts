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
});
