import { countWords } from '../../core/words';
import type { Buffer } from '../../host/bytes';
import { type OleFile, topStream } from './container';
import { decodeNarrow, piecesText, possiblePieces, readable } from './fib';

/** The text of a Word document whose header is lost: by the piece table that fits its stream, or else what reads as writing in the file. */
export function searchText(file: OleFile): string {
  const placed = placedText(file);
  const found = writingOf(file.sectors.bytes);
  // The pieces have the text in its order and with its last characters, so that they count where they bring no less.
  return countWords(placed) >= countWords(found) * comparable ? placed : found;
}

/** Words of the pieces for each found by looking at every byte, above which the pieces are those of the document; titles and names lie outside of them. */
const comparable = 0.9;

/** Characters that are judged together, whether they are writing. */
const window = 128;
/** Control characters in a window, of the 32 that no text keeps, which make it debris: of random bytes every eighth is one. */
const mostControls = 3;
/** Upper bytes that writing of one or two scripts uses in a window, and how many lower ones for each upper one it uses at least where it is ideographs; in random bytes they are as many. */
const usualUpper = 4;
const leastApart = 1.4;

/** The text of the pieces, without the stretches of it that are none. */
function placedText(file: OleFile): string {
  const document = topStream(file, 'WordDocument')?.data;
  if (!document) return '';
  const tables = file.streams.filter(({ path }) => /^[01]Table$/.test(path[0] ?? '')).map(({ data }) => data);
  let best = '';
  let most = 0;
  for (const table of [...tables, file.miniStream]) {
    for (const pieces of possiblePieces(table, document.length)) {
      const text = writingOnly(piecesText(document, pieces).text);
      const words = countWords(text) * readable(text);
      if (words <= most) continue;
      best = text;
      most = words;
    }
  }
  return best;
}

function writingOnly(text: string): string {
  const kept: string[] = [];
  const bare = text.replaceAll('\0', '');
  for (let at = 0; at < bare.length; at += window) {
    const stretch = bare.slice(at, at + window);
    if (isWriting(stretch) && scriptsIn(stretch) < mostScripts) kept.push(stretch);
  }
  return kept.join('');
}

/** Scripts besides Latin and Greek letters, signs and one of East Asia that are used in a window of no writing: tables that are read as text use many. */
const mostScripts = 4;
/** Blocks of 256 characters with letters of Latin and Greek and with signs that all scripts use, those of symbol fonts among them (The Unicode Standard, 2.8). */
const usualBlocks: ReadonlySet<number> = new Set([0, 1, 2, 3, 0x1e, 0x20, 0x21, 0x22, 0x25, 0x26, 0x27, 0xf0, 0xff]);
/** Those of East Asian scripts, which make many blocks together (18). */
const isEastern = (block: number): boolean => block >= 0x2e && block <= 0xd7;

/** How many unusual scripts the characters of a stretch are of. */
function scriptsIn(stretch: string): number {
  const scripts = new Set<number>();
  for (let at = 0; at < stretch.length; at++) {
    const block = stretch.charCodeAt(at) >> 8;
    if (!usualBlocks.has(block)) scripts.add(isEastern(block) ? -1 : block);
  }
  return scripts.size;
}

/** Whether characters can be writing: no random bytes, and no other data read across the middle of its characters. */
export function isWriting(stretch: string): boolean {
  const low = new Set<number>();
  const high = new Set<number>();
  let controls = 0;
  for (let at = 0; at < stretch.length; at++) {
    const code = stretch.charCodeAt(at);
    low.add(code & 255);
    high.add(code >> 8);
    if (code < 32 && code !== 10 && !marks.has(code)) controls++;
  }
  return controls < mostControls && (high.size <= usualUpper || low.size >= high.size * leastApart);
}

/** Characters of a stretch that is taken for writing, and one space in so many characters at most, and at least. */
const leastRun = 80;
const charactersPerSpace = { least: 2.5, most: 16 };
/** The share of a paragraph that tags may make up: a text about a markup language quotes some. */
const mostMarkup = 0.2;

/** A run of characters that stand in documents, and where its bytes lie. */
type Run = { start: number; text: string };

