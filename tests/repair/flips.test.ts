import { readFileSync } from 'node:fs';
import { deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { StepInflater, streamStart } from '../../lib/repair/core/deflate/steps';
import { crc32 } from '../../lib/repair/core/sums';
import { correctBits, learnVocabulary } from '../../lib/repair/formats/ooxml/flips';
import { Effort } from '../../lib/repair/report';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const plenty = () => new Effort(1e6);

const original = (name: string) => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));
const partsOf = (name: string) =>
  Object.entries(unzipSync(original(name))).filter(([path]) => /\.(?:xml|rels)$/.test(path));

function turned(bytes: Uint8Array, bits: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  for (const bit of bits) copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

describe('inflating in steps', () => {
  it('reads what zlib wrote, from the beginning and from any mark', () => {
    const random = randomFrom(5);
    for (const text of [partsOf('libreoffice-letter.docx')[0]?.[1] ?? Buffer.alloc(0), randomBytes(random, 70_000)]) {
      const packed = deflateRawSync(text);
      const inflater = new StepInflater(Uint8Array.from(packed), text.length + 100, plenty());
      const marks: (typeof streamStart)[] = [];
      expect(inflater.run(streamStart, text.length + 100, marks)).toMatchObject({ end: 'final', length: text.length });
      for (const mark of [marks[0], marks[marks.length >> 1], marks.at(-1)]) {
        inflater.output.fill(0, mark?.length ?? 0);
        expect(inflater.run(mark ?? streamStart, text.length + 100)).toMatchObject({
          end: 'final',
          length: text.length,
        });
        expect(Buffer.from(inflater.output.subarray(0, text.length)).equals(Buffer.from(text))).toBe(true);
      }
    }
  });

  it('stops at noise, and at an output that is too long', () => {
    const noise = new StepInflater(randomBytes(randomFrom(9), 5000), 1000, plenty());
    expect(noise.run(streamStart, 1000).end).toBe('bad');
    const bomb = new StepInflater(deflateRawSync(Buffer.alloc(1 << 20)), 5000, plenty());
    expect(bomb.run(streamStart, 5000)).toMatchObject({ end: 'full', length: 5000 });
  });
});

describe('a wrong bit in packed text', () => {
  it('is found and set right', () => {
    const random = randomFrom(11);
    let tries = 0;
    for (const name of [
      'libreoffice-letter.docx',
      'docx-letter.docx',
      'libreoffice-slides.pptx',
      'sheetjs-table.xlsx',
    ]) {
      const parts = partsOf(name);
      for (const [path, data] of parts.filter(([, text]) => text.length > 3000 && text.length < 15_000).slice(0, 2)) {
        const packed = deflateRawSync(data);
        for (let turn = 0; turn < 4; turn++) {
          const known = learnVocabulary(parts.filter(([other]) => other !== path).map(([, text]) => text));
          const bad = turned(packed, [Math.floor(random() * packed.length * 8)]);
          const sizes = { size: data.length, crc: crc32(Buffer.from(data)) };
          const result = correctBits({ packed: bad, ...sizes }, known, new Effort(15_000));
          tries++;
          expect(result?.exact).toBe(true);
          expect(inflateRawSync(result?.packed ?? Buffer.alloc(0)).equals(Buffer.from(data))).toBe(true);
        }
      }
    }
    expect(tries).toBe(28);
  });

  it('is told in the report, and the document is as it was', async () => {
    const docx = original('docx-letter.docx');
    const at = docx.indexOf('word/document.xml') + 'word/document.xml'.length;
    const bad = turned(docx, [(at + 1700) * 8 + 1]);
    const { report, output } = await repairBytes(bad, 'letter.docx');
    expect(report.verdict).toBe('repaired');
    expect(report.steps.map((step) => step.name)).toContain('Set bits right');
    expect(await scoreAgainst('docx', docx, output ?? Buffer.alloc(0))).toBe(1);
  });
});

describe('a wrong letter in the name of the main part', () => {
  it.each(['local header', 'list of parts'])('in the %s loses nothing', async (place) => {
    const docx = original('libreoffice-letter.docx');
    const name = 'word/document.xml';
    const at = place === 'local header' ? docx.indexOf(name) : docx.lastIndexOf(name);
    const bad = turned(docx, [(at + 3) * 8]);
    const { output } = await repairBytes(bad, 'letter.docx');
    expect(await scoreAgainst('docx', docx, output ?? Buffer.alloc(0))).toBe(1);
  });
});
