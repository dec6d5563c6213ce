import { PDFiumLibrary } from '@hyzyla/pdfium';
import CFB from 'cfb';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { readRecords } from '../../../lib/repair/formats/ole/biff';
import { documentText } from '../../../lib/repair/formats/ole/doc';
import { pptTexts, readPptRecords } from '../../../lib/repair/formats/ole/pptrecords';
import { readSharedStrings } from '../../../lib/repair/formats/ole/sharedstrings';

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Words of an office package, each part in its own right; shared strings count once for each cell that uses them. */
function packageWords(bytes: Buffer): string[] {
  const parts = unzipSync(bytes, { filter: ({ name }) => /\.xml$/.test(name) });
  const text = (path: string) => Buffer.from(parts[path] ?? []).toString('utf8');
  const runs = (xml: string) =>
    [...xml.matchAll(/<(?:\w+:)?t(?:\s[^<>]*)?>([^<]*)<|<\/(?:\w+:)?(?:p|si)>/g)].map(([, run]) => run ?? ' ').join('');
  const strings = [...text('xl/sharedStrings.xml').matchAll(/<si>([\s\S]*?)<\/si>/g)].map(([, item = '']) =>
    runs(item),
  );
  const words: string[] = [];
  for (const path of Object.keys(parts)) {
    if (/^(?:word\/(?:document|header|footer)|ppt\/slides\/slide)[^/]*\.xml$/.test(path))
      words.push(...wordsOf(runs(text(path))));
    if (!/^xl\/worksheets\/[^/]+\.xml$/.test(path)) continue;
    for (const [, attributes = '', inner = ''] of text(path).matchAll(/<c(\s[^<>]*)>([\s\S]*?)<\/c>/g)) {
      const value = /<v>([^<]*)</.exec(inner)?.[1] ?? '';
      words.push(
        ...wordsOf(
          /t="s"/.test(attributes) ? (strings[Number(value)] ?? '') : inner.includes('<is>') ? runs(inner) : value,
        ),
      );
    }
  }
  return words;
}

/** Words of the paragraphs of an OpenDocument package. */
function openDocumentWords(bytes: Buffer): string[] {
  const parts = unzipSync(bytes, { filter: ({ name }) => name === 'content.xml' });
  const xml = Buffer.from(parts['content.xml'] ?? []).toString('utf8');
  return [...xml.matchAll(/<text:[ph](?:\s[^<>]*)?>([\s\S]*?)<\/text:[ph]>/g)].flatMap(([, inner = '']) =>
    wordsOf(inner.replace(/<[^<>]*>/g, '')),
  );
}

let library: Promise<PDFiumLibrary> | undefined;

async function pdfWords(bytes: Buffer): Promise<string[]> {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(bytes);
  const words: string[] = [];
  for (const page of document.pages()) words.push(...wordsOf(page.getText()));
  document.destroy();
  return words;
}

function oleWords(format: string, bytes: Buffer): string[] {
  const container = CFB.read(bytes, { type: 'buffer' });
  const stream = (name: string) => {
    const entry = CFB.find(container, `/${name}`);
    return entry ? Buffer.from(entry.content as Uint8Array) : null;
  };
  if (format === 'doc') {
    const document = stream('WordDocument');
    if (!document) return [];
    return wordsOf(documentText(document, stream(document.readUInt16LE(10) & 0x200 ? '1Table' : '0Table')) ?? '');
  }
  if (format === 'ppt') {
    const document = stream('PowerPoint Document');
    return document ? readPptRecords(document, 0, document.length, 100).flatMap(pptTexts).flatMap(wordsOf) : [];
  }
  const workbook = stream('Workbook') ?? stream('Book');
  if (!workbook) return [];
  const { records } = readRecords(workbook);
  const first = records.findIndex((record) => record.type === 0xfc);
  let last = first;
  while (records[last + 1]?.type === 0x3c) last++;
  const { strings } = readSharedStrings(first < 0 ? [] : records.slice(first, last + 1).map((record) => record.data));
  return records.flatMap(({ type, data }) => {
    if (type === 0xfd) return wordsOf(strings[data.readUInt32LE(6)] ?? '');
    if (type === 0x203) return [`number${data.readDoubleLE(6)}`];
    if (type === 0x27e) return [`number${data.readInt32LE(6)}`];
    if (type === 0xbd)
      return Array.from({ length: (data.length - 6) / 6 }, (_, index) => `number${data.readInt32LE(6 + index * 6)}`);
    return [];
  });
}

