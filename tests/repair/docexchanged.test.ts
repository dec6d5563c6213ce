import { describe, expect, it } from 'vitest';
import { wordClass, writePlainDocument } from '../../lib/repair/formats/ole/docwrite';
import { writeOle } from '../../lib/repair/formats/ole/write';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';

/** A document of many paragraphs, none of them as long as another for long; with `isUneven` each ninth is long, and the others are short. */
function document(isUneven = false): Buffer {
  const random = randomFrom(11);
  const words = ['harbour', 'vessel', 'keeper', 'lantern', 'of', 'the', 'morning', 'a', 'weather'];
  const lengthOf = (place: number) => {
    if (!isUneven) return 4 + Math.floor(random() * 50);
    return place % 9 === 8 ? 70 : 2 + Math.floor(random() * 8);
  };
  const paragraph = (_: unknown, place: number) =>
    Array.from({ length: lengthOf(place) }, () => words[Math.floor(random() * words.length)]).join(' ');
  return writeOle(writePlainDocument(Array.from({ length: isUneven ? 450 : 150 }, paragraph).join('\r')), wordClass);
}

/** The same with two pieces in each other's place, which begin at offsets from where the text does. */
function exchanged(whole: Buffer, [one, other]: readonly [number, number], size: number): Buffer {
  const start = Math.ceil(whole.indexOf(Buffer.from('harbour', 'utf16le')) / 512) * 512;
  const bytes = Buffer.from(whole);
  whole.copy(bytes, start + one, start + other, start + other + size);
  whole.copy(bytes, start + other, start + one, start + one + size);
  return bytes;
}

describe('pieces of a Word text that changed places', () => {
  const whole = document();

  it('are none in a sound document', async () => {
    expect((await repairBytes(whole, 'letter.doc')).report.verdict).toBe('healthy');
  });

  it.each([
    ['apart', [1024, 20_480], 4096],
    ['beside each other', [4096, 8192], 4096],
    ['of another size', [2048, 30_720], 2048],
  ] as const)('go back, as the ends of paragraphs prove: %s', async (_, places, size) => {
    const { report, output } = await repairBytes(exchanged(whole, places, size), 'letter.doc');
    expect(report.verdict).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toEqual(['exchanged']);
    expect(output?.equals(whole)).toBe(true);
  });
});

describe('pieces of which several fit', () => {
  it('are not called whole unless they are in their place', async () => {
    const whole = document(true);
    let repaired = 0;
    for (let place = 0; place < 60; place++) {
      const damaged = exchanged(whole, [512 * place, 40_960 + 512 * ((place * 7) % 30)], 1024);
      const { report, output } = await repairBytes(damaged, 'letter.doc');
      if (report.verdict !== 'repaired') continue;
      repaired++;
      expect(output?.equals(whole), `${place}`).toBe(true);
    }
    expect(repaired).toBeGreaterThan(50);
  });
});

describe('a Word text over which other text was written', () => {
  it('is told by paragraphs that end elsewhere', async () => {
    const whole = document();
    const bytes = Buffer.from(whole);
    const start = whole.indexOf(Buffer.from('harbour', 'utf16le')) + 8192;
    bytes.write('the licence of another file says nothing of boats '.repeat(30), start, 'utf16le');
    const { report } = await repairBytes(bytes, 'letter.doc');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'characters' }));
  });
});
