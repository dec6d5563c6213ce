import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { originals } from './support/originals';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';

/** Noise that stands for a photo of a kind that we do not look into, stored as office programs store what is packed already. */
const photo = randomBytes(randomFrom(4), 60_000);

/** A document that holds it, and where it lies in the file. */
async function original(): Promise<{ bytes: Buffer; at: number }> {
  const plain = (await originals()).find(({ format, writer }) => format === 'docx' && writer === 'fflate at level 9');
  if (!plain) throw new Error('There is no such document.');
  const parts = unzipSync(plain.bytes);
  const packed = Object.entries(parts).map(([name, part]) => [name, [part, { level: 6 }]] as const);
  const bytes = Buffer.from(zipSync({ 'word/media/image9.emf': [photo, { level: 0 }], ...Object.fromEntries(packed) }));
  return { bytes, at: bytes.indexOf(photo.subarray(0, 64)) };
}

const damages: readonly (readonly [string, (whole: Buffer, at: number) => Buffer])[] = [
  [
    'a byte that is another',
    (whole, at) => {
      const bytes = Buffer.from(whole);
      bytes[at + 30_000] = (bytes[at + 30_000] ?? 0) ^ 0x5b;
      return bytes;
    },
  ],
  ['a byte that is gone', (whole, at) => Buffer.concat([whole.subarray(0, at + 30_000), whole.subarray(at + 30_001)])],
  [
    'two clusters in each other’s place',
    (whole, at) => {
      const bytes = Buffer.from(whole);
      const [one, other] = [3, 9].map((piece) => (Math.ceil(at / 4096) + piece) * 4096) as [number, number];
      whole.copy(bytes, one, other, other + 4096);
      whole.copy(bytes, other, one, one + 4096);
      return bytes;
    },
  ],
  [
    'two clusters in each other’s place, one of them at its end',
    (whole, at) => {
      const bytes = Buffer.from(whole);
      const other = Math.floor((at + photo.length) / 4096) * 4096;
      const one = other - 5 * 4096;
      whole.copy(bytes, one, other, other + 4096);
      whole.copy(bytes, other, one, one + 4096);
      return bytes;
    },
  ],
];

describe('content that is stored in a document', () => {
  it.each(damages)('comes back with %s', async (_, damage) => {
    const { bytes, at } = await original();
    const { report, output } = await repairBytes(damage(bytes, at), 'letter.docx');
    expect(report.verdict).toBe('repaired');
    const parts = unzipSync(output ?? Buffer.alloc(0));
    expect(Buffer.from(parts['word/media/image9.emf'] ?? []).equals(photo)).toBe(true);
    expect(report.steps.some(({ detail }) => /check sum/.test(detail))).toBe(true);
  });
});
