import { readFileSync } from 'node:fs';
import { deflateSync, gunzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { pptOf } from './bench/speed/oles';
import { picture } from './support/originals/picture';
import { harbour, onePage, pdfOf, streamOf } from './support/pdfwriter';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';

const width = 640;
const height = 480;
let photo: Buffer;
beforeAll(async () => {
  photo = await picture(width, height, 7).jpeg({ quality: 90, optimiseCoding: false }).toBuffer();
});

/** The photo with four bytes in the middle of its data overwritten. */
const damaged = () => {
  const bytes = Buffer.from(photo);
  const at = Math.floor(bytes.length * 0.55);
  for (let index = 0; index < 4; index++) bytes[at + index] = 0x35 + 7 * index;
  return bytes;
};

/** A PDF of one page that shows the photo, which is written as the filter says. */
function withPhoto(jpeg: Buffer, filter = '/DCTDecode'): Buffer {
  const entries = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter${filter}`;
  return pdfOf(
    onePage(
      'BT /F1 12 Tf 50 700 Td (A photo of the harbour) Tj ET q 400 0 0 300 50 300 cm /Im Do Q',
      '/XObject<</Im 6 0 R>>',
      [streamOf(jpeg.toString('latin1'), entries)],
    ),
  );
}

/** Bytes in the digits of base 85 (ISO 32000-1, 7.4.3). */
function inBase85(bytes: Buffer): Buffer {
  const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  let text = '';
  for (let at = 0; at < padded.length; at += 4) {
    let value = padded.readUInt32BE(at);
    let group = '';
    for (let digit = 0; digit < 5; digit++, value = Math.floor(value / 85))
      group = String.fromCharCode(33 + (value % 85)) + group;
    text += group === '!!!!!' ? 'z' : group;
  }
  return Buffer.from(`${text}~>`);
}

/** The JPEG inside of a PDF that this tool wrote. */
const jpegIn = (pdf: Buffer) =>
  pdf.subarray(pdf.indexOf(Buffer.from([0xff, 0xd8, 0xff])), pdf.lastIndexOf(Buffer.from([0xff, 0xd9])) + 2);

describe('photos in a PDF', () => {
  it('that are sound are left alone, with or without an end, and with a line end behind it', async () => {
    for (const jpeg of [photo, photo.subarray(0, -2), Buffer.concat([photo, Buffer.from('\r\n')])]) {
      const { report } = await repairBytes(withPhoto(jpeg), 'harbour.pdf');
      expect(report.verdict).toBe('healthy');
    }
  });

  it.each([
    ['base 85', '[/ASCII85Decode/DCTDecode]', inBase85],
    ['Flate', '[/FlateDecode/DCTDecode]', deflateSync],
  ] as const)('are looked into where they are written in %s', async (_, filter, write) => {
    const sound = await repairBytes(withPhoto(write(photo), filter), 'harbour.pdf');
    expect(sound.report.verdict).toBe('healthy');
    const { report, output } = await repairBytes(withPhoto(write(damaged()), filter), 'harbour.pdf');
    expect(report.found).toContainEqual(expect.objectContaining({ kind: 'picture' }));
    expect(['partly', 'repaired']).toContain(report.verdict);
    expect((await sharp(jpegIn(output ?? Buffer.alloc(0))).metadata()).width).toBe(width);
    expect(output?.includes('/Filter /DCTDecode')).toBe(true);
  });

  it('are told where digits of base 85 are none', async () => {
    const written = inBase85(photo);
    written.fill(0x91, written.length >> 1, (written.length >> 1) + 64);
    const { report } = await repairBytes(withPhoto(written, '[/ASCII85Decode/DCTDecode]'), 'harbour.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'pictures', count: 1 }));
  });

  it('of other kinds are left alone', async () => {
    const progressive = await sharp(photo).jpeg({ progressive: true }).toBuffer();
    const { report } = await repairBytes(withPhoto(progressive), 'harbour.pdf');
    expect(report.verdict).toBe('healthy');
  });

  it('whose data is damaged are found and set right', async () => {
    const { report, output } = await repairBytes(withPhoto(damaged()), 'harbour.pdf');
    expect(report.found).toContainEqual(expect.objectContaining({ kind: 'picture' }));
    // Brightness is off by little from there on, and levelled.
    expect(report.verdict).toBe('partly');
    const before = await scoreAgainst('jpg', photo, damaged());
    const after = await scoreAgainst('jpg', photo, jpegIn(output ?? Buffer.alloc(0)));
    expect(before).toBeCloseTo(0.545, 3);
    expect(after).toBeCloseTo(0.99917, 5);
    expect(report.kept).toContainEqual({ unit: 'words', count: 5 });
  });

  it('that are not packed are said to be damaged where bytes of them are gone', async () => {
    const samples = Buffer.from(scene(40, 30, 2)).toString('latin1');
    const entries = '/Type/XObject/Subtype/Image/Width 40/Height 30/BitsPerComponent 8/ColorSpace/DeviceRGB';
    const content = `${harbour} q 200 0 0 150 50 400 cm /I0 Do Q`;
    const pdf = pdfOf(onePage(content, '/XObject<</I0 6 0 R>>', [streamOf(samples, entries)]));
    expect((await repairBytes(pdf, 'harbour.pdf')).report.verdict).toBe('healthy');
    const at = pdf.indexOf(Buffer.from(samples.slice(0, 64), 'latin1')) + 900;
    const { report } = await repairBytes(Buffer.concat([pdf.subarray(0, at), pdf.subarray(at + 5)]), 'harbour.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'pictures', count: 1 }));
  });

  it('that lost their end are said to be there in part', async () => {
    const { report } = await repairBytes(withPhoto(photo.subarray(0, Math.floor(photo.length / 2))), 'harbour.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'pictures', count: 1 }));
  });

  it('are not replaced by a picture of another size than the document says', async () => {
    const wrong = Buffer.from(
      withPhoto(damaged()).toString('latin1').replace(`/Height ${height}`, '/Height 470'),
      'latin1',
    );
    const { report, output } = await repairBytes(wrong, 'harbour.pdf');
    expect(report.verdict).toBe('partly');
    expect(jpegIn(output ?? Buffer.alloc(0)).equals(damaged())).toBe(true);
    expect(report.lost).toContainEqual(expect.objectContaining({ detail: 'photos that are as damaged as before' }));
  });
});

describe('pictures in an office document', () => {
  const parts = unzipSync(gunzipSync(readFileSync('tests/repair/fixtures/libreoffice-letter.docx.gz')));
  /** The letter with a picture that is stored as it is, and then damaged in place. */
  const letter = (path: string, good: Buffer, bad: Buffer) => {
    const bytes = Buffer.from(zipSync({ ...parts, [path]: [good, { level: 0 }] }));
    bytes.set(bad, bytes.indexOf(good));
    return bytes;
  };
  const partOf = (output: Buffer | null, path: string) => Buffer.from(unzipSync(output ?? Buffer.alloc(0))[path] ?? []);

  it('that are damaged photos go through the repair of photos', async () => {
    const path = 'word/media/image1.jpeg';
    const { report, output } = await repairBytes(letter(path, photo, damaged()), 'letter.docx');
    expect(report.verdict).toBe('partly');
    expect(report.steps).toContainEqual(expect.objectContaining({ name: 'Repair pictures' }));
    expect(report.lost[0]?.detail).toMatch(
      /image1\.jpeg: (?:the picture was set right|a part of the picture is missing)/,
    );
    expect(await scoreAgainst('jpg', photo, partOf(output, path))).toBeCloseTo(0.99917, 5);
  });

  it('that are damaged PNG go through the repair of PNG', async () => {
    const path = 'word/media/image2.png';
    const good = await sharp(photo).resize(200).png().toBuffer();
    const bad = Buffer.from(good);
    // Two bits, as the check sum of the package tells a single one.
    for (const at of [bad.length >> 1, (bad.length >> 1) + 900]) bad.writeUInt8(bad.readUInt8(at) ^ 0x10, at);
    const { report, output } = await repairBytes(letter(path, good, bad), 'letter.docx');
    expect(report.steps).toContainEqual(expect.objectContaining({ name: 'Repair pictures' }));
    expect(await scoreAgainst('png', good, partOf(output, path))).toBe(1);
  });

  it('of other kinds stay as they are, and are said to differ', async () => {
    const path = 'word/media/image3.emf';
    const good = Buffer.from('a drawing in a format of its own, '.repeat(40));
    const bad = Buffer.from(good).fill(0, 300, 340);
    const { report, output } = await repairBytes(letter(path, good, bad), 'letter.docx');
    expect(partOf(output, path).equals(bad)).toBe(true);
    expect(report.lost[0]?.detail).toBe(`${path}: some of it may differ`);
  });
});

describe('photos in a presentation of PowerPoint 97', () => {
  const presentation = (jpeg: Buffer) => pptOf([['The harbour', 'A photo of the harbour at night']], [jpeg]);

  it('that are sound are left alone', async () => {
    const { report } = await repairBytes(presentation(photo), 'harbour.ppt');
    expect(report.verdict).toBe('healthy');
  });

  it('whose data is damaged are told of where the tables of the file are lost as well', async () => {
    const bytes = presentation(damaged());
    const table = (bytes.readUInt32LE(76) + 1) * 512;
    bytes.fill(0, table + 128, table + 256);
    const { report } = await repairBytes(bytes, 'harbour.ppt');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'pictures', count: 1 }));
  });

  it('whose data is damaged are set right in their place, and nothing else changes', async () => {
    const bytes = presentation(damaged());
    const { report, output } = await repairBytes(bytes, 'harbour.ppt');
    expect(report.found).toContainEqual(
      expect.objectContaining({ kind: 'picture', offset: bytes.indexOf(damaged().subarray(0, 512)) }),
    );
    expect(report.verdict).toBe('partly');
    expect(report.kept).toContainEqual({ unit: 'pictures', count: 1 });
    expect(output?.length).toBe(bytes.length);
    const at = bytes.indexOf(damaged());
    expect(output?.subarray(0, at).equals(bytes.subarray(0, at))).toBe(true);
    expect(await scoreAgainst('jpg', photo, output?.subarray(at) ?? Buffer.alloc(0))).toBeCloseTo(0.99917, 5);
  });
});
