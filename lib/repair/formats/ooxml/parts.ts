import { countWords } from '../../core/words';
import { Buffer } from '../../host/bytes';
import type { StepFigures } from '../../report/facts/document';
import { mainParts, type OfficePackage, partText, stringsPath } from './package';
import { emptyVocabulary, PartScanner } from './scan';
import { emptySlidePart, presentation, theme, workbook, workbookStyles, worksheet } from './templates';
import { escapeXml, runText } from './text';

/** The number of a cell's text that can only be damage. */
const mostTexts = 2_000_000;

/** A cell of a sheet. */
const anyCell = /<(?:\w+:)?c[\s>]/;

const byNumber = new Intl.Collator('en', { numeric: true });

function pathsOf(pack: OfficePackage, pattern: RegExp): string[] {
  return [...pack.parts.keys()].filter((path) => pattern.test(path)).sort(byNumber.compare);
}

function countStrings(xml: string): number {
  return xml.match(/<(?:\w+:)?si[\s/>]/g)?.length ?? 0;
}

/** How many shared texts stand before the first damage: where the XML breaks, or bytes are not known. */
export function textsBeforeDamage(data: Buffer): number {
  const broken = new PartScanner(data, emptyVocabulary(), true).fault({ at: 0, open: null }, data.length);
  return countStrings(data.toString('latin1', 0, broken));
}

/** Cells refer to shared texts by number: empty ones stand in for those that are gone, so that the texts behind them keep theirs. */
function alignStrings(pack: OfficePackage, xml: string): string {
  const before = pack.stringsBefore;
  const promised = Number(/<(?:\w+:)?sst\s[^<>]*?uniqueCount="(\d{1,7})"/.exec(xml)?.[1] ?? 0);
  const missing = promised - countStrings(xml);
  if (before === undefined || before >= promised || missing <= 0) return xml;
  let place = 0;
  for (let item = 0; item < before; item++) {
    const end = /<\/(?:\w+:)?si>|<(?:\w+:)?si\s*\/>/g;
    end.lastIndex = place;
    const match = end.exec(xml);
    if (!match) return xml;
    place = end.lastIndex;
  }
  if (place === 0) return xml;
  const prefix = /<(\w+:)sst[\s>]/.exec(xml)?.[1] ?? '';
  const aligned =
    xml.slice(0, place) + `<${prefix}si><${prefix}t></${prefix}t></${prefix}si>`.repeat(missing) + xml.slice(place);
  pack.parts.set(stringsPath, Buffer.from(aligned));
  pack.told.lost.push({ how: 'texts.piece', count: missing });
  return aligned;
}

/** Gives a workbook what its sheets need: a main part, formats and shared strings for every reference. */
export function completeWorkbook(pack: OfficePackage): void {
  const sheetPattern = /^xl\/worksheets\/[^/]+\.xml$/;
  let sheets = pathsOf(pack, sheetPattern);
  const stringsXml = alignStrings(pack, partText(pack.parts, stringsPath) ?? '');
  const strings = countStrings(stringsXml);
  // Texts that are all there are worth more than sheets of which no cell is left.
  const areCellsGone =
    pack.stringsBefore === undefined && !sheets.some((path) => anyCell.test(partText(pack.parts, path) ?? ''));
  if (strings > 0 && (sheets.length === 0 || areCellsGone)) {
    const items = [...stringsXml.matchAll(/<(?:\w+:)?si(?:\s[^<>]*)?>([\s\S]*?)<\/(?:\w+:)?si>/g)];
    const texts = items.map(([, inner = '']) => runText(inner).trim()).filter((text) => countWords(text) > 0);
    pack.parts.set(sheets[0] ?? 'xl/worksheets/sheet1.xml', Buffer.from(worksheet(texts.map(escapeXml))));
    pack.told.steps.push({ kind: 'texts', count: texts.length });
    pack.told.lost.push({ how: 'sheets.places', count: 1 });
    pack.told.remarks.push({ kind: 'sheetsGone' });
    sheets = pathsOf(pack, sheetPattern);
  }
  if (!pack.parts.has(mainParts.xlsx ?? '') && sheets.length > 0) {
    pack.parts.set('xl/workbook.xml', Buffer.from(workbook(sheets.map((_, index) => `Sheet${index + 1}`))));
    pack.parts.delete('xl/_rels/workbook.xml.rels');
    pack.told.steps.push({ kind: 'workbook.list', count: sheets.length });
    tellMissing(pack, ['xl/workbook.xml']);
    pack.told.remarks.push({ kind: 'sheetNames' });
  }
  let mostString = -1;
  let mostFormat = 0;
  for (const path of sheets) {
    const xml = partText(pack.parts, path) ?? '';
    for (const [, attributes = '', value] of xml.matchAll(/<(?:\w+:)?c(\s[^<>]*?)\/?>(?:<(?:\w+:)?v>(\d+)<)?/g)) {
      mostFormat = Math.max(mostFormat, Number(/\ss="(\d{1,6})"/.exec(attributes)?.[1] ?? 0));
      if (value !== undefined && /\st="s"/.test(attributes)) mostString = Math.max(mostString, Number(value));
    }
  }
  if (!pack.parts.has('xl/styles.xml') && sheets.length > 0) {
    pack.parts.set('xl/styles.xml', Buffer.from(workbookStyles(Math.min(mostFormat, 65000) + 1)));
    pack.told.steps.push({ kind: 'styles' });
    if (mostFormat > 0) tellMissing(pack, ['xl/styles.xml']);
  }
  if (mostString >= strings && mostString < mostTexts) padStrings(pack, stringsXml, strings, mostString + 1);
}

