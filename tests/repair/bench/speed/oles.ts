import { nothingToldYet } from '../../../../lib/repair/families/document';
import { biff, writeRecord } from '../../../../lib/repair/formats/ole/biff';
import { wordClass, writePlainDocument } from '../../../../lib/repair/formats/ole/docwrite';
import { rebuildPresentation } from '../../../../lib/repair/formats/ole/ppt';
import { writePptRecord } from '../../../../lib/repair/formats/ole/pptrecords';
import { slideWith } from '../../../../lib/repair/formats/ole/pptslide';
import { writeSharedStrings } from '../../../../lib/repair/formats/ole/sharedstrings';
import { writeOle } from '../../../../lib/repair/formats/ole/write';
import { jpegPictures } from './pictures';
import { Prose } from './prose';

type Amount = { texts: number; pictures: number };

/** A Word 97 document; its pictures lie in a stream of their own. */
export async function doc({ texts, pictures }: Amount): Promise<Buffer> {
  const prose = new Prose(4);
  const text = Array.from({ length: texts }, () => prose.paragraph()).join('\r');
  const images = (await jpegPictures(pictures)).map((image) => {
    const head = Buffer.alloc(68);
    head.writeUInt32LE(head.length + image.length, 0);
    head.writeUInt16LE(head.length, 4);
    return Buffer.concat([head, image]);
  });
  const streams = writePlainDocument(text);
  if (images.length > 0) streams.push({ path: ['Data'], data: Buffer.concat(images) });
  return writeOle(streams, wordClass);
}

function sheetOf(rows: number, strings: number, prose: Prose): Buffer {
  const records = [writeRecord(biff.beginning, Buffer.from('00061000bb0dcc07c100000006030000', 'hex'))];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < 6; column++) {
      const isText = column < 3;
      const cell = Buffer.alloc(isText ? 10 : 14);
      cell.writeUInt16LE(row, 0);
      cell.writeUInt16LE(column, 2);
      cell.writeUInt16LE(15, 4);
      if (isText) cell.writeUInt32LE(prose.number(strings), 6);
      else cell.writeDoubleLE(prose.number(10_000_000) / 100, 6);
      records.push(writeRecord(isText ? biff.labelSst : biff.number, cell));
    }
  }
  records.push(writeRecord(biff.eof, Buffer.alloc(0)));
  return Buffer.concat(records);
}

/** Drawings as the record that holds them and those that continue it ([MS-XLS] 2.4.170). */
function drawings(data: Buffer): Buffer[] {
  const most = 8224;
  return Array.from({ length: Math.ceil(data.length / most) }, (_, index) =>
    writeRecord(index === 0 ? 0x00eb : biff.continued, data.subarray(index * most, (index + 1) * most)),
  );
}

/** An Excel 97 workbook of three sheets. */
export async function xls({ texts, pictures }: Amount): Promise<Buffer> {
  const prose = new Prose(5);
  const strings = Array.from({ length: Math.ceil(texts / 2) }, () => prose.words(1 + prose.number(6)));
  const sheets = [1, 2, 3].map(() => sheetOf(Math.ceil(texts / 3), strings.length, prose));
  const format = Buffer.alloc(20);
  format.writeUInt16LE(0x20, 6);
  const before = [
    writeRecord(biff.beginning, Buffer.from('00060500bb0dcc07c100000006030000', 'hex')),
    ...Array.from({ length: 16 }, () => writeRecord(biff.xf, format)),
  ];
  const behind = [
    ...drawings(Buffer.concat(await jpegPictures(pictures))),
    writeSharedStrings(strings, texts * 3),
    writeRecord(biff.eof, Buffer.alloc(0)),
  ];
  const name = (place: number, index: number) => {
    const data = Buffer.concat([Buffer.alloc(8), Buffer.from(`Sheet${index + 1}`)]);
    data.writeUInt32LE(place, 0);
    data[6] = data.length - 8;
    return writeRecord(biff.boundSheet, data);
  };
  const sizeOf = (list: readonly Buffer[]) => list.reduce((sum, { length }) => sum + length, 0);
  let place = sizeOf(before) + sizeOf(sheets.map((_, index) => name(0, index))) + sizeOf(behind);
  const names = sheets.map((sheet, index) => {
    const record = name(place, index);
    place += sheet.length;
    return record;
  });
  return writeOle([{ path: ['Workbook'], data: Buffer.concat([...before, ...names, ...behind, ...sheets]) }], null);
}

/** A PowerPoint 97 presentation; its pictures lie in a stream of their own, one record each ([MS-ODRAW] 2.2.27). */
export async function ppt({ texts, pictures }: Amount): Promise<Buffer> {
  const prose = new Prose(6);
  const slides = Array.from({ length: texts }, () => [prose.sentence(), prose.paragraph(6)]);
  return pptOf(slides, await jpegPictures(pictures));
}

/** A presentation of slides given by their texts, and of JPEG pictures. */
export function pptOf(slides: readonly string[][], pictures: readonly Buffer[]): Buffer {
  const records = slides.map((texts, index) => writePptRecord(slideWith(texts, 0x80000000, index + 1)));
  const built = rebuildPresentation(Buffer.concat(records), 64, nothingToldYet());
  if (!built) throw new Error('No presentation came out of the slides.');
  const images = pictures.map((image) => {
    const head = Buffer.alloc(25);
    head.writeUInt16LE(0x46a0, 0);
    head.writeUInt16LE(0xf01d, 2);
    head.writeUInt32LE(17 + image.length, 4);
    return Buffer.concat([head, image]);
  });
  const streams = [
    { path: ['Current User'], data: built.currentUser },
    { path: ['PowerPoint Document'], data: built.document },
  ];
  if (images.length > 0) streams.push({ path: ['Pictures'], data: Buffer.concat(images) });
  return writeOle(streams, Buffer.from('108d81649b4fcf1186ea00aa00b929e8', 'hex'));
}
