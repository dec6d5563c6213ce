import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Mended } from '../../lib/repair/core/deflate/mended';
import { crc32 } from '../../lib/repair/core/sums';
import { falselyCorrected, pairsBySum } from '../../lib/repair/formats/png/data';
import { Field, unknownFilter } from '../../lib/repair/formats/png/field';
import { guessInterlaced, interlacedByEnd } from '../../lib/repair/formats/png/guessinterlaced';
import { inflatedSize } from '../../lib/repair/formats/png/header';
import { flippedPairs } from '../../lib/repair/formats/png/pairs';
import { fillLostPixels } from '../../lib/repair/formats/png/place';
import { unfilterRow } from '../../lib/repair/formats/png/rows';
import { solve } from '../../lib/repair/formats/png/solve';
import { fromFirstBlock } from '../../lib/repair/formats/png/start';
import { Ties } from '../../lib/repair/formats/png/ties';
import { Deadline, defaultLimits, Effort, type EngineJob } from '../../lib/repair/report';
import { randomBytes, randomFrom } from './support/random';
import { scene } from './support/scene';

const job = { limits: defaultLimits, deadline: new Deadline(60_000, Date.now) } as EngineJob;

/** A field of rows whose filters take turns, with residuals as bytes would give them. */
function fieldOf(bytes: Buffer, rows: number, count: number, pixel: number): Field {
  const field = new Field(rows, count, pixel, false);
  for (let row = 1; row <= rows; row++) {
    field.filters[row] = row % 5;
    for (let at = 0; at < count; at++) {
      const byte = bytes[(row - 1) * count + at] ?? 0;
      field.residual[row * count + at] = byte > 127 ? byte - 256 : byte;
    }
  }
  return field;
}

describe('undoing filters both ways', () => {
  const [rows, count, pixel] = [12, 60, 3];
  const bytes = randomBytes(randomFrom(3), rows * count);

  it('gives what the standard says where nothing is lost', () => {
    const field = fieldOf(bytes, rows, count, pixel);
    field.undo();
    const plain = new Uint8Array((rows + 1) * count);
    for (let row = 1; row <= rows; row++)
      unfilterRow(row % 5, bytes, (row - 1) * count, plain, row * count, (row - 1) * count, count, pixel);
    expect(Array.from(field.image)).toEqual(Array.from(plain));
  });

  it('follows a change to all that builds on it, and back', () => {
    const field = fieldOf(bytes, rows, count, pixel);
    field.undo();
    const random = randomFrom(6);
    const vector = () => Float32Array.from(field.image, (_, at) => (at < count ? 0 : random() - 0.5));
    const [change, slope] = [vector(), vector()];
    const moved = new Float32Array(field.image.length);
    field.push(change, moved);
    const product = (left: Float32Array, right: Float32Array) =>
      left.reduce((sum, value, at) => (at < count ? sum : sum + value * (right[at] ?? 0)), 0);
    const forth = product(moved, slope);
    field.pull(slope);
    expect(product(change, slope)).toBeCloseTo(forth, 2);
    expect(Math.abs(forth)).toBeGreaterThan(0.1);
  });

  it('finds a lost filter by the neighbours', () => {
    const width = 40;
    const pixels = scene(width, 2, 5);
    const field = new Field(2, width * 3, 3, false);
    for (let at = 0; at < width * 3; at++) {
      field.residual[width * 3 + at] = pixels[at] ?? 0;
      field.residual[width * 6 + at] = (pixels[width * 3 + at] ?? 0) - (pixels[at] ?? 0);
    }
    field.filters.set([0, 0, unknownFilter]);
    field.undo();
    expect(field.filters[2]).toBe(2);
  });
});

describe('finding lost residuals', () => {
  it('takes those with which the rows below become smooth', () => {
    const [width, rows] = [48, 40];
    const count = width * 3;
    const pixels = scene(width, rows + 1, 9);
    const field = new Field(rows, count, 3, false);
    const variables = new Int32Array(field.image.length).fill(-1);
    field.image.set(pixels.subarray(0, count));
    let lost = 0;
    for (let at = count; at < field.image.length; at++) {
      field.residual[at] = (pixels[at] ?? 0) - (pixels[at - count] ?? 0);
      field.filters[Math.floor(at / count)] = 2;
      // The residuals of one whole row are lost, and were strong.
      if (Math.floor(at / count) !== 4) continue;
      field.open[at] = 1;
      variables[at] = lost++;
    }
    const made = (values: Float32Array) => {
      let sum = 0;
      solve({
        field,
        variables,
        values,
        centres: new Float32Array(lost),
        holds: new Float32Array(lost).fill(0.3),
        joined: true,
        step: 1,
        effort: new Effort(1e6),
      });
      for (let at = count * 20; at < field.image.length; at++)
        sum += Math.abs((field.image[at] ?? 0) - (pixels[at] ?? 0));
      return sum / (field.image.length - count * 20);
    };
    const random = randomFrom(2);
    expect(made(Float32Array.from({ length: lost }, () => random() * 60 - 30))).toBeLessThan(5);
  });
});

