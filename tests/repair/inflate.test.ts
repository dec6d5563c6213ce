import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inflateTolerant } from '../../lib/repair/core/deflate/inflate';
import { inflateSalvage, inflateZlib } from '../../lib/repair/core/deflate/whole';
import { adler32, crc32 } from '../../lib/repair/core/sums';
import { countWords } from '../../lib/repair/core/words';
import { randomBytes, randomFrom } from './support/random';

const random = randomFrom(5);
const words = ['harbour', 'light', 'river', 'stone', 'garden', 'window', 'silver', 'morning', 'letter', 'market'];
const text = Buffer.from(Array.from({ length: 60_000 }, () => words[Math.floor(random() * words.length)]).join(' '));
const options = { maxOutput: 10_000_000 };

describe('tolerant inflate', () => {
  it('reads what zlib wrote, at every level and strategy', () => {
    for (const level of [0, 1, 6, 9]) {
      for (const strategy of [0, 2, 4]) {
        const result = inflateTolerant(deflateRawSync(text, { level, strategy }), options);
        expect(result.complete).toBe(true);
        expect(result.data.equals(text)).toBe(true);
      }
    }
  });

  it('keeps everything before a cut', () => {
    const packed = deflateRawSync(text);
    const result = inflateSalvage(packed.subarray(0, packed.length / 2), options);
    expect(result.complete).toBe(false);
    expect(result.data.length).toBeGreaterThan(text.length * 0.48);
    expect(text.subarray(0, result.data.length).equals(result.data)).toBe(true);
  });

  it('reads on after an error', () => {
    const packed = Buffer.from(deflateRawSync(text));
    const at = Math.floor(packed.length / 3);
    // Bytes that happen to be codes go unnoticed, so the first damage that is none is taken.
    for (let seed = 1; inflateTolerant(packed, { ...options, readOn: false }).complete; seed++) {
      randomBytes(randomFrom(seed), 60).copy(packed, at);
    }
    const result = inflateTolerant(packed, options);
    expect(result.complete).toBe(false);
    expect(result.data.length).toBeGreaterThan(text.length * 0.999);
    expect(inflateTolerant(packed, { ...options, readOn: false }).data.length).toBeLessThan(result.data.length);
  });

  it('stops at the size it is allowed', () => {
    const result = inflateTolerant(deflateRawSync(Buffer.alloc(1_000_000)), { maxOutput: 5000 });
    expect(result.overflow).toBe(true);
    expect(result.data.length).toBeLessThanOrEqual(5000);
  });

  it('notices a wrong check sum and accepts a missing one', () => {
    const packed = Buffer.from(deflateSync(text));
    expect(inflateZlib(packed, options).complete).toBe(true);
    expect(inflateZlib(packed.subarray(0, -4), options).complete).toBe(true);
    packed[packed.length - 1] = (packed.at(-1) ?? 0) ^ 1;
    expect(inflateZlib(packed, options).complete).toBe(false);
  });
});

describe('sums and words', () => {
  it('agree with their standards', () => {
    expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926);
    expect(adler32(Buffer.from('Wikipedia'))).toBe(0x11e60398);
    expect(countWords('It’s 3 o’clock — naïve café, 東京!')).toBe(7);
  });
});
