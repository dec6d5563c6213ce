import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { unzipSync, zipSync } from 'fflate';
import sharp, { type Sharp } from 'sharp';
import { randomBytes, randomFrom } from './random';
import { cr3, crw, raf, tiffRaw } from './raws';
import { scene } from './scene';

/** A valid file: the program that wrote it, its format as an extension, and its bytes. */
export type Original = { writer: string; format: string; bytes: Buffer };

/** Found from the project's root, where npm runs, as the bench is bundled to another place. */
const folder = join(process.cwd(), 'tests/repair/fixtures');

/** Frozen files of LibreOffice, pdfkit, docx, pptxgenjs and SheetJS. */
function frozen(): Original[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.gz'))
    .sort()
    .map((name) => ({
      writer: name.split('-')[0] ?? '',
      format: name.split('.').at(-2) ?? '',
      bytes: gunzipSync(readFileSync(join(folder, name))),
    }));
}

const sentence = 'The harbour lights went out one after another while the last ferry crossed the silent river';

async function pdfs(): Promise<Original[]> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= 6; number++) {
    const page = document.addPage([595, 842]);
    for (let line = 0; line < 30; line++)
      page.drawText(`${number}.${line} ${sentence}`, { x: 40, y: 790 - line * 24, size: 11, font });
  }
  return [
    {
      writer: 'pdf-lib with object streams',
      format: 'pdf',
      bytes: Buffer.from(await document.save({ useObjectStreams: true })),
    },
    {
      writer: 'pdf-lib with a table',
      format: 'pdf',
      bytes: Buffer.from(await document.save({ useObjectStreams: false })),
    },
  ];
}

/** The same package as other programs store it: without compression, and with the strongest. */
function repacked(original: Original): Original[] {
  const parts = unzipSync(original.bytes);
  return ([0, 9] as const).map((level) => ({
    writer: `fflate at level ${level}`,
    format: original.format,
    bytes: Buffer.from(zipSync(parts, { level })),
  }));
}

function picture(width: number, height: number, seed: number): Sharp {
  return sharp(scene(width, height, seed), { raw: { width, height, channels: 3 } });
}

async function photos(): Promise<Original[]> {
  const list: [string, string, Sharp][] = [
    ['standard tables', 'jpg', picture(480, 352, 1).jpeg({ quality: 85, optimiseCoding: false })],
    ['optimised tables', 'jpg', picture(420, 300, 2).jpeg({ quality: 92, chromaSubsampling: '4:4:4' })],
    ['grey', 'jpg', picture(400, 296, 3).greyscale().jpeg({ quality: 75, optimiseCoding: false })],
    ['progressive', 'jpg', picture(400, 300, 4).jpeg({ quality: 80, progressive: true })],
    ['colour', 'png', picture(260, 180, 5).png()],
    ['palette', 'png', picture(260, 180, 6).png({ palette: true })],
    ['grey', 'png', picture(300, 200, 7).greyscale().png({ compressionLevel: 9 })],
    ['interlaced', 'png', picture(240, 160, 8).png({ progressive: true })],
    ['plain', 'tif', picture(240, 160, 9).tiff({ compression: 'none' })],
    ['LZW', 'tif', picture(280, 200, 10).tiff({ compression: 'lzw', predictor: 'none', tileHeight: 32 })],
    ['LZW with predictor', 'tif', picture(280, 300, 11).tiff({ compression: 'lzw', predictor: 'horizontal' })],
    ['Deflate', 'tif', picture(280, 200, 12).tiff({ compression: 'deflate', predictor: 'horizontal' })],
    ['JPEG inside', 'tif', picture(280, 200, 13).tiff({ compression: 'jpeg' })],
  ];
  return Promise.all(
    list.map(async ([writer, format, image]) => ({
      writer: `libvips, ${writer}`,
      format,
      bytes: await image.toBuffer(),
    })),
  );
}

async function raws(): Promise<Original[]> {
  const jpeg = await picture(640, 480, 14).jpeg({ quality: 85 }).toBuffer();
  const sensor = randomBytes(randomFrom(3), 60_000);
  const list: [string, Buffer][] = [
    ...(['cr2', 'nef', 'arw', 'dng'] as const).map((kind): [string, Buffer] => [kind, tiffRaw(kind, jpeg, sensor)]),
    ['nrw', tiffRaw('nef', jpeg, sensor)],
    ['gpr', tiffRaw('dng', jpeg, sensor)],
    ['cr3', cr3(jpeg, sensor)],
    ['raf', raf(jpeg, sensor)],
    ['crw', crw(jpeg, sensor)],
  ];
  return list.map(([format, bytes]) => ({ writer: 'built after the maker’s layout', format, bytes }));
}

let made: Promise<Original[]> | undefined;

/** Every valid original, of every format and several writers; made once. */
export function originals(): Promise<Original[]> {
  made ??= (async () => {
    const files = frozen();
    const packages = files.filter(({ format, writer }) => /x$/.test(format) && writer === 'libreoffice');
    return [...files, ...packages.flatMap(repacked), ...(await pdfs()), ...(await photos()), ...(await raws())];
  })();
  return made;
}
