import { countWords } from '../../bytes';
import type { Measure } from '../../report';
import { decodeXml, runText, unescapeXml } from './text';

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

/** Counts words, sheets or slides, cells and pictures of a package. */
export function measureContent(format: string, parts: Parts): Content {
  const content: Content = { words: 0, units: 0, media: 0, cells: 0 };
  const strings = format === 'xlsx' ? sharedStrings(parts) : [];
  for (const [path, data] of parts) {
    if (/\/media\/[^/]+$/.test(path) && data.length > 0) content.media++;
    if (unitPaths[format]?.test(path)) content.units++;
    if (!textPaths[format]?.test(path)) continue;
    const xml = decodeXml(data);
    if (format !== 'xlsx') content.words += countWords(runText(xml));
    else {
      const sheet = measureSheet(xml, strings);
      content.words += sheet.words;
      content.cells += sheet.cells;
    }
  }
  return content;
}

/** Word counts of the shared strings, in their order (ECMA-376 part 1, 18.4.8). */
function sharedStrings(parts: Parts): number[] {
  const data = parts.get('xl/sharedStrings.xml');
  if (!data) return [];
  return [...decodeXml(data).matchAll(/<(?:\w+:)?si(?:\s[^<>]*)?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?si>)/g)].map(
    ([, inner = '']) => countWords(runText(inner)),
  );
}

function measureSheet(xml: string, strings: readonly number[]): { words: number; cells: number } {
  let words = 0;
  let cells = 0;
  const pattern = /<(?:\w+:)?c(\s[^<>]*?)?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g;
  for (let match = pattern.exec(xml); match; match = pattern.exec(xml)) {
    const [, attributes = '', inner = ''] = match;
    const value = /<(?:\w+:)?v(?:\s[^<>]*)?>([^<]*)</.exec(inner)?.[1];
    if (value === undefined && !inner.includes('is>')) continue;
    cells++;
    if (/\st=["']s["']/.test(attributes)) words += strings[Number(value)] ?? 0;
    else words += inner.includes('is>') ? countWords(runText(inner)) : countWords(unescapeXml(value ?? ''));
  }
  return { words, cells };
}

/** The content as measures for a report. */
export function contentMeasures(format: string, content: Content): Measure[] {
  const measures: Measure[] = [];
  if (format === 'xlsx')
    measures.push({ unit: 'sheets', count: content.units }, { unit: 'cells', count: content.cells });
  if (format === 'pptx') measures.push({ unit: 'slides', count: content.units });
  measures.push({ unit: 'words', count: content.words });
  if (content.media > 0) measures.push({ unit: 'pictures', count: content.media });
  return measures;
}
