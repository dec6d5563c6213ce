import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBase85 } from '../../lib/repair/formats/pdf/base85';
import { onePage, pdfOf, streamOf } from './support/pdfwriter';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';

const words =
  'harbour lights went out one after another while the boats came home along the wall and nets were hung to dry'.split(
    ' ',
  );

/** Four bytes are five digits (ISO 32000-1, 7.4.3), four zeroes a z; the last group is as long as its bytes and one more. */
function inBase85(data: Buffer): string {
  let text = '';
  for (let at = 0; at < data.length; at += 4) {
    const four = Buffer.alloc(4);
    const count = data.copy(four, 0, at, at + 4);
    let value = four.readUInt32BE(0);
    let group = '';
    for (let digit = 0; digit < 5; digit++, value = Math.floor(value / 85))
      group = String.fromCharCode(33 + (value % 85)) + group;
    text += count === 4 && group === '!!!!!' ? 'z' : group.slice(0, count + 1);
  }
  return text;
}

/** A page of text with its content in base 85, broken into lines as programs break it. */
function letter(): { whole: Buffer; from: number; to: number } {
  const random = randomFrom(3);
  const line = () => Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(' ');
  const content = `BT /F1 10 Tf 12 TL 40 760 Td ${Array.from({ length: 56 }, () => `(${line()}) Tj T*`).join(' ')} ET`;
  const text = `${inBase85(deflateSync(Buffer.from(content)))}~>`.replace(/.{75}/g, '$&\n');
  const bodies = onePage('');
  bodies[4] = streamOf(text, '/Filter[/ASCII85Decode/FlateDecode]');
  const whole = pdfOf(bodies);
  const from = whole.indexOf('stream\n') + 7;
  return { whole, from, to: from + text.length - 8 };
}

describe('base 85', () => {
  it.each([0, 1, 2, 3, 4, 5, 9, 64])('gives back %i bytes', (length) => {
    const bytes = Buffer.from(Array.from({ length }, (_, at) => (at < 8 ? 0 : (at * 37) & 255)));
    for (const end of ['~>', '~\n>', '~', ''])
      expect(decodeBase85(Buffer.from(inBase85(bytes) + end))).toEqual({ data: bytes, sound: true });
  });

  it('keeps the place of what follows a wrong digit, a tilde as well', () => {
    const whole = Buffer.from(inBase85(Buffer.from('The harbour lies at the end')));
    for (const wrong of ['~', 'v', '\u0007']) {
      const text = Buffer.from(whole);
      text.write(wrong, 7, 'latin1');
      const { data, sound } = decodeBase85(text);
      expect(sound).toBe(false);
      expect(data.subarray(8).toString()).toBe('our lies at the end');
    }
  });
});

describe('a PDF whose content is written in base 85', () => {
  /** How many of `trials` files come back whole, in which so many bits of the content are wrong. */
  async function wholeAgain(trials: number, bits: number): Promise<number> {
    const { whole, from, to } = letter();
    const random = randomFrom(9);
    let count = 0;
    for (let trial = 0; trial < trials; trial++) {
      const bytes = Buffer.from(whole);
      for (let bit = 0; bit < bits; bit++) {
        const at = from + Math.floor(random() * (to - from));
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      }
      const { report } = await repairBytes(bytes, 'letter.pdf');
      if (report.verdict !== 'repaired') continue;
      expect(report.steps.map(({ name }) => name)).toContain('Set bits right');
      count++;
    }
    return count;
  }

  // One that makes a digit of a line end, or the other way round, moves all that follows, and is not looked for.
  it('gets a single wrong bit in it set right, mostly', async () => {
    expect(await wholeAgain(12, 1)).toBeGreaterThanOrEqual(8);
  });

  it('gets two of them set right, often', async () => {
    expect(await wholeAgain(10, 2)).toBeGreaterThanOrEqual(4);
  });
});
