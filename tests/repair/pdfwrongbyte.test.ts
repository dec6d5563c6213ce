import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { onePage, pdfOf, streamOf } from './support/pdfwriter';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';

const words =
  'the harbour lights went out one after another while boats came home from sea with nets full of fish'.split(' ');
const random = randomFrom(11);
const content = `BT /F1 12 Tf 14 TL 50 780 Td\n${Array.from({ length: 50 }, () => `(${Array.from({ length: 9 }, () => words[Math.floor(random() * words.length)]).join(' ')}) Tj T*`).join('\n')}\nET`;

/** A page whose packed content has another byte at a place, given as a share of it. */
function withWrongByte(share: number, value: number): Buffer {
  const packed = deflateSync(content);
  const at = Math.floor(packed.length * share);
  packed[at] = (packed[at] ?? 0) ^ value;
  const bodies = onePage('');
  bodies[4] = streamOf(packed.toString('latin1'), '/Filter/FlateDecode');
  return pdfOf(bodies);
}

describe('a PDF with one wrong byte in packed text', () => {
  it.each([
    [0.3, 0x5a],
    [0.6, 0xff],
    [0.8, 0x33],
  ])('at %f is as it was', async (share, value) => {
    const { report, output } = await repairBytes(withWrongByte(share, value), 'page.pdf');
    expect(report.verdict, JSON.stringify(report.lost)).toBe('repaired');
    expect(report.steps.map(({ name }) => name)).toContain('Correct by check sums');
    expect(output?.includes(deflateSync(content))).toBe(true);
  });
});
