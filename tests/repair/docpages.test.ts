import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import CFB from 'cfb';
import { describe, expect, it } from 'vitest';
import { wordClass } from '../../lib/repair/formats/ole/docwrite';
import { writeOle } from '../../lib/repair/formats/ole/write';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const whole = gunzipSync(readFileSync('tests/repair/fixtures/libreoffice-letter.doc.gz'));
const pageBytes = 512;

const streamsOf = (bytes: Buffer) => {
  const container = CFB.read(bytes, { type: 'buffer' });
  return (name: string) => Buffer.from((CFB.find(container, `/${name}`)?.content ?? []) as Uint8Array);
};

/** The letter with its stream of text changed; `formatting` is the page of it that tells of the first paragraphs ([MS-DOC] 2.5.6, 2.8.6). */
function changed(change: (document: Buffer, formatting: number, text: number) => void): Buffer {
  const stream = streamsOf(whole);
  const [document, table] = [stream('WordDocument'), stream('1Table')];
  const [offset, length] = [document.readUInt32LE(0x102), document.readUInt32LE(0x106)];
  const formatting = table.readUInt32LE(offset + ((length - 4) / 8 + 1) * 4) & 0x3fffff;
  change(document, formatting, document.readUInt32LE(24) / pageBytes + 4);
  const streams = [
    { path: ['WordDocument'], data: document },
    { path: ['1Table'], data: table },
  ];
  return writeOle(streams, wordClass);
}

const pageOf = (document: Buffer, page: number) => document.subarray(page * pageBytes, (page + 1) * pageBytes);

describe('pages of formatting of a Word document', () => {
  it('go back where the list names them, and the text that stands there into its place', async () => {
    const bad = changed((document, formatting, text) => {
      const kept = Buffer.from(pageOf(document, text));
      pageOf(document, formatting).copy(pageOf(document, text));
      kept.copy(pageOf(document, formatting));
    });
    const { report, output } = await repairBytes(bad, 'letter.doc');
    expect(report.steps.map(({ name }) => name)).toContain('Put formatting back');
    expect(await scoreAgainst('doc', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('leave no debris in the text that they overwrote', async () => {
    const bad = changed((document, formatting, text) => pageOf(document, formatting).copy(pageOf(document, text)));
    const { report, output } = await repairBytes(bad, 'letter.doc');
    expect(report.verdict).toBe('partly');
    const document = streamsOf(output ?? Buffer.alloc(0))('WordDocument');
    const text = document.readUInt32LE(24) / pageBytes + 4;
    expect(pageOf(document, text).toString('latin1').replaceAll('\0', '').trim()).toBe('');
    expect(await scoreAgainst('doc', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.9);
  });

  it('are plain ones where they are lost, so that each that the list names is one', async () => {
    const bad = changed((document, formatting, text) => {
      pageOf(document, formatting).fill(0);
      pageOf(document, text).fill(0);
    });
    const { report, output } = await repairBytes(bad, 'letter.doc');
    expect(report.verdict).toBe('partly');
    const document = streamsOf(output ?? Buffer.alloc(0))('WordDocument');
    let formatting = 0;
    changed((_, page) => {
      formatting = page;
    });
    const page = pageOf(document, formatting);
    const runs = page[pageBytes - 1] ?? 0;
    expect(runs).toBeGreaterThan(0);
    for (let run = 0; run < runs; run++)
      expect(page.readUInt32LE(run * 4)).toBeLessThan(page.readUInt32LE(run * 4 + 4));
  });
});
