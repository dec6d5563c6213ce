import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { lostReturns, placeOfRun } from '../../lib/repair/core/sumplaces';
import { crc32 } from '../../lib/repair/core/sums';
import { outOfCarrier } from '../../lib/repair/core/transfer/carrier';
import { LineEnds } from '../../lib/repair/core/transfer/lineends';
import { withReturns } from '../../lib/repair/core/transfer/returns';
import { undoings } from '../../lib/repair/core/transfer/undo';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const original = (name: string) => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));
const latin = (bytes: Buffer, change: (text: string) => string) =>
  Buffer.from(change(bytes.toString('latin1')), 'latin1');
const packages = ['libreoffice-letter.docx', 'sheetjs-table.xlsx', 'pptxgenjs-slides.pptx'];

describe('office packages that were sent as text', () => {
  it.each(packages)('come back byte for byte when every LF became CRLF: %s', async (name) => {
    const whole = original(name);
    const { report, output } = await repairBytes(
      latin(whole, (text) => text.replace(/\n/g, '\r\n')),
      name,
    );
    expect(report.verdict).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it.each(packages)('come back byte for byte when they were stored as UTF-8: %s', async (name) => {
    const whole = original(name);
    const { report, output } = await repairBytes(Buffer.from(whole.toString('latin1'), 'utf8'), name);
    expect(report.verdict).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it('come back with stored members, a picture and a workbook in them', async () => {
    const parts = unzipSync(original('pptxgenjs-slides.pptx'));
    const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    // Stored members need version 1.0 of the format, so that a line feed stands in each header, before the length of the name.
    const stored = (files: Record<string, Uint8Array>) =>
      latin(Buffer.from(zipSync(files, { level: 0 })), (text) =>
        text
          .replaceAll('PK\x03\x04\x14\0', 'PK\x03\x04\n\0')
          .replaceAll('PK\x01\x02\x14\0\x14\0', 'PK\x01\x02\n\0\n\0'),
      );
    const whole = stored({
      ...parts,
      'ppt/media/image9.png': picture,
      'ppt/embeddings/sheet9.xlsx': stored(unzipSync(original('sheetjs-table.xlsx'))),
    });
    const { report, output } = await repairBytes(
      latin(whole, (text) => text.replace(/\n/g, '\r\n')),
      'slides.pptx',
    );
    expect(report).toMatchObject({ verdict: 'repaired', format: 'pptx' });
    expect(output?.equals(whole)).toBe(true);
  });

  it('come back when a transfer took the CR of a pair', async () => {
    const text = `${'The ferry crossed. '.repeat(40)}\r\n`;
    const noise = randomBytes(randomFrom(5), 3000);
    noise.write('\r\n', 1500, 'latin1');
    const parts = unzipSync(original('libreoffice-letter.docx'));
    const whole = Buffer.from(
      zipSync({
        ...parts,
        'word/media/image9.png': [noise, { level: 0 }],
        'docProps/note.xml': strToU8(`<a>${text}</a>`),
      }),
    );
    const bad = latin(whole, (bytes) => bytes.replace(/\r\n/g, '\n'));
    const { report, output } = await repairBytes(bad, 'letter.docx');
    const mended = unzipSync(output ?? Buffer.alloc(0));
    expect(report.verdict).toBe('repaired');
    expect(Buffer.from(mended['word/media/image9.png'] ?? []).equals(noise)).toBe(true);
  });

  it('are left alone where line ends are as they should be', () => {
    const noise = randomBytes(randomFrom(7), 50_000);
    expect(undoings(noise)).toEqual([]);
    expect(undoings(Buffer.from('a\r\nb\r\n'))).toEqual([]);
  });

  it('are believed to be changed where nearly every LF has a CR, and no sooner', () => {
    const lines = (count: number, end: string) => Buffer.from(`x${end}`.repeat(count));
    expect(new LineEnds().add(lines(3, '\r\n')).areChanged).toBe(false);
    expect(new LineEnds().add(lines(4, '\r\n')).areChanged).toBe(true);
    expect(new LineEnds().add(lines(98, '\r\n')).add(lines(2, '\n')).areChanged).toBe(true);
    expect(new LineEnds().add(lines(98, '\r\n')).add(lines(3, '\n')).areChanged).toBe(false);
    // A pair that lies across two stretches is one.
    expect(new LineEnds().add(lines(4, '\r\n')).add(Buffer.from('\r')).add(Buffer.from('\n')).areChanged).toBe(true);
  });

  it('rules a transfer out as soon as a few LF stand alone', () => {
    expect(new LineEnds().add(Buffer.from('a\nb\nc\n')).areOwn).toBe(false);
    expect(new LineEnds().add(Buffer.from('a\nb\nc\nd\n')).areOwn).toBe(true);
    expect(new LineEnds().add(Buffer.from('a\r\n'.repeat(1000))).areOwn).toBe(false);
  });

  it('tries each place that a CR may have been taken from, as far as it may', () => {
    const data = Buffer.from('one\ntwo\nthree\n');
    const wanted = Buffer.from('one\ntwo\r\nthree\r\n');
    const fits = (candidate: Buffer) => candidate.equals(wanted);
    expect(withReturns(data, 2, { most: 10 }, fits)?.equals(wanted)).toBe(true);
    expect(withReturns(data, 2, { most: 2 }, fits)).toBeNull();
    expect(withReturns(data, 2, { places: [3, 7], most: 10 }, fits)).toBeNull();
    expect(withReturns(data, 3, { most: 10 }, () => true)).toBeNull();
  });

  it('says which CR are missing by the check sum alone', () => {
    const data = Buffer.from('one\ntwo\nthree\n');
    const wanted = crc32(Buffer.from('one\ntwo\r\nthree\r\n'));
    expect(lostReturns(data, 2, wanted)).toEqual([7, 13]);
    expect(lostReturns(data, 1, crc32(Buffer.from('one\r\ntwo\nthree\n')))).toEqual([3]);
    expect(lostReturns(data, 1, wanted)).toBeNull();
    expect(lostReturns(data, 3, wanted)).toBeNull();
  });

  it('come back when a transfer took many CR out of packed text', async () => {
    const parts = unzipSync(original('libreoffice-letter.docx'));
    const random = randomFrom(3);
    const paragraphs = Array.from({ length: 12_000 }, () => {
      const text = Array.from({ length: 12 }, () => Math.floor(random() * 1e9).toString(36)).join(' ');
      return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
    }).join('');
    const document = strFromU8(parts['word/document.xml'] ?? new Uint8Array(0)).replace(
      /(<w:body>)/,
      `$1${paragraphs}`,
    );
    const whole = Buffer.from(zipSync({ ...parts, 'word/document.xml': strToU8(document) }));
    const bad = latin(whole, (bytes) => bytes.replace(/\r\n/g, '\n'));
    expect(whole.length - bad.length).toBe(11);
    const { report, output } = await repairBytes(bad, 'letter.docx');
    expect(report.verdict).toBe('repaired');
    expect(strFromU8(unzipSync(output ?? Buffer.alloc(0))['word/document.xml'] ?? new Uint8Array(0))).toBe(document);
  });
});

describe('PDF changed as text', () => {
  it.each(['pdfkit-standard.pdf', 'libreoffice-letter.pdf'])('comes back with every word: %s', async (name) => {
    const whole = original(name);
    for (const bad of [
      latin(whole, (text) => text.replace(/\n/g, '\r\n')),
      Buffer.from(whole.toString('latin1'), 'utf8'),
    ]) {
      const { report, output } = await repairBytes(bad, name);
      expect(report.verdict).toBe('repaired');
      expect(report.found.map(({ kind }) => kind)).toContain('textmode');
      expect(await scoreAgainst('pdf', whole, output ?? Buffer.alloc(0))).toBe(1);
    }
  });
});

describe('office packages with foreign bytes', () => {
  it('lose a tail so long that programs do not find the end', async () => {
    const whole = original('libreoffice-letter.docx');
    const { report, output } = await repairBytes(Buffer.concat([whole, Buffer.alloc(70_000)]), 'letter.docx');
    expect(report.verdict).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it('tells by the check sum alone where bytes were put into stored data', () => {
    const whole = randomBytes(randomFrom(6), 30_000);
    const bad = Buffer.concat([whole.subarray(0, 9000), randomBytes(randomFrom(8), 700), whole.subarray(9000)]);
    const at = placeOfRun(bad, 700, crc32(whole)) ?? 0;
    expect(Buffer.concat([bad.subarray(0, at), bad.subarray(at + 700)]).equals(whole)).toBe(true);
    expect(placeOfRun(bad, 699, crc32(whole))).toBeNull();
  });

  it('come back whole when bytes were put into a part', async () => {
    const whole = original('libreoffice-letter.docx');
    const at = whole.indexOf('word/document.xml') + 600;
    const bad = Buffer.concat([whole.subarray(0, at), randomBytes(randomFrom(4), 900), whole.subarray(at)]);
    const { report, output } = await repairBytes(bad, 'letter.docx');
    expect(report.verdict).toBe('repaired');
    expect(await scoreAgainst('docx', whole, output ?? Buffer.alloc(0))).toBe(1);
  });
});

describe('XML that is damaged inside a sound archive', () => {
  const edited = (name: string, path: string, change: (text: string) => string) => {
    const parts = unzipSync(original(name));
    return Buffer.from(zipSync({ ...parts, [path]: strToU8(change(Buffer.from(parts[path] ?? []).toString('utf8'))) }));
  };

  it.each([
    ['libreoffice-letter.docx', 'word/document.xml'],
    ['libreoffice-table.xlsx', 'xl/worksheets/sheet1.xml'],
    ['libreoffice-slides.pptx', 'ppt/slides/slide1.xml'],
  ])('is called partly lost where it ends in the middle: %s', async (name, path) => {
    const bad = edited(name, path, (text) => text.slice(0, Math.floor(text.length * 0.7)));
    const { report } = await repairBytes(bad, name);
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ detail }) => detail).join()).toContain('ends in the middle');
  });

  it('keeps a forgotten sign, and calls that repaired', async () => {
    const bad = edited('libreoffice-letter.docx', 'word/document.xml', (text) =>
      text.replace(/(<w:t[^>]*>)/, '$1Fish & chips < 5 '),
    );
    const { report, output } = await repairBytes(bad, 'letter.docx');
    expect(report.verdict).toBe('repaired');
    const xml = Buffer.from(unzipSync(output ?? Buffer.alloc(0))['word/document.xml'] ?? []).toString('utf8');
    expect(xml).toContain('Fish &amp; chips &lt; 5 ');
  });

  it('closes an element that lost its end tag, and calls that repaired', async () => {
    const bad = edited('libreoffice-table.xlsx', 'xl/worksheets/sheet1.xml', (text) => text.replace('</row>', ''));
    const { report, output } = await repairBytes(bad, 'table.xlsx');
    expect(report.verdict).toBe('repaired');
    expect(await scoreAgainst('xlsx', original('libreoffice-table.xlsx'), output ?? Buffer.alloc(0))).toBe(1);
  });

  it('keeps the number of a cell that something was written into', async () => {
    const bad = edited('sheetjs-table.xlsx', 'xl/worksheets/sheet1.xml', (text) => text.replaceAll('<v>', '<v> & < '));
    const { report, output } = await repairBytes(bad, 'table.xlsx');
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('xlsx', original('sheetjs-table.xlsx'), output ?? Buffer.alloc(0))).toBe(1);
  });
});

describe('workbooks that hold nothing', () => {
  const sheet = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData/></worksheet>';

  it('come back when nothing of them is gone', async () => {
    const parts = unzipSync(original('sheetjs-table.xlsx'));
    const empty = Object.fromEntries(
      Object.entries(parts).map(([path, data]) => [path, /worksheets\//.test(path) ? strToU8(sheet) : data]),
    );
    const whole = Buffer.from(zipSync(empty));
    expect((await repairBytes(whole, 'empty.xlsx')).report.verdict).toBe('healthy');
    const { '_rels/.rels': _, ...rest } = empty;
    const { report, output } = await repairBytes(Buffer.from(zipSync(rest)), 'empty.xlsx');
    expect(report.verdict).toBe('repaired');
    expect(output).not.toBeNull();
  });

  it('are not handed out when their cells lost every text', async () => {
    const parts = unzipSync(original('libreoffice-table.xlsx'));
    const cells = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>';
    const { 'xl/sharedStrings.xml': _, ...rest } = parts;
    for (const path of Object.keys(rest))
      if (/worksheets\/[^/]+$/.test(path))
        rest[path] = strToU8(sheet.replace('<sheetData/>', `<sheetData>${cells}</sheetData>`));
    const { report, output } = await repairBytes(Buffer.from(zipSync(rest)), 'table.xlsx');
    expect(report.verdict).toBe('unrepairable');
    expect(output).toBeNull();
  });
});

describe('packages whose text is gone', () => {
  it('are not handed out when no slide is left', async () => {
    const parts = unzipSync(original('pptxgenjs-slides.pptx'));
    const rest = Object.fromEntries(Object.entries(parts).filter(([path]) => !/^ppt\/slides\/slide/.test(path)));
    const { report, output } = await repairBytes(Buffer.from(zipSync(rest)), 'slides.pptx');
    expect(report.verdict).toBe('unrepairable');
    expect(output).toBeNull();
  });
});

describe('files in the text of a message', () => {
  const lines = (bytes: Buffer) => bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
  const mail = (bytes: Buffer) =>
    Buffer.from(
      `From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHere it is.\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines(bytes)}\r\n--b--\r\n`,
    );
  const bare = (bytes: Buffer) => Buffer.from(lines(bytes));
  const address = (bytes: Buffer) => Buffer.from(`data:application/octet-stream;base64,${bytes.toString('base64')}`);

  const answer = (bytes: Buffer) =>
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ${bytes.length}\r\n\r\n`,
      ),
      bytes,
    ]);
  const chunks = (bytes: Buffer) => {
    const parts: Buffer[] = [Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')];
    for (let at = 0; at < bytes.length; at += 1000) {
      const chunk = bytes.subarray(at, at + 1000);
      parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
    }
    return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
  };
  const form = (bytes: Buffer) =>
    Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: image/jpeg\r\n\r\n'),
      bytes,
      Buffer.from('\r\n--b--\r\n'),
    ]);
  const quoted = (bytes: Buffer) => {
    const codes = [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`);
    const text = codes.join('').replace(/.{72}/g, '$&=\r\n');
    return Buffer.from(`MIME-Version: 1.0\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${text}\r\n`);
  };
  const bareQuoted = (bytes: Buffer) => {
    const whole = quoted(bytes);
    // Python's writer breaks a few lines a letter too late.
    const text = whole.toString('latin1', whole.indexOf('\r\n\r\n') + 4);
    return Buffer.from(text.replace(/^(.{72})=\r\n(=..=..)/, '$1$2=\r\n'), 'latin1');
  };

  it.each([
    ['a document in an HTTP answer of chunks', 'libreoffice-letter.docx', chunks],
    ['a document in quoted-printable text', 'sheetjs-table.xlsx', quoted],
    ['a document in the same without the head of its mail', 'sheetjs-table.xlsx', bareQuoted],
    ['a document in a mail', 'libreoffice-letter.docx', mail],
    ['a document without the heads of its mail', 'sheetjs-table.xlsx', bare],
    ['a document in a data: address', 'pptxgenjs-slides.pptx', address],
  ])('come back byte for byte: %s', async (_, name, wrap) => {
    const whole = original(name);
    const { report, output } = await repairBytes(wrap(whole), name);
    expect(report.verdict).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toEqual(['textmode']);
    expect(output?.equals(whole)).toBe(true);
  });

  it.each([
    ['a mail', mail],
    ['an HTTP answer', answer],
    ['an HTTP answer of chunks', chunks],
    ['a form', form],
    ['quoted-printable text', quoted],
  ])('come back byte for byte: a photo in %s', async (_, wrap) => {
    const whole = await sharp({
      create: {
        width: 90,
        height: 70,
        channels: 3,
        background: '#3a7',
        noise: { type: 'gaussian', mean: 90, sigma: 30 },
      },
    })
      .jpeg()
      .toBuffer();
    const { report, output } = await repairBytes(wrap(whole), 'photo.jpg');
    expect(report.verdict).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toEqual(['textmode']);
    expect(output?.equals(whole)).toBe(true);
  });

  it('are mended where they are damaged as well', async () => {
    const whole = original('libreoffice-letter.docx');
    const { report, output } = await repairBytes(mail(whole.subarray(0, whole.length - 200)), 'letter.docx');
    expect(report.verdict).toBe('repaired');
    expect(report.found[0]?.kind).toBe('textmode');
    expect(await scoreAgainst('docx', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('are not looked for in text that is no message', () => {
    expect(outOfCarrier(Buffer.from('The ferry crossed the river at noon. '.repeat(400)))).toBeNull();
    expect(outOfCarrier(randomBytes(randomFrom(8), 50_000))).toBeNull();
  });
});

describe('files of which a stretch stands there twice', () => {
  const twice = (bytes: Buffer, length: number, at = (bytes.length >> 1) + 3) =>
    Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
  const noise = (channels: 3 | 4) =>
    sharp({
      create: {
        width: 160,
        height: 120,
        channels,
        background: '#3a7',
        noise: { type: 'gaussian', mean: 90, sigma: 40 },
      },
    });

  it.each<[string, number, () => Promise<Buffer>]>([
    ['photo.jpg', 1460, () => noise(3).jpeg().toBuffer()],
    ['photo.png', 4096, () => noise(3).png().toBuffer()],
    ['photo.webp', 512, () => noise(3).webp().toBuffer()],
    ['letter.docx', 512, async () => original('libreoffice-letter.docx')],
  ])('come back byte for byte: %s', async (name, length, make) => {
    const whole = await make();
    const { report, output } = await repairBytes(twice(whole, length), name);
    expect(report.verdict).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toEqual(['textmode']);
    expect(output?.equals(whole)).toBe(true);
  });

  it('are sound where it stands behind the end of a picture', async () => {
    const whole = await noise(3).jpeg().toBuffer();
    const tail = randomBytes(randomFrom(3), 512);
    const { report } = await repairBytes(Buffer.concat([whole, tail, tail]), 'photo.jpg');
    expect(report.verdict).toBe('healthy');
  });
});
