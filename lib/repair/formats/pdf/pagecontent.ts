import { Buffer } from '../../host/bytes';
import { PdfLexer, stringBytes } from './lexer';
import type { PdfModel } from './model';
import {
  entriesOf,
  type PdfObject,
  type PdfValue,
  pdfArray,
  pdfDictionary,
  pdfName,
  pdfNumber,
  pdfReference,
  referenceOf,
} from './values';

/** Texts of one font, and fonts of one page, that are kept. */
const mostKept = { texts: 400, fonts: 200 };
/** Units from the corner of a page beyond which nothing is drawn: larger pages are hardly ever made. */
const farthest = 5000;
/** Sides of A4 and the width of Letter, in points of 1/72 inch, and the margin around what is drawn. */
const paper = { width: 595, height: 842, letterWidth: 612 };
const margin = { x: 36, y: 20 };

/** What a content stream uses: fonts with samples of the strings shown in them, and how far its marks reach, in points. */
export type ContentUse = { fonts: Map<string, Buffer[]>; reach: { x: number; y: number } };

const operators = /(?:^|[\s\]>)])(?:BT|ET|Tj|TJ|Tf|Td|Tm|re|cm|Do|q|Q|rg|RG|g|l|m|S|f\*?|W\*?|n)(?=\s|$)/g;

