import { readFileSync } from 'node:fs';
import { deflateSync, gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { blipsIn, isMetafileSound, lostBlips } from '../../lib/repair/formats/ole/blips';
import { wordClass, writePlainDocument } from '../../lib/repair/formats/ole/docwrite';
import { writeOle } from '../../lib/repair/formats/ole/write';
import { xls } from './bench/speed/oles';
import { picture } from './support/originals/picture';
import { repairBytes } from './support/run';

/** A record of a picture ([MS-ODRAW] 2.2.27, 2.2.28). */
function blip(type: number, instance: number, data: Buffer): Buffer {
  const head = Buffer.alloc(25, 7);
  head.writeUInt16LE(instance << 4, 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(17 + data.length, 4);
  return Buffer.concat([head, data]);
}

const text = 'The harbour lies in the evening light and the boats come home one after another. '.repeat(20);
const letter = (record: Buffer) =>
  writeOle(
    [...writePlainDocument(text), { path: ['Data'], data: Buffer.concat([Buffer.alloc(68), record]) }],
    wordClass,
  );
const png = () => picture(160, 120, 3).png().toBuffer();

describe('pictures in a Word document', () => {
  it('that are sound PNG are left alone', async () => {
    const { report } = await repairBytes(letter(blip(0xf01e, 0x6e0, await png())), 'harbour.doc');
    expect(report.verdict).toBe('healthy');
  });

  it('that are PNG are told by their check sums, and set right', async () => {
    const good = await png();
    const sound = letter(blip(0xf01e, 0x6e0, good));
    const bytes = Buffer.from(sound);
    const at = bytes.indexOf(good) + (good.length >> 1);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
    const { report, output } = await repairBytes(bytes, 'harbour.doc');
    expect(report.found).toContainEqual(expect.objectContaining({ kind: 'picture' }));
    expect(report.verdict).not.toBe('healthy');
    const again = output?.subarray(sound.indexOf(good), sound.indexOf(good) + good.length) ?? Buffer.alloc(0);
    expect(await sharp(again).raw().toBuffer()).toEqual(await sharp(good).raw().toBuffer());
  });

  it('of which zeroes took the beginning are told', async () => {
    const photo = await picture(320, 240, 5).jpeg().toBuffer();
    const bytes = letter(blip(0xf01d, 0x46a, photo));
    bytes.fill(0, bytes.indexOf(photo), bytes.indexOf(photo) + 512);
    expect((await repairBytes(bytes, 'harbour.doc')).report.verdict).toBe('partly');
  });
});

describe('records of pictures', () => {
  it('that are gone are told by the list that places them', () => {
    const record = blip(0xf01e, 0x6e0, Buffer.alloc(300, 1));
    const entry = Buffer.alloc(44, 7);
    entry.writeUInt16LE(0x62, 0);
    entry.writeUInt16LE(0xf007, 2);
    entry.writeUInt32LE(36, 4);
    entry[8] = 6;
    entry.writeUInt32LE(1, 32);
    entry.writeUInt32LE(0, 36);
    expect(lostBlips(entry, record, blipsIn(record))).toBe(0);
    const wiped = Buffer.from(record).fill(0, 0, 64);
    expect(lostBlips(entry, wiped, blipsIn(wiped))).toBe(1);
  });

  it('of metafiles are held against their check sum', () => {
    const metafile = Buffer.concat([Buffer.alloc(34), deflateSync(Buffer.from(text))]);
    expect(isMetafileSound(metafile, 1 << 20)).toBe(true);
    metafile.writeUInt8(metafile.readUInt8(60) ^ 4, 60);
    expect(isMetafileSound(metafile, 1 << 20)).toBe(false);
  });
});

describe('a presentation of LibreOffice', () => {
  it('is healthy as it is', async () => {
    const bytes = gunzipSync(readFileSync('tests/repair/fixtures/libreoffice-slides.ppt.gz'));
    expect((await repairBytes(bytes, 'slides.ppt')).report.verdict).toBe('healthy');
  });
});

describe('photos in a workbook', () => {
  it('that are damaged are told, though they are cut into records', async () => {
    const bytes = await xls({ texts: 60, pictures: 1 });
    const small = await picture(160, 120, 5).jpeg().toBuffer();
    const at = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
    bytes.set(blip(0xf01d, 0x46a, small), at);
    expect((await repairBytes(Buffer.from(bytes), 'harbour.xls')).report.verdict).toBe('healthy');
    bytes.fill(0, at + 25, at + 25 + (small.length >> 1));
    const { report } = await repairBytes(bytes, 'harbour.xls');
    expect(report.verdict).not.toBe('healthy');
    expect(report.found).toContainEqual(expect.objectContaining({ kind: 'picture' }));
  });
});
