import { readFileSync } from 'node:fs';
import { constants, deflateSync, gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readPptRecords } from '../../lib/repair/formats/ole/pptrecords';
import { writeOle } from '../../lib/repair/formats/ole/write';
import { decodeStream } from '../../lib/repair/formats/pdf/filters';
import type { PdfValue } from '../../lib/repair/formats/pdf/values';
import { Deadline } from '../../lib/repair/report';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';

const fixture = (name: string) => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));

/** A copy in which a directory entry ([MS-CFB] 2.6.1) has another name; both in the letters of ASCII. */
function renamed(bytes: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(Buffer.from(`${from}\0`, 'utf16le'));
  expect(at).toBeGreaterThan(0);
  copy.fill(0, at, at + 64);
  copy.write(to, at, 'utf16le');
  copy.writeUInt16LE(to === 'R' ? 2 : to.length * 2 + 2, at + 64);
  return copy;
}

/** A Word document stream of before Word 97, whose text lies in the stream itself, with the mark and version of its edition. */
function earlyWord(mark: number, version: number, text: string): Buffer {
  const stream = Buffer.alloc(0x400 + text.length);
  stream.writeUInt16LE(mark, 0);
  stream.writeUInt16LE(version, 2);
  stream.writeUInt32LE(0x400, 24);
  stream.writeUInt32LE(0x400 + text.length, 28);
  stream.writeUInt32LE(text.length, 52);
  stream.write(text, 0x400, 'latin1');
  return stream;
}

describe('valid Office files of other writers', () => {
  const workbook = fixture('libreoffice-table.xls');

  it('accepts a root without a name, as Office for the Mac writes it', async () => {
    const { report, output } = await repairBytes(renamed(workbook, 'Root Entry', 'R'), 'table.xls');
    expect(report).toMatchObject({ verdict: 'healthy', format: 'xls', found: [] });
    expect(output?.equals(renamed(workbook, 'Root Entry', 'R'))).toBe(true);
  });

  it('accepts the content under a name in capitals', async () => {
    const { report } = await repairBytes(renamed(workbook, 'Workbook', 'WORKBOOK'), 'table.xls');
    expect(report).toMatchObject({ verdict: 'healthy', format: 'xls' });
    expect(report.kept.find(({ unit }) => unit === 'words')?.count).toBe(1500);
  });

  it('takes a workbook with a Word document placed inside it for a workbook', async () => {
    const letter = earlyWord(0xa5dc, 0x65, 'A letter inside the table '.repeat(300));
    const sheet = gunzipSync(readFileSync('tests/repair/fixtures/sheetjs-table.xls.gz'));
    // The object's storage stands before the workbook in the directory.
    const bytes = writeOle(
      [
        { path: ['MBD0001', 'WordDocument'], data: letter },
        { path: ['Workbook'], data: workbookStream(sheet) },
      ],
      null,
    );
    const { report } = await repairBytes(bytes, 'table.xls');
    expect(report).toMatchObject({ verdict: 'healthy', format: 'xls' });
  });

  it('accepts records of no type and without content, as LibreOffice writes them for bars and scales of colours', async () => {
    for (const name of ['libreoffice-table.xls', 'sheetjs-table.xls']) {
      const stream = workbookStream(fixture(name));
      const end = stream.lastIndexOf(Buffer.from([0x0a, 0, 0, 0]));
      const unknown = Buffer.from([0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0]);
      const longer = Buffer.concat([stream.subarray(0, end), unknown, stream.subarray(end)]);
      const bytes = writeOle([{ path: ['Workbook'], data: longer }], null);
      const { report } = await repairBytes(bytes, 'table.xls');
      expect([report.verdict, ...report.found.map(({ kind }) => kind)], name).toEqual(['healthy']);
      const cut = await repairBytes(bytes.subarray(0, bytes.length - 4096), 'table.xls');
      expect(cut.report.verdict, name).not.toBe('healthy');
    }
  });

  it.each([
    [0xa5dc, 0x65, 'Word 6'],
    [0xa5dc, 0x68, 'Word 95'],
    [0xa699, 0x68, 'Word 95 in Chinese'],
  ])('accepts a document of an early Word, mark %i and version %i: %s', async (mark, version) => {
    const stream = earlyWord(mark, version, 'The ferry crossed the silent river. '.repeat(200));
    const whole = await repairBytes(writeOle([{ path: ['WordDocument'], data: stream }], null), 'letter.doc');
    expect(whole.report).toMatchObject({ verdict: 'healthy', format: 'doc' });
    expect(whole.report.kept).toContainEqual(expect.objectContaining({ unit: 'words', count: 1200 }));
    const short = stream.subarray(0, 5000);
    const cut = await repairBytes(writeOle([{ path: ['WordDocument'], data: short }], null), 'letter.doc');
    expect(cut.report.verdict).toBe('partly');
  });

  it('says that slides of PowerPoint 95 are not looked into', async () => {
    const streams = [
      { path: ['PowerPoint Document'], data: randomBytes(randomFrom(3), 9000) },
      { path: ['PersistentStorage Directory'], data: Buffer.alloc(62) },
    ];
    const { report } = await repairBytes(writeOle(streams, null), 'slides.ppt');
    expect(report).toMatchObject({ verdict: 'healthy', format: 'ppt' });
    expect(report.notes.join(' ')).toContain('PowerPoint 95');
  });

  it('leaves a ZIP archive in a container of a presentation as it is', () => {
    const inner = Buffer.concat([Buffer.from('PK\x03\x04\x14\0\x06\0\x08\0', 'latin1'), Buffer.alloc(40, 7)]);
    const record = Buffer.alloc(8);
    record.writeUInt16LE(0x000f, 0);
    record.writeUInt16LE(0x0428, 2);
    record.writeUInt32LE(inner.length, 4);
    const [read, more] = readPptRecords(Buffer.concat([record, inner]), 0, 8 + inner.length, 20);
    expect(read).toMatchObject({ cut: false, children: null, data: inner });
    expect(more).toBeUndefined();
  });
});

