import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findSilentBits } from '../../lib/repair/core/flips/silent';
import { crc32 } from '../../lib/repair/core/sums';
import { influencesOf, weighted } from '../../lib/repair/core/sumweights';
import { correctBits, learnVocabulary } from '../../lib/repair/formats/ooxml/flips';
import { Effort } from '../../lib/repair/report';
import { randomFrom } from './support/random';

const syllables =
  'ba be bi bo da de di do ga ge gi go ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro'.split(' ');

/** A document of paragraphs in words that a seed makes. */
function paragraphs(seed: number, count: number): Buffer {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const words = Array.from({ length: 400 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(syllables)).join(''),
  );
  const line = () => Array.from({ length: 12 }, () => pick(words)).join(' ');
  const body = Array.from({ length: count }, () => `<w:p><w:r><w:t>${line()}</w:t></w:r></w:p>`).join('');
  return Buffer.from(`<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`);
}

function turned(bytes: Uint8Array, bits: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  for (const bit of bits) copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

/** Bits that change letters of a text, not its length, nor its tags. */
function silentBits(packed: Buffer, text: Buffer, seed: number, most: number): number[] {
  const random = randomFrom(seed);
  const tags = text.toString('latin1').replace(/>[^<]*</g, '><');
  const found: number[] = [];
  for (let turn = 0; turn < 20_000 && found.length < most; turn++) {
    const bit = Math.floor(random() * packed.length * 8);
    try {
      const other = inflateRawSync(turned(packed, [bit]));
      const isSilent = other.length === text.length && other.toString('latin1').replace(/>[^<]*</g, '><') === tags;
      if (isSilent && !other.equals(text)) found.push(bit);
    } catch {
      // No DEFLATE data any more.
    }
  }
  return found;
}

describe('a wrong bit that changes letters alone', () => {
  const text = paragraphs(3, 250);
  const packed = deflateRawSync(text);
  const silent = silentBits(packed, text, 7, 6);
  const correct = (bad: Buffer) =>
    correctBits({ packed: bad, size: text.length, crc: crc32(text) }, learnVocabulary([]), new Effort(2500));

  it('is told by the check sum wherever it lies', () => {
    expect(silent.length).toBe(6);
    for (const bit of silent) {
      const { exact, packed: mended } = correct(turned(packed, [bit]));
      expect(exact).toBe(true);
      expect(inflateRawSync(mended).equals(text)).toBe(true);
    }
  });

  it('is found beside others that the text shows', () => {
    const random = randomFrom(5);
    let whole = 0;
    for (const bit of silent) {
      const loud = Math.floor(random() * packed.length * 8);
      const { exact, packed: mended } = correct(turned(packed, [bit, loud]));
      if (exact) expect(inflateRawSync(mended).equals(text)).toBe(true);
      if (exact) whole++;
    }
    expect(whole).toBeGreaterThanOrEqual(4);
  });

  it('is not made up where no bit fits the sum', () => {
    const wanted = crc32(text) ^ 0x5a5a;
    const found = crc32(text);
    expect(findSilentBits({ packed, length: text.length, wanted, found, turned: [] }, new Effort(2500))).toBeNull();
  });
});

describe('what a byte adds to a check sum', () => {
  it('is the same whatever stands around it, with all its copies', () => {
    const text = Buffer.from('abcabcXYZabc');
    const sources = Int32Array.from([-1, -1, -1, 0, 1, 2, -1, -1, -1, 3, 4, 5]);
    const influences = influencesOf(sources);
    const other = Buffer.from('aQcaQcXYZaQc');
    const change = weighted('b'.charCodeAt(0) ^ 'Q'.charCodeAt(0), influences[1] ?? 0);
    expect(crc32(other)).toBe((crc32(text) ^ change) >>> 0);
  });
});
