import { describe, expect, it } from 'vitest';
import type { AvcSlice } from '../../lib/repair/codecs/avc/header';
import { AvcLikeliest } from '../../lib/repair/codecs/avc/likeliest';
import type { PlainData } from '../../lib/repair/codecs/avc/plain';
import type { AvcSymbols } from '../../lib/repair/codecs/avc/symbols';
import { Effort } from '../../lib/repair/report';

const slice = { slice_type: 2, data: 0 } as AvcSlice;
const bytesEach = 200;

/** Reads each byte of a slice as a symbol of eight bits. */
const reader = {
  observe: (_: AvcSlice, bytes: Uint8Array, end: number, symbols: AvcSymbols, from = 0) => {
    symbols.begin(from);
    for (const [at, byte] of bytes.entries()) symbols.note(0, byte & 63, 8, at * 8 + 8);
    return { whole: true, block: 1, position: end * 8 };
  },
} as unknown as PlainData;

/** A slice of symbols of which one to four are usual, and others stand there once in fifty. */
const sliceOf = (number: number) =>
  Uint8Array.from({ length: bytesEach }, (_, at) =>
    (at * 7 + number) % 50 === 0 ? 8 + ((at + number) % 40) : 1 + ((at * at + number) % 4),
  );

function choose(bytes: Uint8Array, found: readonly number[], slices = 60): number | null {
  const sound = Array.from({ length: slices }, (_, number) => ({ slice, bytes: sliceOf(number), end: bytesEach }));
  const likeliest = new AvcLikeliest(reader, () => sound);
  const before = Buffer.from(bytes);
  const chosen = likeliest.choose({ slice, bytes, end: bytes.length }, found, new Effort(1e9));
  expect(Buffer.from(bytes).equals(before)).toBe(true);
  return chosen;
}

const changed = (...changes: readonly [number, number][]) => {
  const bytes = sliceOf(3);
  for (const [at, byte] of changes) bytes[at] = byte;
  return bytes;
};
/** The bit of a byte that counts so much. */
const bitOf = (byte: number, worth: number) => byte * 8 + 7 - Math.log2(worth);

describe('of several bits that may be the wrong one', () => {
  it('that is chosen with which a slice is as others are', () => {
    // Turning the bit of 32 gives what is usual; others leave what stands there, and add to it.
    expect(choose(changed([100, 33]), [bitOf(140, 32), bitOf(100, 32), bitOf(60, 16)])).toBe(bitOf(100, 32));
  });

  it('none is chosen where two do as well', () => {
    expect(choose(changed([100, 33]), [bitOf(100, 32), bitOf(100, 1)])).not.toBe(bitOf(100, 1));
    expect(choose(sliceOf(3), [bitOf(101, 2), bitOf(111, 2)])).toBe(null);
  });

  it('none is believed where what lies around it is unlike all else', () => {
    const garbage = [90, 92, 94, 96, 98].map((at): [number, number] => [at, 60]);
    expect(choose(changed([100, 33]), [bitOf(100, 32)])).toBe(bitOf(100, 32));
    expect(choose(changed([100, 33], ...garbage), [bitOf(100, 32)])).toBe(null);
  });

  it('the only one is believed where there are too few slices to know', () => {
    expect(choose(changed([100, 33]), [bitOf(100, 32)], 2)).toBe(bitOf(100, 32));
    expect(choose(changed([100, 33]), [bitOf(100, 32), bitOf(140, 32)], 2)).toBe(null);
  });
});
