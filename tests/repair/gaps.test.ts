import { deflateRawSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { inflateTolerant } from '../../lib/repair/core/deflate/inflate';
import { unpackAroundGaps, withoutChance } from '../../lib/repair/core/flips/gaps';
import { Likeness, lostByte } from '../../lib/repair/core/flips/likeness';
import { fillMarkup } from '../../lib/repair/formats/ooxml/fill';
import { learnVocabulary } from '../../lib/repair/formats/ooxml/flips';
import { learnGrammar, shellFor } from '../../lib/repair/formats/ooxml/grammar';
import { mendXml } from '../../lib/repair/formats/ooxml/mend';
import { PartScanner } from '../../lib/repair/formats/ooxml/scan';
import { typicalMarkup } from '../../lib/repair/formats/ooxml/typical';
import { Allowance, Deadline, Effort } from '../../lib/repair/report';
import { Prose } from './bench/speed/prose';
import { mendBody } from './support/mend-body';
import { originals } from './support/originals';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const all = await originals();
const main = { docx: 'word/document.xml', xlsx: 'xl/worksheets/sheet1.xml', ods: 'content.xml' } as const;
const partOf = (bytes: Buffer, path: string) => Buffer.from(unzipSync(bytes)[path] ?? []);

/** The original of a format with the most text. */
function original(format: keyof typeof main): Buffer {
  const found = all.filter((one) => one.format === format).map(({ bytes }) => bytes);
  const sizeOf = (bytes: Buffer) => partOf(bytes, main[format]).length;
  return found.reduce((large, bytes) => (sizeOf(bytes) > sizeOf(large) ? bytes : large));
}

type Change = (packed: Buffer) => Buffer;
const zeroed: Change = (packed) => Buffer.from(packed).fill(0, packed.length >> 1, (packed.length >> 1) + 512);
const bursts: Change = (packed) => {
  const bad = Buffer.from(packed);
  for (const share of [0.35, 0.6, 0.8]) randomBytes(randomFrom(7), 16).copy(bad, Math.floor(bad.length * share));
  return bad;
};
const shortened: Change = (packed) =>
  Buffer.concat([packed.subarray(0, packed.length >> 1), packed.subarray((packed.length >> 1) + 100)]);

/** What is right, wrong and not known of a part whose packed data was changed, as shares of it. */
function read(format: keyof typeof main, change: Change) {
  const text = partOf(original(format), main[format]);
  const bad = change(deflateRawSync(text));
  const deadline = new Deadline(1e9, () => 0, new Effort(1e6));
  const likeness = new Likeness();
  for (const part of Object.values(unzipSync(original(format)))) if (part.length < text.length) likeness.learn(part);
  const known = learnVocabulary([text]);
  const { data } = inflateTolerant(bad, { maxOutput: text.length, readOn: false });
  const doubted = new PartScanner(data, known, false).fault({ at: 0, open: null }, data.length);
  const gapped = { packed: bad, size: text.length, isExact: true, doubted, fault: doubted, likeness };
  const { text: got } = unpackAroundGaps(gapped, deadline, deadline.effort);
  let [right, wrong] = [0, 0];
  for (const [at, byte] of text.entries()) {
    if (got[at] === byte) right++;
    else if (at < got.length && got[at] !== lostByte) wrong++;
  }
  return { right: right / text.length, wrong: wrong / text.length };
}

describe('packed text of which pieces are gone', () => {
  it.each(['docx', 'xlsx', 'ods'] as const)('is known again behind each: %s', (format) => {
    for (const [change, least] of [
      // Words of chance do not tell where two pieces belong that lie between others.
      [zeroed, 0.4],
      [bursts, format === 'docx' ? 0.12 : 0.75],
      [shortened, 0.75],
    ] as const) {
      const { right, wrong } = read(format, change);
      expect(right, change.name).toBeGreaterThan(least);
      expect(wrong, change.name).toBeLessThan(0.08);
    }
  });

  it('is told from debris however much of it was learnt', () => {
    const prose = new Prose(11);
    const paragraph = () => `<w:p><w:r><w:t>${prose.paragraph()}</w:t></w:r></w:p>`;
    const text = Buffer.from(`<w:body>${Array.from({ length: 1800 }, paragraph).join('')}</w:body>`);
    const bad = deflateRawSync(text);
    const between = 50_000;
    for (let at = between; at < bad.length - between; at += between) randomBytes(randomFrom(at), 600).copy(bad, at);
    const deadline = new Deadline(1e9, () => 0, new Effort(1e6));
    // From the first damage on the text makes no sense.
    const { data } = inflateTolerant(bad.subarray(0, between), { maxOutput: text.length, readOn: false });
    const doubts = { doubted: data.length, fault: data.length };
    const gapped = { packed: bad, size: text.length, isExact: true, ...doubts, likeness: new Likeness() };
    const { text: got } = unpackAroundGaps(gapped, deadline, deadline.effort);
    const shareOf = (is: (read: number, byte: number) => boolean) =>
      text.filter((byte, at) => is(got[at] ?? lostByte, byte)).length / text.length;
    expect(shareOf((read, byte) => read === byte)).toBeGreaterThan(0.8);
    expect(shareOf((read, byte) => read !== byte && read !== lostByte)).toBeLessThan(0.05);
  });

  it('is told from what single wrong bits make of it, which is not learnt', () => {
    const prose = new Prose(5);
    const paragraph = () => `<w:p><w:r><w:t xml:space="preserve">${prose.paragraph()}</w:t></w:r></w:p>`;
    const text = Buffer.from(`<w:body>${Array.from({ length: 700 }, paragraph).join('')}</w:body>`);
    const bad = deflateRawSync(text);
    const [first, every] = [12_000, 500];
    const random = randomFrom(3);
    for (let at = first; at < bad.length - every; at += every)
      bad[at] = (bad[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    const deadline = new Deadline(1e9, () => 0, new Effort(3000));
    const { data } = inflateTolerant(bad.subarray(0, first), { maxOutput: text.length, readOn: false });
    const doubts = { doubted: data.length, fault: data.length };
    const gapped = { packed: bad, size: text.length, isExact: true, ...doubts, likeness: new Likeness() };
    const { text: got } = unpackAroundGaps(gapped, deadline, deadline.effort);
    const own = new Set<string>();
    for (let at = 0; at + 12 <= text.length; at++) own.add(text.toString('latin1', at, at + 12));
    let [known, foreign] = [0, 0];
    for (let at = 0; at + 12 <= got.length; at++) {
      if (got.subarray(at, at + 12).includes(lostByte)) continue;
      known++;
      if (!own.has(got.toString('latin1', at, at + 12))) foreign++;
    }
    expect(foreign).toBeLessThan(text.length * 0.15);
    expect(known - foreign).toBeGreaterThan(text.length * 0.15);
  });

  it('keeps no bits that were set right by chance, many of them side by side', () => {
    const packed = Buffer.alloc(4000, 0x55);
    const turned = [300, 9000, 9400, 9900].map((bit, index) => ({ bit, fault: index * 100 }));
    for (const { bit } of turned) packed[bit >> 3] = (packed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const corrected = { packed, bits: 4, turned, exact: false, text: packed, doubted: 500, fault: 600 };
    const left = withoutChance(corrected);
    expect(left).toMatchObject({ bits: 1, doubted: 100, fault: 600 });
    expect(left.packed.filter((byte) => byte !== 0x55)).toHaveLength(1);
  });
});

describe('a document with a wiped sector in its text', () => {
  it.each(['docx', 'xlsx', 'ods'] as const)('gets back hardly a word that it had not: %s', async (format) => {
    const bytes = original(format);
    const packed = bytes.indexOf(main[format]) + main[format].length;
    const bad = Buffer.from(bytes).fill(0, packed + 2300, packed + 2812);
    const { report, output } = await repairBytes(bad, `file.${format}`);
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst(format, bytes, output ?? Buffer.alloc(0))).toBeGreaterThan(0.35);
    const wordsOf = (file: Buffer) =>
      partOf(file, main[format])
        .toString()
        .replace(/<[^<>]*>/g, ' ')
        .match(/[\p{L}\p{N}]+/gu) ?? [];
    const own = new Set(wordsOf(bytes));
    const given = wordsOf(output ?? Buffer.alloc(0));
    expect(given.filter((word) => !own.has(word)).length).toBeLessThan(given.length * 0.01);
  });
});

describe('bytes of XML that are not known', () => {
  const mend = (body: string) => mendBody(body).replace(/<[^<>]*>/g, '|');

  it('take the words with them that they are part of, and no other', () => {
    const text = mend('<w:p><w:r><w:t>one tw\ufffd\ufffd thr\ufffdee four</w:t></w:r></w:p>');
    expect(text.match(/\w+/g)).toEqual(['one', 'four']);
  });

  it('take the tags with them whose names they are part of, and of others only the attributes', () => {
    const text = '<w:t xml:sp\ufffd\ufffd="x">one</w:t>';
    expect(mend(`<w:p><w:r>${text}</w:r></w:p>`)).toContain('one');
    expect(mend('<w:p><w:r><w:t xml:space="pr\ufffd\ufffdtwo three</w:t></w:r></w:p>').match(/\w+/g)).toEqual([
      'three',
    ]);
  });

  it('leave no value in a cell that may be of another kind', () => {
    const row = '<row><c r="A1" t\ufffd\ufffd\ufffd"><v>12</v></c><c r="B1" s="\ufffd"><v>34</v></c></row>';
    const { xml } = mendXml(`<worksheet xmlns="x"><sheetData>${row}`, 256, learnGrammar([]), null);
    expect(xml).not.toContain('12');
    expect(xml).toContain('<v>34</v>');
  });
});

describe('unknown bytes of tags', () => {
  const fill = (text: string, sources: (at: number) => number, others: string[] = []) => {
    const bytes = Buffer.from(text.replaceAll('~', '\u00ff'), 'latin1');
    const samples = others.map((other) => Buffer.from(other));
    fillMarkup({ text: bytes, sources: Int32Array.from(bytes, (_, at) => sources(at)) }, samples, new Effort(1e6));
    return bytes.toString('latin1').replaceAll('\u00ff', '~');
  };
  const row = (name: string, value: string) => `<row r="${name}"><c s="1" t="n"><v>${value}</v></c></row>`;

  it('are told by the same tags elsewhere, each place for all that copy from it', () => {
    const text = `${row('1', '20')}${row('2', '31')}${row('3', '20').replace('</v></c>', '</v></~>')}<xx>~ and ~</xx>`;
    const hole = text.indexOf('~');
    const got = fill(text, (at) => (text[at] === '~' ? hole : at));
    expect(got).toBe(text.replaceAll('~', 'c'));
  });

  it('are told by what programs usually write, where no other is left', () => {
    expect(fill('one</text~p><text:p text~style-name="P1">two', (at) => at, [typicalMarkup('odt')])).toBe(
      'one</text:p><text:p text:style-name="P1">two',
    );
  });

  it('stay unknown in text, and in values that are the own ones of a place', () => {
    const text = `${row('1', '20')}${row('~', '20')}${row('1', '2~')}${row('1', '20')}`;
    expect(fill(text, (at) => at)).toBe(text);
  });
});

describe('OpenDocument text whose head is damaged', () => {
  const own = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"';
  const mend = (source: string, format: string) =>
    mendXml(source, 256, learnGrammar([]), shellFor('content.xml', format)).xml;

  it('gets back the namespaces that every program declares', () => {
    const body = '<office:body><office:text><text:p>one</text:p></office:text></office:body>';
    const xml = mend(`<office:document-content ${own} xmlns:te\ufffd\ufffd="ur\ufffd">${body}`, 'odt');
    expect(xml).toContain('xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"');
    expect(xml).toContain(body);
    const wrong = mend(`<office:document-content ${own} xmlns:text="urn:oent" xmlns:s\ufffd="">${body}`, 'odt');
    expect(wrong.match(/xmlns:text="[^"]*"/g)).toEqual(['xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"']);
  });

  it('gets back the elements that its text and its cells stand in', () => {
    expect(mend('\ufffd\ufffd</text:p><text:p>one</text:p>', 'odt')).toContain(
      '<office:text><text:p>one</text:p></office:text>',
    );
    const cell = '<table:table-cell><text:p>one</text:p></table:table-cell>';
    expect(mend(`\ufffd\ufffd>${cell}`, 'ods')).toContain(`<table:table><table:table-row>${cell}</table:table-row>`);
  });
});

describe('a sheet of which next to nothing is known', () => {
  it('is not handed out', async () => {
    const bytes = original('ods');
    const begin = bytes.indexOf('content.xml') + 'content.xml'.length;
    const bad = Buffer.from(bytes).fill(0, begin + 560, bytes.indexOf('PK\x03\x04', begin, 'latin1') - 16);
    const { report, output } = await repairBytes(bad, 'file.ods');
    expect(report.verdict).toBe('unrepairable');
    expect(output).toBeNull();
  });
});

describe('a document of which no size is known', () => {
  it('has the text around a gap read, and nothing else where it is only cut off', async () => {
    const bytes = original('ods');
    const begin = bytes.indexOf('content.xml') + 'content.xml'.length;
    // Neither the headers nor the list of parts tell how long the content is.
    const without = Buffer.from(bytes.subarray(0, bytes.indexOf('PK\x01\x02', 0, 'latin1')));
    const header = begin - 'content.xml'.length - 30;
    without.fill(0, header + 14, header + 26);
    without.writeUInt16LE(without.readUInt16LE(header + 6) | 8, header + 6);
    const wiped = Buffer.from(without).fill(0, begin + 3000, begin + 3512);
    const wordsOf = (file: Buffer | null) =>
      file
        ? (partOf(file, 'content.xml')
            .toString()
            .replace(/<[^<>]*>/g, ' ')
            .match(/[\p{L}\p{N}]+/gu) ?? [])
        : [];
    const own = new Set(wordsOf(bytes));
    const given = wordsOf((await repairBytes(wiped, 'file.ods')).output);
    expect(given.filter((word) => !own.has(word)).length).toBeLessThan(given.length * 0.01);
    expect(given.length).toBeGreaterThan(100);
    const cut = without.subarray(0, begin + 3000);
    const value = await scoreAgainst('ods', bytes, (await repairBytes(cut, 'file.ods')).output ?? Buffer.alloc(0));
    expect(value).toBeGreaterThan(0.1);
  });
});

describe('markup that every paragraph takes from one that is gone', () => {
  it('is told by what the whole ones look like, however long it is', () => {
    const between =
      '</w:t></w:r></w:p><w:p><w:pPr><w:spacing w:after="120"/></w:pPr><w:r><w:rPr><w:lang w:val="en-US"/></w:rPr><w:t xml:space="preserve">';
    const words = ['Every ferry leaves at noon.', 'Every harbour sleeps at noon.'];
    const whole = Buffer.from(words.join(between).repeat(3));
    const text = Buffer.from(whole);
    const sources = new Int32Array(text.length).map((_, at) => at);
    const from = text.lastIndexOf(between) + 3;
    text.fill(lostByte, from, from + between.length - 8);
    expect(text.equals(whole)).toBe(false);
    fillMarkup({ text, sources }, [], new Effort(100));
    expect(text.toString()).toBe(whole.toString());
  });
});

describe('the work that pieces of packed text take', () => {
  it('ends with its share, however much text there is and however much of it is gone', () => {
    const prose = new Prose(5);
    const text = Buffer.from(Array.from({ length: 9000 }, () => prose.paragraph()).join('\n'));
    const packed = deflateRawSync(text);
    packed.fill(0, packed.length >> 4, packed.length >> 1);
    const effort = new Effort(1e6);
    const likeness = new Likeness();
    const fault = text.length >> 5;
    const gapped = { packed, size: text.length, isExact: true, doubted: fault, fault, likeness };
    unpackAroundGaps(gapped, new Deadline(1e9, () => 0, effort), effort.share(300));
    expect(1e6 - effort.left).toBeLessThan(450);
  });

  it('is allowed to all parts together', () => {
    const effort = new Effort(1000);
    const allowance = new Allowance(100);
    const spent = (units: number) =>
      allowance.take(effort, 80, (share) => {
        const before = share.left;
        effort.spend('recordReading', units / 8);
        return before;
      });
    expect(spent(80)).toBe(80);
    // What others do in the meantime is no part of it.
    effort.spend('recordReading', 50);
    expect(spent(80)).toBe(20);
    expect(spent(8)).toBe(0);
  });
});