/** What reads as writing in the file, in the width of most of it, and between that in the other one too. */
function writingOf(bytes: Buffer): string {
  const narrow = proseRuns(bytes, 1, 0);
  // What lost an odd number of bytes goes on at odd places.
  const wide = [...proseRuns(bytes, 2, 0), ...proseRuns(bytes, 2, 1)].sort((left, right) => left.start - right.start);
  const [main, other] = wordsOf(wide) > wordsOf(narrow) ? [wide, narrow] : [narrow, wide];
  const [from, to] = [main[0]?.start ?? 0, main.at(-1)?.start ?? 0];
  const between = other.filter(({ start }) => start > from && start < to);
  return [...main, ...between]
    .sort((left, right) => left.start - right.start)
    .map(({ text }) => text)
    .join('\r');
}

const wordsOf = (runs: readonly Run[]) => runs.reduce((sum, { text }) => sum + countWords(text), 0);

/** Marks of notes, of the lines that part these from the text, of pictures, cells, tabs, lines, pages, columns and paragraphs, fields and hyphens, which stand in text ([MS-DOC] 2.4.1). */
const marks = new Set([1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 0x13, 0x14, 0x15, 0x1e, 0x1f]);
/** The bytes above 7f that Windows code page 1252 gives to no character. */
const unusedNarrow = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Alphabets end where punctuation begins, of which these characters are the usual ones; no two letters of one byte each read as either. */
const alphabetsEnd = 0x2000;
const isPunctuation = (code: number) => (code >= 0x2010 && code <= 0x2044) || code === 0x20ac || code === 0x2122;

function isWritten(code: number, width: 1 | 2): boolean {
  if (code < 0x7f) return code >= 32 || marks.has(code);
  if (width === 1) return code > 0x7f && !unusedNarrow.has(code);
  return (code >= 0xa0 && code < alphabetsEnd) || isPunctuation(code);
}

/** Runs of characters of one width that hold prose, as far as they do. */
function proseRuns(bytes: Buffer, width: 1 | 2, from: 0 | 1): Run[] {
  const runs: Run[] = [];
  let start = -1;
  const close = (end: number) => {
    if (start >= 0 && end - start >= leastRun * width) {
      const raw = bytes.subarray(start, end);
      const text = proseOf(width === 1 ? decodeNarrow(raw) : raw.toString('utf16le'));
      if (text.length > 0) runs.push({ start, text });
    }
    start = -1;
  };
  let at = from;
  for (; at + width <= bytes.length; at += width) {
    const isIn = isWritten(width === 1 ? (bytes[at] ?? 0) : bytes.readUInt16LE(at), width);
    if (isIn && start < 0) start = at;
    else if (!isIn) close(at);
  }
  close(at);
  return runs;
}

/** The paragraphs of a run from the first that is prose to the last: what stands between two of them is part of the text. */
function proseOf(run: string): string {
  const blocks = blocksOf(run);
  const first = blocks.findIndex(isProse);
  return first < 0 ? '' : blocks.slice(first, blocks.findLastIndex(isProse) + 1).join('');
}

/** What stands between the marks of paragraphs, cells and lines; short stretches, which tell nothing by themselves, together. */
function blocksOf(run: string): string[] {
  const blocks: string[] = [];
  let open = '';
  for (const paragraph of run.split(/(?<=\p{Cc})/u)) {
    open += paragraph;
    if (open.length < leastRun) continue;
    blocks.push(open);
    open = '';
  }
  if (open.length > 0 && blocks.length > 0) blocks.push(`${blocks.pop() ?? ''}${open}`);
  return blocks;
}

/** Words with spaces between them: not the XML, names and tables that also lie in a document. */
function isProse(block: string): boolean {
  const letters = block.match(/[\p{L}\p{M} ]/gu)?.length ?? 0;
  const spaces = block.match(/[ \p{Cc}]/gu)?.length ?? 0;
  const isSpaced = spaces > block.length / charactersPerSpace.most && spaces < block.length / charactersPerSpace.least;
  // Pictures repeat a few values; writing uses many letters.
  const isVaried = new Set(block.slice(0, 4000)).size >= 15;
  const markup = (block.match(/<[/?!a-z][^<>]{0,500}>/gi) ?? []).reduce((sum, { length }) => sum + length, 0);
  return letters > block.length * 0.6 && isSpaced && isVaried && markup <= block.length * mostMarkup;
}
