import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { unzipSync, zipSync } from 'fflate';
import { randomBytes, randomFrom } from '../random';
import { rawPhoto } from '../rawphotos';
import { cr3, crw, raf } from '../raws';
import { jpegs } from './jpeg';
import { odfs } from './odf';
import { type Original, picture } from './picture';
import { pngs } from './png';
import { tiffs } from './tiff';
import { webps } from './webp';

export type { Original } from './picture';

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
    bytes: Buffer.from(zipSync(parts, { level, mtime: new Date(2026, 0, 1) })),
  }));
}

async function raws(): Promise<Original[]> {
  const jpeg = await picture(640, 480, 14).jpeg({ quality: 85 }).toBuffer();
  const sensor = randomBytes(randomFrom(3), 60_000);
  const list: [string, Buffer][] = [
    ...(['cr2', 'nef', 'arw', 'dng'] as const).map((kind): [string, Buffer] => [kind, rawPhoto(kind, jpeg)]),
    ['nrw', rawPhoto('unpacked', jpeg)],
    ['gpr', rawPhoto('dng', jpeg)],
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
    return [
      ...files,
      ...packages.flatMap(repacked),
      ...(await pdfs()),
      ...(await jpegs()),
      ...(await pngs()),
      ...(await tiffs()),
      ...(await webps()),
      ...(await odfs()),
      ...(await raws()),
    ];
  })();
  return made;
}