/** The share of the original's words that can be read back, however they are ordered. */
function recall(wanted: readonly string[], got: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of got) left.set(word, (left.get(word) ?? 0) + 1);
  let hits = 0;
  for (const word of wanted) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      hits++;
      left.set(word, count - 1);
    }
  }
  return wanted.length === 0 ? 1 : hits / wanted.length;
}

/** All frames of an animation, one below the other; the first page of other pictures. */
async function pixels(bytes: Buffer) {
  const animated = bytes.toString('latin1', 8, 12) === 'WEBP';
  const { data, info } = await sharp(bytes, { failOn: 'none', animated })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

type Pixels = Awaited<ReturnType<typeof pixels>>;

/** Samples of one place: red, green and blue, or the one grey of all; null outside of the picture. */
function samplesAt({ data, width, height, channels }: Pixels, x: number, y: number): number[] | null {
  if (x >= width || y >= height) return null;
  const at = (y * width + x) * channels;
  return [0, 1, 2].map((channel) => data[at + Math.min(channel, channels - 1)] ?? 0);
}

/** How far two pictures are apart in a block, in levels of 0 to 255 on average. */
function distance(first: Pixels, second: Pixels, left: number, top: number): number {
  let [sum, count] = [0, 0];
  for (let y = top; y < Math.min(top + blockSize, first.height); y++) {
    for (let x = left; x < Math.min(left + blockSize, first.width); x++) {
      const wanted = samplesAt(first, x, y) ?? [];
      const got = samplesAt(second, x, y);
      for (const [channel, value] of wanted.entries()) sum += got ? Math.abs(value - (got[channel] ?? 0)) : 255;
      count += wanted.length;
    }
  }
  return sum / count;
}

const blockSize = 16;

/** The share of 16 by 16 blocks whose samples differ by less than 8 levels on average. */
async function blockMatch(original: Buffer, result: Buffer): Promise<number> {
  const [first, second] = [await pixels(original), await pixels(result)];
  let hits = 0;
  let total = 0;
  for (let top = 0; top < first.height; top += blockSize) {
    for (let left = 0; left < first.width; left += blockSize) {
      total++;
      if (distance(first, second, left, top) < 8) hits++;
    }
  }
  return hits / total;
}

const photoFormats = new Set(['jpg', 'png', 'tif', 'webp']);

/** What of `original` can be read in `result`, from 0 to 1; 0 when nothing can open it. Raw photos count by their bytes. */
export async function scoreAgainst(format: string, original: Buffer, result: Buffer): Promise<number> {
  try {
    if (format === 'pdf') return recall(await pdfWords(original), await pdfWords(result));
    if (/^(?:docx|xlsx|pptx)$/.test(format)) return recall(packageWords(original), packageWords(result));
    if (/^od[ts]$/.test(format)) return recall(openDocumentWords(original), openDocumentWords(result));
    if (/^(?:doc|xls|ppt)$/.test(format)) return recall(oleWords(format, original), oleWords(format, result));
    if (photoFormats.has(format)) return await blockMatch(original, result);
    return result.equals(original)
      ? 1
      : (await sharp(result, { failOn: 'none' }).metadata()).format === 'jpeg'
        ? 0.5
        : 0.9;
  } catch {
    return 0;
  }
}