/** Whether decoded bytes are page content (ISO 32000-1, 7.8.2): mostly text, with operators in it. */
export function looksLikeContent(data: Buffer): boolean {
  if (data.length < 8) return false;
  const text = data.toString('latin1', 0, 4096);
  if (/^\s*(?:\/CIDInit|%!PS|<\?xpacket|<\?xml|<x:xmp)/.test(text) || text.includes('begincmap')) return false;
  const matches = text.match(operators)?.length ?? 0;
  return matches >= 3 && /(?:\bTj|\bTJ|\bre|\bl|\bDo|\bTf|')(?:\s|$)/.test(text);
}

/** Collects the fonts of a content stream and samples of their strings. */
export function contentUse(data: Buffer, nesting: number): ContentUse {
  const use: ContentUse = { fonts: new Map(), reach: { x: 0, y: 0 } };
  const lexer = new PdfLexer(data, 0, data.length, nesting);
  let operands: PdfValue[] = [];
  let font: Buffer[] | null = null;
  while (lexer.position < data.length) {
    const before = lexer.position;
    const { value, keyword } = lexer.value();
    if (lexer.position <= before && keyword === null) break;
    if (keyword === null) {
      if (operands.length < 256) operands.push(value);
      continue;
    }
    if (keyword === '') break;
    if (keyword === 'Tf') font = remember(use, operands);
    else if (keyword === 'Tm' || keyword === 'Td' || keyword === 'cm') reachTo(use, operands.slice(-2));
    else if (/^(?:Tj|TJ|'|")$/.test(keyword) && font && font.length < mostKept.texts) font.push(...stringsOf(operands));
    operands = [];
  }
  return use;
}

function remember(use: ContentUse, operands: readonly PdfValue[]): Buffer[] | null {
  const name = operands.at(-2);
  if (name?.kind !== 'name' || use.fonts.size > mostKept.fonts) return null;
  const known = use.fonts.get(name.value) ?? [];
  use.fonts.set(name.value, known);
  return known;
}

function reachTo(use: ContentUse, operands: readonly PdfValue[]): void {
  const [x, y] = operands;
  if (x?.kind === 'number' && x.value < farthest) use.reach.x = Math.max(use.reach.x, x.value);
  if (y?.kind === 'number' && y.value < farthest) use.reach.y = Math.max(use.reach.y, y.value);
}

function stringsOf(operands: readonly PdfValue[]): Buffer[] {
  const found: Buffer[] = [];
  for (const operand of operands) {
    if (operand.kind === 'string') found.push(stringBytes(operand.raw));
    if (operand.kind === 'array') found.push(...piecesOf(operand.items));
  }
  return found;
}

/** Room in front of a string, in thousandths of the size of its font, that stands for a space (9.4.3). */
const wordGap = 180;

/** What an array of strings and moves shows in one go, taken apart where it leaves room between words. */
function piecesOf(items: readonly PdfValue[]): Buffer[] {
  const pieces: Buffer[][] = [[]];
  for (const item of items) {
    if (item.kind === 'string') pieces.at(-1)?.push(stringBytes(item.raw));
    else if (item.kind === 'number' && -item.value > wordGap) pieces.push([]);
  }
  return pieces.filter((piece) => piece.length > 0).map((piece) => Buffer.concat(piece));
}

/** Whether content draws one glyph of a font: that says first how wide the glyph is (9.6.5). */
function isGlyph(data: Buffer): boolean {
  return /^(?:[+-]?[\d.]+\s+){2,6}d[01]\s/.test(data.toString('latin1', 0, 200).trimStart());
}

/** Entries of streams that are something else than content of pages and tables of letters. */
const otherwise = ['Type', 'Subtype', 'Length1', 'FunctionType', 'ShadingType', 'PatternType', 'N'];

/** Whether an object is a stream that does not say what it is, as content of pages and tables of letters do not. */
export const isBareStream = ({ stream, value }: PdfObject): boolean =>
  stream !== null && !otherwise.some((key) => entriesOf(value).has(key));

/** Content streams that no page uses, in the order of the file; no more are looked for than `most`. */
export function orphanContents(
  model: PdfModel,
  pages: readonly PdfObject[],
  most = Number.POSITIVE_INFINITY,
): PdfObject[] {
  const used = new Set<number>();
  for (const page of pages) {
    const contents = entriesOf(page.value).get('Contents');
    const direct = referenceOf(contents);
    if (direct !== null) used.add(direct);
    const list = model.resolve(contents);
    if (list?.kind === 'array') for (const item of list.items) used.add(referenceOf(item) ?? -1);
  }
  const found: PdfObject[] = [];
  for (const object of model.objects.values()) {
    if (found.length >= most) break;
    if (used.has(object.number) || !isBareStream(object)) continue;
    const decoded = model.decode(object);
    if (decoded.supported && looksLikeContent(decoded.data) && !isGlyph(decoded.data)) found.push(object);
  }
  return found;
}

/** Entries of a page (ISO 32000-1, table 30; ISO 32000-2, table 31). */
const pageKeys = new Set(
  'Type Parent LastModified Resources MediaBox CropBox BleedBox TrimBox ArtBox BoxColorInfo Contents Rotate Group Thumb B Dur Trans Annots AA Metadata PieceInfo StructParents ID PZ SeparationInfo Tabs TemplateInstantiated PresSteps UserUnit VP AF OutputIntents DPart'.split(
    ' ',
  ),
);

/** Contents that no page uses, by pages without any that name them by an entry that pages do not have: their own, by a damaged name. */
export function contentsAside(model: PdfModel, pages: readonly PdfObject[]): Map<PdfObject, PdfObject> {
  const asides = new Map<number, PdfObject>();
  for (const page of pages) {
    const entries = entriesOf(page.value);
    if (entries.has('Contents')) continue;
    for (const [key, value] of entries) {
      const number = pageKeys.has(key) ? null : referenceOf(value?.kind === 'array' ? value.items[0] : value);
      if (number !== null && !asides.has(number)) asides.set(number, page);
    }
  }
  const found = new Map<PdfObject, PdfObject>();
  if (asides.size === 0) return found;
  for (const content of orphanContents(model, pages)) {
    const page = asides.get(content.number);
    if (page && !found.has(page)) found.set(page, content);
  }
  return found;
}

/** The nearest of the usual sizes of pages that holds what a content stream draws; A4 where there is none. */
export function contentBox(model: PdfModel, content: PdfObject | null): PdfValue {
  const { reach } = contentUse(content ? model.decode(content).data : Buffer.alloc(0), model.job.limits.nesting);
  const wide = reach.x > paper.letterWidth && reach.y <= paper.letterWidth;
  const size = wide
    ? [Math.max(paper.height, Math.ceil(reach.x + margin.x)), paper.width]
    : [paper.width, Math.max(paper.height, Math.ceil(reach.y + margin.y))];
  return pdfArray([0, 0, ...size].map((edge) => pdfNumber(edge)));
}

/** Makes a page of a content stream whose own page object was lost. */
export function pageFor(model: PdfModel, content: PdfObject): PdfObject {
  const box = contentBox(model, content);
  return model.add(pdfDictionary({ Type: pdfName('Page'), MediaBox: box, Contents: pdfReference(content.number) }));
}
