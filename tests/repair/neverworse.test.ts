import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { type DocumentFormat, nothingToldYet, survived } from '../../lib/repair/families/document';
import { odf } from '../../lib/repair/formats/odf';
import { ole } from '../../lib/repair/formats/ole';
import { ooxml } from '../../lib/repair/formats/ooxml';
import { repairBy } from '../../lib/repair/pipeline';
import { Deadline, defaultLimits } from '../../lib/repair/report';
import { holdsMore } from '../../lib/repair/verdict';

const fixture = (name: string) => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));

/** A format whose repairs come out as `result`, whatever the file holds. */
function comingOutAs<Known>(
  { ids, family, recognise, measure }: Pick<DocumentFormat<null, Known>, 'ids' | 'family' | 'recognise' | 'measure'>,
  known: Known,
  result: Buffer,
): DocumentFormat<null, Known> {
  return {
    ids,
    family,
    recognise,
    measure,
    examine: async () => survived({ ...nothingToldYet(), damages: [{ kind: 'tail', count: 1 }] }, null, { known }),
    rebuild: async (_, __, sink) => {
      sink.write(result);
      return [];
    },
    verify: async () => true,
  };
}

const jobFor = (format: string, bytes: Buffer) => ({
  format,
  bytes,
  inputPath: '',
  outputPath: '',
  fileName: `file.${format}`,
  samplePath: undefined,
  limits: defaultLimits,
  deadline: new Deadline(defaultLimits.milliseconds, () => 0),
  progress: () => {},
});

/** The package without the text of every second run, paragraph or shared string. */
function halved(whole: Buffer, path: RegExp, text: RegExp): Buffer {
  const parts = unzipSync(whole);
  for (const [name, data] of Object.entries(parts)) {
    if (!path.test(name)) continue;
    let count = 0;
    const shorter = Buffer.from(data)
      .toString('utf8')
      .replace(text, (all, before, after) => (count++ % 2 === 0 ? all : before + after));
    expect(count).toBeGreaterThan(3);
    parts[name] = Buffer.from(shorter);
  }
  return Buffer.from(zipSync(parts));
}

const kind = 'application/vnd.oasis.opendocument.text';
const lines = Array.from({ length: 9 }, (_, at) => `<text:p>The ferry crossed the river on day ${at}.</text:p>`);
const names = ['office', 'text']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');
const letter = zipSync({
  mimetype: [Buffer.from(kind), { level: 0 }],
  'content.xml': Buffer.from(
    `<office:document-content ${names}><office:body>${lines.join('')}</office:body></office:document-content>`,
  ),
});

const packages = {
  docx: [fixture('libreoffice-letter.docx'), /^word\/document\.xml$/, /(<w:t[^<>]*>)[^<]+(<\/w:t>)/g],
  pptx: [fixture('libreoffice-slides.pptx'), /^ppt\/slides\/slide\d\.xml$/, /(<a:t>)[^<]+(<\/a:t>)/g],
  xlsx: [fixture('libreoffice-table.xlsx'), /^xl\/sharedStrings\.xml$/, /(<t[^<>]*>)[^<]+(<\/t>)/g],
  odt: [Buffer.from(letter), /^content\.xml$/, /(<text:p>)[^<]+(<\/text:p>)/g],
} as const;

describe('a repair that comes out with less than a reader finds in the damaged file', () => {
  it.each(Object.entries(packages))('is not handed out: %s', async (format, [whole, path, text]) => {
    const known = { sound: new Map(), own: new Set(Object.keys(unzipSync(whole))), isEmpty: false };
    const repair = (result: Buffer) =>
      format === 'odt'
        ? repairBy(comingOutAs(odf, known, result), jobFor(format, whole))
        : repairBy(comingOutAs(ooxml, known, result), jobFor(format, whole));
    expect(await repair(halved(whole, path, text))).toMatchObject({
      verdict: 'unrepairable',
      reason: 'reads-best-as-is',
      output: { kind: 'none' },
    });
    expect(await repair(whole)).toMatchObject({ verdict: 'repaired', output: { kind: 'bytes' } });
  });

  it('is not handed out: doc', async () => {
    const whole = fixture('libreoffice-letter.doc');
    // This writer lays the document in one piece; its text, two bytes a letter, lies where two numbers say ([MS-DOC] 2.5.1 and 2.5.3).
    const head = whole.indexOf(Buffer.from([0xec, 0xa5]));
    const [from, to] = [24, 28].map((at) => head + whole.readUInt32LE(head + at)) as [number, number];
    const text = whole.toString('latin1', from, to);
    const shorter = text.replace(/(?:[a-z]\0){6,}/g, (word) => ' \0'.repeat(word.length / 2));
    const result = Buffer.concat([whole.subarray(0, from), Buffer.from(shorter, 'latin1'), whole.subarray(to)]);
    const repair = (made: Buffer) => repairBy(comingOutAs(ole, { isEmpty: false }, made), jobFor('doc', whole));
    expect(await repair(result)).toMatchObject({ verdict: 'unrepairable', reason: 'reads-best-as-is' });
    expect(await repair(whole)).toMatchObject({ verdict: 'repaired', output: { kind: 'bytes' } });
  });

  it('is handed out where the damaged file promises more than any machine holds', async () => {
    const [whole, path, text] = packages.docx;
    const known = { sound: new Map(), own: new Set(Object.keys(unzipSync(whole))), isEmpty: false };
    const hostile = Buffer.from(whole);
    // Each entry of the list of parts says that its part has nearly 4 GB (APPNOTE 4.4.9).
    for (
      let at = hostile.indexOf('PK\x01\x02', 0, 'latin1');
      at >= 0;
      at = hostile.indexOf('PK\x01\x02', at + 4, 'latin1')
    )
      hostile.writeUInt32LE(0xfffffff0, at + 24);
    const outcome = await repairBy(comingOutAs(ooxml, known, halved(whole, path, text)), jobFor('docx', hostile));
    expect(outcome).toMatchObject({ verdict: 'repaired', output: { kind: 'bytes' } });
  });

  it('is handed out where no reader opens the damaged file', async () => {
    const [whole, path, text] = packages.docx;
    const known = { sound: new Map(), own: new Set(Object.keys(unzipSync(whole))), isEmpty: false };
    const result = halved(whole, path, text);
    const cut = whole.subarray(0, whole.length - 1000);
    const outcome = await repairBy(comingOutAs(ooxml, known, result), jobFor('docx', cut));
    expect(outcome).toMatchObject({ verdict: 'repaired', output: { kind: 'bytes' } });
  });
});

describe('of two readings the damaged file', () => {
  const words = (count: number) => ({ unit: 'words', count });
  const cells = (count: number) => ({ unit: 'cells', count });

  it.each([
    ['holds more with two words of fifty', [words(50)], [words(48)], true],
    ['holds as much with one word more', [words(50)], [words(49)], false],
    ['holds as much with less than two in a hundred', [words(1000)], [words(985)], false],
    ['holds more with a unit that is gone', [words(5), cells(9)], [words(5)], true],
    ['holds something else with more of one and less of another', [words(90), cells(9)], [words(50), cells(20)], false],
    ['holds nothing that was not read', [], [words(5)], false],
  ])('%s', (_, before, after, expected) => {
    expect(holdsMore(before, after)).toBe(expected);
  });
});