/** Cells refer to shared texts by number; a number past the end makes Excel refuse the file, so empty texts are added. */
function padStrings(pack: OfficePackage, xml: string, have: number, want: number): void {
  const empty = '<si><t></t></si>'.repeat(want - have);
  const root = 'sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const close = xml.lastIndexOf('</');
  const prefixed = /<(\w+):sst[\s>]/.exec(xml)?.[1];
  const filler = prefixed ? empty.replace(/<(\/?)(si|t)>/g, `<$1${prefixed}:$2>`) : empty;
  const padded =
    have > 0 && close > 0
      ? xml.slice(0, close) + filler + xml.slice(close)
      : `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${empty}</sst>`;
  pack.parts.set(stringsPath, Buffer.from(padded));
  pack.told.lost.push({ how: 'texts.beyond', count: want - have });
}

/** Tells parts that every such document has and of which new ones say less: where all trace of them is gone, other parts may be, too. */
function tellMissing({ told }: OfficePackage, names: readonly string[]): void {
  told.lost.push({ how: 'parts.gone', count: names.length, names });
}

/** A part that a presentation cannot do without. */
type NewPart = StepFigures['presentation']['missing'][number];

/** Gives a presentation what its slides need: a main part, a master, a layout and a theme. */
export function completePresentation(pack: OfficePackage): void {
  const slides = pathsOf(pack, /^ppt\/slides\/[^/]+\.xml$/);
  if (slides.length === 0) return;
  const missing: NewPart[] = [];
  const need = (pattern: RegExp, path: string, xml: () => string, name: NewPart) => {
    if (pathsOf(pack, pattern).length > 0) return;
    pack.parts.set(path, Buffer.from(xml()));
    missing.push(name);
  };
  need(/^ppt\/theme\//, 'ppt/theme/theme1.xml', theme, 'theme');
  need(
    /^ppt\/slideMasters\/[^/]+\.xml$/,
    'ppt/slideMasters/slideMaster1.xml',
    () => emptySlidePart('sldMaster'),
    'slide master',
  );
  need(
    /^ppt\/slideLayouts\/[^/]+\.xml$/,
    'ppt/slideLayouts/slideLayout1.xml',
    () => emptySlidePart('sldLayout'),
    'slide layout',
  );
  if (!pack.parts.has(mainParts.pptx ?? '')) {
    pack.parts.set('ppt/presentation.xml', Buffer.from(presentation(slides.length)));
    pack.parts.delete('ppt/_rels/presentation.xml.rels');
    missing.push('list of slides');
  }
  if (missing.length === 0) return;
  pack.told.steps.push({ kind: 'presentation', missing });
  tellMissing(pack, missing);
}