/** The workbook stream out of a file in which it is the only long one and lies in one run. */
function workbookStream(bytes: Buffer): Buffer {
  const at = bytes.indexOf(Buffer.from([0x09, 0x08, 0x10, 0x00, 0x00, 0x06, 0x05, 0x00]));
  const entry = bytes.indexOf(Buffer.from('Workbook\0', 'utf16le'));
  return bytes.subarray(at, at + bytes.readUInt32LE(entry + 120));
}

describe('streams of PDF as other writers leave them', () => {
  const number = (value: number): PdfValue => ({ kind: 'number', value }) as PdfValue;
  const dictionary = (entries: [string, PdfValue][]) => new Map(entries);
  const flate = dictionary([['Filter', { kind: 'name', value: 'FlateDecode' } as PdfValue]]);
  const options = () => ({
    maxOutput: 1 << 20,
    deadline: new Deadline(10_000, () => performance.now()),
    resolve: (value?: PdfValue) => value,
  });
  const text = Buffer.from('BT /F1 12 Tf (Harbour lights) Tj ET '.repeat(40));

  it('accepts data that ends in a flush instead of a last block, but not data that is cut', () => {
    const flushed = deflateSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
    const read = decodeStream(Buffer.concat([flushed, Buffer.from('\r\n')]), flate, options());
    expect(read).toMatchObject({ sound: true, data: text });
    expect(decodeStream(flushed.subarray(0, flushed.length - 9), flate, options()).sound).toBe(false);
    const turned = Buffer.from(flushed);
    turned[12] = (turned[12] ?? 0) ^ 0xff;
    expect(decodeStream(turned, flate, options()).data.equals(text)).toBe(false);
  });

  it('accepts a stream without any data', () => {
    expect(decodeStream(Buffer.from('\n'), flate, options())).toMatchObject({ sound: true });
  });

  it('undoes the predictor of TIFF', () => {
    const differences = Buffer.from([1, 2, 3, 1, 1, 1, 10, 20, 30, 255, 0, 1]);
    const parameters: PdfValue = {
      kind: 'dictionary',
      entries: dictionary([
        ['Predictor', number(2)],
        ['Colors', number(3)],
        ['Columns', number(2)],
      ]),
    } as PdfValue;
    const read = decodeStream(deflateSync(differences), new Map([...flate, ['DecodeParms', parameters]]), options());
    expect([...read.data]).toEqual([1, 2, 3, 2, 3, 4, 10, 20, 30, 9, 20, 31]);
  });
});

