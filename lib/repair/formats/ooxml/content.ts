import { countWords } from '../../core/words';
import type { Buffer } from '../../host/bytes';
import type { Amount } from '../../report/facts/document';
import { decodeXml, runText, unescapeXml, withoutElements } from './text';

export type Parts = ReadonlyMap<string, Buffer>;

/** What a package holds, counted in the units of its format. */
export type Content = { words: number; units: number; media: number; cells: number };

const unitPaths: Record<string, RegExp> = {
  docx: /^word\/document\d*\.xml$/,
  xlsx: /^xl\/worksheets\/[^/]+\.xml$/,
  pptx: /^ppt\/slides\/[^/]+\.xml$/,
};

const textPaths: Record<string, RegExp> = {
  docx: /^word\/(?:document\d*|header\d*|footer\d*|footnotes|endnotes)\.xml$/,
  xlsx: /^xl\/worksheets\/[^/]+\.xml$/,
  pptx: /^ppt\/(?:slides|notesSlides)\/[^/]+\.xml$/,
};

/** Parts that hold what a document is for: its text, its cells, its slides. */
export const textParts: Readonly<Record<string, RegExp>> = {
  docx: /^word\/document\d*\.xml$/,
  xlsx: /^xl\/(?:worksheets\/[^/]+|sharedStrings)\.xml$/,
  pptx: /^ppt\/slides\/[^/]+\.xml$/,
};

/** What stands in for a drawing in programs that do not know its kind; readers see one of the two (ECMA-376 part 3, 9.3). */
const standIn = /(?<=<\/mc:Choice>\s{0,200})<mc:Fallback(?=[\s>])(?![^<>]*\/>)/g;

/** Counts words, sheets or slides, cells and pictures of a package; what is written in the drawings of a workbook counts too. */
export function measureContent(format: string, parts: Parts): Content {
  const content: Content = { words: 0, units: 0, media: 0, cells: 0 };
  const strings = format === 'xlsx' ? sharedStrings(parts) : [];
  for (const [path, data] of parts) {
    if (/\/media\/[^/]+$/.test(path) && data.length > 0) content.media++;
    if (unitPaths[format]?.test(path)) content.units++;
    const isDrawn = format === 'xlsx' && /^xl\/drawings\/[^/]+\.xml$/.test(path);
    if (!isDrawn && !textPaths[format]?.test(path)) continue;
    const xml = withoutElements(decodeXml(data), standIn, '</mc:Fallback>');
    if (format !== 'xlsx' || isDrawn) content.words += countWords(runText(xml));
    else {
      const sheet = measureSheet(xml, strings);
      content.words += sheet.words;
      content.cells += sheet.cells;
    }
  }
  return content;
}

/** Word counts of the shared strings, in their order (ECMA-376 part 1, 18.4.8); undefined for empty ones. */
function sharedStrings(parts: Parts): (number | undefined)[] {
  const data = parts.get('xl/sharedStrings.xml');
  if (!data) return [];
  return [...decodeXml(data).matchAll(/<(?:\w+:)?si(?:\s[^<>]*)?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?si>)/g)].map(
    ([, inner = '']) => {
      const text = runText(inner);
      return text === '' ? undefined : countWords(text);
    },
  );
}

function measureSheet(xml: string, strings: readonly (number | undefined)[]): { words: number; cells: number } {
  let words = 0;
  let cells = 0;
  const pattern = /<(?:\w+:)?c(\s[^<>]*?)?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g;
  for (let match = pattern.exec(xml); match; match = pattern.exec(xml)) {
    const [, attributes = '', inner = ''] = match;
    const value = /<(?:\w+:)?v(?:\s[^<>]*)?>([^<]*)</.exec(inner)?.[1];
    if (value === undefined && !inner.includes('is>')) continue;
    const shared = /\st=["']s["']/.test(attributes);
    // A cell whose text is gone holds nothing.
    if (shared && strings[Number(value)] === undefined) continue;
    cells++;
    if (shared) words += strings[Number(value)] ?? 0;
    else words += inner.includes('is>') ? countWords(runText(inner)) : countWords(unescapeXml(value ?? ''));
  }
  return { words, cells };
}

/** The content as the report counts it. */
export function amountsOf(format: string, content: Content): Amount[] {
  const amounts: Amount[] = [];
  if (format === 'xlsx')
    amounts.push({ unit: 'sheets', count: content.units }, { unit: 'cells', count: content.cells });
  if (format === 'pptx') amounts.push({ unit: 'slides', count: content.units });
  amounts.push({ unit: 'words', count: content.words });
  if (content.media > 0) amounts.push({ unit: 'pictures', count: content.media });
  return amounts;
}