describe('copies of lost bytes', () => {
  const mended = (copies: number[]): Mended => ({
    data: new Uint8Array(40),
    known: Uint8Array.from({ length: 40 }, (_, at) => (at >= 10 && at < 30 ? 0 : 1)),
    flips: [],
    gaps: [],
    copies,
    length: 40,
    bit: 0,
    finished: true,
    ends: new Uint16Array(),
    breaks: new Uint16Array(),
  });

  it('lead to the byte they all come from', () => {
    const ties = new Ties(mended([18, 12, 3, 25, 18, 3]));
    expect([12, 18, 19, 25, 26, 28].map((at) => ties.origin(at))).toEqual([12, 12, 13, 12, 13, 28]);
    ties.learn(12, -3.5);
    expect(ties.value(ties.origin(25))).toBe(-3.5);
    expect(ties.value(13)).toBeNaN();
  });

  it('are none where garbage was read, or the source is known', () => {
    const ties = new Ties(mended([18, 12, 4, 17, -1, 3, 22, 4, 2]));
    expect([18, 19, 20, 21, 22].map((at) => ties.origin(at))).toEqual([18, 19, 14, 15, 22]);
  });
});

describe('wrong bits by check sums', () => {
  const data = randomBytes(randomFrom(7), 3000);
  const sum = crc32(data, crc32(Buffer.from('IDAT', 'latin1')));

  it('are found in pairs, in parts of bounded length', () => {
    const bad = Buffer.from(data);
    bad[100] = (bad[100] ?? 0) ^ 4;
    bad[2900] = (bad[2900] ?? 0) ^ 128;
    expect(flippedPairs('IDAT', bad, sum)).toContainEqual([100 * 8 + 2, 2900 * 8 + 7]);
    expect(flippedPairs('IDAT', Buffer.alloc(70_000), 1)).toEqual([]);
  });

  it('are sought only in a part that is as long as was noted: some pair makes the sum of any other fit', () => {
    const bytes = randomBytes(randomFrom(9), 9000);
    const sum = crc32(bytes, crc32(Buffer.from('IDAT', 'latin1')));
    bytes[70] = (bytes[70] ?? 0) ^ 8;
    bytes[4000] = (bytes[4000] ?? 0) ^ 1;
    const span = { start: 0, end: bytes.length, sum, sound: false, isNoted: true };
    expect(pairsBySum({ bytes, spans: [span] })(bytes, 80)).toContainEqual([70 * 8 + 3, 4000 * 8]);
    expect(pairsBySum({ bytes, spans: [{ ...span, isNoted: false }] })(bytes, 80)).toEqual([]);
  });

  it('are doubted when the only one in a part does not make its sum fit', () => {
    const span = { start: 0, end: 100, sum: 5, sound: false, isNoted: true };
    const data2 = { bytes: Buffer.alloc(300), spans: [span, { ...span, start: 100, end: 200, sound: true }] };
    expect(falselyCorrected(data2, [40])).toEqual([span]);
    expect(falselyCorrected(data2, [40, 80])).toEqual([]);
    expect(falselyCorrected(data2, [900])).toEqual([]);
  });
});

describe('interlaced geometry', () => {
  const header = { width: 52, height: 38, depth: 8, colour: 2, interlaced: true };
  const data = new Uint8Array(inflatedSize(header)).fill(90);
  // Filter bytes of all passes, and none elsewhere.
  const starts: number[] = [];
  let at = 0;
  for (const [x, y, dx, dy] of [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const) {
    const [wide, high] = [Math.ceil((52 - x) / dx), Math.ceil((38 - y) / dy)];
    for (let line = 0; line < high; line++, at += wide * 3 + 1) starts.push(at);
  }
  for (const start of starts) data[start] = 0;

  it('shows in the size and the filter bytes of whole data', () => {
    expect(guessInterlaced(data, 0, null)).toEqual(header);
    const spoilt = Uint8Array.from(data);
    spoilt[starts[20] ?? 0] = 77;
    expect(guessInterlaced(spoilt, 0, null)?.width).not.toBe(52);
  });

  it('shows at the end of data whose beginning is lost', () => {
    const guess = { ...header, interlaced: false, height: 60 };
    const tail = data.subarray(900);
    expect(interlacedByEnd(guess, tail, new Uint8Array(tail.length).fill(1))).toEqual(header);
    const rows = new Uint8Array(157 * 60);
    expect(interlacedByEnd(guess, rows, new Uint8Array(rows.length).fill(1))).toBeNull();
  });

  it('leaves no holes where early passes are lost', () => {
    const small = { width: 3, height: 3, depth: 8, colour: 0, interlaced: true };
    const pixels = Buffer.from([10, 20, 30, 40, 0, 60, 70, 80, 90]);
    fillLostPixels(small, pixels, Uint8Array.from([1, 1, 1, 1, 0, 1, 1, 1, 1]));
    expect(pixels[4]).toBe(50);
  });
});

describe('data behind a lost head', () => {
  it('begins at the first block from which all of it inflates', () => {
    const packed = deflateSync(scene(60, 40, 3));
    const bytes = Buffer.concat([randomBytes(randomFrom(5), 62), packed.subarray(2)]);
    const spans = [{ start: 0, end: bytes.length, sum: 1, sound: false, isNoted: true }];
    const data = fromFirstBlock(job, { bytes, spans });
    expect(data.bytes.subarray(2).equals(packed.subarray(2))).toBe(true);
    expect(data.spans).toEqual([{ start: 0, end: data.bytes.length, sum: null, sound: false, isNoted: true }]);
    const noise = { bytes: randomBytes(randomFrom(6), 900), spans };
    expect(fromFirstBlock(job, noise)).toBe(noise);
  });
});
