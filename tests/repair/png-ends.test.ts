import { describe, expect, it } from 'vitest';
import type { Mended } from '../../lib/repair/core/deflate/mended';
import { fillRows } from '../../lib/repair/core/rows';
import { withoutEmptyEnd } from '../../lib/repair/formats/png/data';
import type { PngHeader } from '../../lib/repair/formats/png/header';
import { render } from '../../lib/repair/formats/png/render';
import { PngRows } from '../../lib/repair/formats/png/rows';
import { Deadline } from '../../lib/repair/report';
import { randomBytes, randomFrom } from './support/random';

/** Rows of grey that all build on those above (Paeth), of which the first is lost. */
function withoutFirst(header: PngHeader, model: PngRows): Mended {
  const random = randomFrom(5);
  const data = new Uint8Array(model.size);
  for (let at = 0; at < data.length; at++) data[at] = Math.floor(random() * 5) - 2;
  for (let line = 0; line < header.height; line++) data[model.starts[line] ?? 0] = 4;
  const known = new Uint8Array(model.size).fill(1).fill(0, 0, model.starts[1]);
  const none = new Uint16Array(header.height + 1);
  return {
    data,
    known,
    flips: [],
    gaps: [{ bit: 0, from: 0, to: 1 }],
    copies: [],
    length: model.size,
    bit: 0,
    finished: true,
    ends: none,
    breaks: none,
  };
}

describe('a picture whose first row is lost', () => {
  it('is in doubt in all rows that build on it, however far below', () => {
    const header: PngHeader = { width: 60, height: 300, depth: 8, colour: 0, interlaced: false };
    const deadline = new Deadline(60_000, Date.now);
    const model = new PngRows(header, deadline.effort);
    const { lost, off, sure } = render(header, model, withoutFirst(header, model), deadline);
    expect({ lost, off, sure }).toEqual({ lost: 1, off: 299, sure: 0 });
  });
});

describe('data that ends in zeros', () => {
  const bytes = Buffer.concat([randomBytes(randomFrom(1), 300).fill(7, 299), Buffer.alloc(900)]);
  const span = (start: number, end: number) => ({ start, end, sum: 1, sound: true, isNoted: true });

  it('is read up to where they begin, and parts with some of them have no sum', () => {
    const cut = withoutEmptyEnd({ bytes, spans: [span(0, 200), span(200, 700), span(700, 1200)] });
    expect(cut.bytes.equals(bytes.subarray(0, 300))).toBe(true);
    expect(cut.spans).toEqual([span(0, 200), { start: 200, end: 300, sum: null, sound: false, isNoted: true }]);
  });

  it('is left as it is where they may be its sum', () => {
    const data = { bytes: bytes.subarray(0, 320), spans: [span(0, 320)] };
    expect(withoutEmptyEnd(data)).toEqual(data);
  });
});

describe('a long gap in a picture with holes', () => {
  it('is a hole, not a passage between the rows above and below', () => {
    const [row, height] = [8, 60];
    const data = new Uint8Array(row * height).fill(200);
    const samples = { pixel: 4, wide: null, numbers: true };
    fillRows(data, row, 20, 50, height, { ...samples, clear: 0 });
    expect(data.subarray(20 * row, 50 * row).every((byte) => byte === 0)).toBe(true);
    fillRows(data, row, 20, 30, height, { ...samples, clear: 0 });
    expect(data.subarray(20 * row, 30 * row).some((byte) => byte > 0)).toBe(true);
  });
});