describe('photos as other writers leave them', () => {
  it('takes the photo for the photo when its preview holds more data', async () => {
    const noise = randomBytes(randomFrom(8), 160 * 120 * 3);
    const preview = await sharp(noise, { raw: { width: 160, height: 120, channels: 3 } })
      .jpeg({ quality: 80 })
      .toBuffer();
    const photo = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#457' } })
      .jpeg()
      .toBuffer();
    const segment = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), preview]);
    const head = Buffer.from([0xff, 0xe1, (segment.length + 2) >> 8, (segment.length + 2) & 255]);
    const whole = Buffer.concat([photo.subarray(0, 2), head, segment, photo.subarray(2)]);
    const { report } = await repairBytes(whole, 'photo.jpg');
    expect(report).toMatchObject({ verdict: 'healthy', format: 'jpg' });
    const mended = await repairBytes(whole.subarray(0, whole.length - 2), 'photo.jpg');
    expect(mended.report.verdict).toBe('repaired');
    expect(mended.report.kept).toContainEqual(expect.objectContaining({ unit: 'pixels', count: 96 * 64 }));
  });
});

describe('pictures stored in ways that the decoder does not know', () => {
  /** A TIFF of one strip without compression, as libvips writes it, with one field's value changed. */
  async function withField(tag: number, value: number, data?: Buffer): Promise<Buffer> {
    const raw = { width: 40, height: 30, channels: 3 as const };
    const pixels = Buffer.from(Array.from({ length: 40 * 30 * 3 }, (_, index) => ((index * 7) % 251) >> 1));
    const bytes = await sharp(pixels, { raw }).tiff({ compression: 'none' }).toBuffer();
    const directory = bytes.readUInt32LE(4);
    for (let entry = 0; entry < bytes.readUInt16LE(directory); entry++) {
      const at = directory + 2 + entry * 12;
      // The three depths of a pixel stand apart; the first of them is changed.
      const inside = bytes.readUInt32LE(at + 4) < 3;
      if (bytes.readUInt16LE(at) === tag) bytes.writeUInt16LE(value, inside ? at + 8 : bytes.readUInt32LE(at + 8));
      if (bytes.readUInt16LE(at) === 273) data?.copy(bytes, bytes.readUInt32LE(at + 8));
    }
    return bytes;
  }

  it('calls L*a*b* colours and LZMA healthy, and says that they were not looked at', async () => {
    const lab = await repairBytes(await withField(262, 8), 'scan.tif');
    expect(lab.report).toMatchObject({ verdict: 'healthy', format: 'tif' });
    const packed = await repairBytes(await withField(259, 34925, Buffer.from('fd377a585a0000', 'hex')), 'scan.tif');
    expect(packed.report).toMatchObject({ verdict: 'healthy', format: 'tif' });
    expect(packed.report.notes.join(' ')).toContain('LZMA');
  });

  it('does not take a wrong field for such a way', async () => {
    for (const bytes of [
      await withField(262, 77),
      await withField(259, 34925),
      await withField(258, 12),
      await withField(258, 16),
    ])
      expect((await repairBytes(bytes, 'scan.tif')).report.verdict).not.toBe('healthy');
  });
});
