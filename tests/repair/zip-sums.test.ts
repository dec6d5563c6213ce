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

describe('packed text of a document', () => {
  /** The document, and where the data of its text begins and how long that is (APPNOTE 4.3.7). */
  async function packedText(): Promise<{ bytes: Buffer; text: Buffer; at: number; length: number }> {
    const { bytes } = await original();
    const name = bytes.indexOf('word/document.xml', 0, 'latin1');
    const head = name - 30;
    const at = name + bytes.readUInt16LE(head + 26) + bytes.readUInt16LE(head + 28);
    const text = Buffer.from(unzipSync(bytes)['word/document.xml'] ?? []);
    return { bytes, text, at, length: bytes.readUInt32LE(head + 18) };
  }

  it.each([
    ['is another', 0.35],
    ['is another', 0.7],
    ['is gone', 0.35],
    ['is gone', 0.7],
  ])('comes back as it was where one byte of it %s, at %d of it', async (how, share) => {
    const { bytes, text, at, length } = await packedText();
    const place = at + Math.floor(length * share);
    const damaged =
      how === 'is gone' ? Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1)]) : Buffer.from(bytes);
    if (how === 'is another') damaged[place] = (damaged[place] ?? 0) ^ 0x6d;
    const { report, output } = await repairBytes(damaged, 'letter.docx');
    expect(report.verdict).toBe('repaired');
    expect(Buffer.from(unzipSync(output ?? Buffer.alloc(0))['word/document.xml'] ?? []).equals(text)).toBe(true);
  });
});
