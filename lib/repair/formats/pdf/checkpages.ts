import { type DocumentTold, find } from '../../families/document';
import { resizedPages } from './boxes';
import { mostTold } from './check';
import { misspeltObjects } from './closednames';
import { flawedContents } from './contentsyntax';
import { FontUses } from './fontuses';
import { refuseEndlessForms } from './forms';
import { fontsMisled } from './lettertables';
import { loneContent } from './lonecontents';
import { unnamedStreams } from './lostfilters';
import type { PdfModel } from './model';
import { contentsAside } from './pagecontent';
import { collectPages, hollowPages, inheritedValue } from './pages';
import { entriesOf, nameOf, numberOf, type PdfDictionary, type PdfObject, type PdfValue } from './values';

/** Holds the tree of pages, and what each page leads to, against what they must be (ISO 32000-1, 7.7.3 and 7.8.3). */
export function checkPageTree(model: PdfModel, told: DocumentTold): void {
  const pages = checkTree(model, told);
  refuseEndlessForms(model, pages);
  for (const { offset } of flawedContents(model, pages).slice(0, mostTold))
    find(told, { kind: 'stream.content', offset });
  const { lost, misnamed } = unnamedStreams(model);
  for (const { offset } of lost.slice(0, mostTold)) find(told, { kind: 'stream.unnamed', offset });
  for (const { offset } of misnamed.slice(0, mostTold)) find(told, { kind: 'stream.misnamed', offset });
  for (const { offset } of misspeltObjects(model).slice(0, mostTold)) find(told, { kind: 'object.names', offset });
  const count = countFontless(model, pages);
  if (count > 0) find(told, { kind: 'pages.fonts', count });
  const misled = fontsMisled(model).length;
  if (misled > 0) find(told, { kind: 'fonts.codes', count: misled });
  const aside = contentsAside(model, pages).size;
  const lone = aside > 0 ? null : loneContent(model, pages);
  if (lone?.isDoubled) find(told, { kind: 'pages.doubled', count: 1 });
  const unled = lone && !lone.isDoubled ? 1 : aside;
  if (unled > 0) find(told, { kind: 'pages.joined', count: unled });
  const resized = resizedPages(model, pages).length;
  if (resized > 0) find(told, { kind: 'pages.sizes', count: resized });
}

/** What of that no encryption hides (7.6.1): the nodes and pages, where none of them stands in a bundle. */
export function checkLockedPages(model: PdfModel, told: DocumentTold): void {
  if ([...model.objects.values()].some((object) => model.nameIn(object, 'Type') === 'ObjStm')) return;
  const count = checkTree(model, told).filter((page) => fontTable(model, page) === null).length;
  if (count > 0) find(told, { kind: 'pages.fonts', count });
  if (!isKnownCipher(model)) find(told, { kind: 'encryption' });
}

function checkTree(model: PdfModel, told: DocumentTold): PdfObject[] {
  const root = model.catalogue();
  const { pages, complete, leaves } = collectPages(model, root);
  if (!complete) find(told, { kind: 'pages.tree' });
  else checkCount(model, root, leaves, told);
  const hollow = hollowPages(model, pages).map(({ value }) => entriesOf(value).get('Contents'));
  const joined = hollow.filter((contents) => contents?.kind === 'number').length;
  if (joined > 0) find(told, { kind: 'pages.joined', count: joined });
  const wrong = hollow.filter((contents) =>
    (contents?.kind === 'array' ? contents.items : [contents]).some(
      (item) => item?.kind === 'reference' && isSomething(model.resolve(item)),
    ),
  );
  if (wrong.length > 0) find(told, { kind: 'pages.contents', count: wrong.length });
  checkLinearized(model, pages, leaves, told);
  return pages;
}

const isSomething = (value: PdfValue | undefined): boolean => value !== undefined && value.kind !== 'null';

/** Readers show as many pages as the root of their tree counts (table 29), and look in vain for those that it counts too many. */
function checkCount(model: PdfModel, root: PdfObject | null, pages: number, told: DocumentTold): void {
  const top = model.dictionary(root ? entriesOf(root.value).get('Pages') : undefined);
  const declared = numberOf(model.resolve(top.get('Count')));
  if (declared !== pages && top.has('Kids')) find(told, { kind: 'pages.count', declared, pages });
}

/** Readers take the number of pages from the first object of a file that was written to be shown from its first page on, as long as it is as long as that says (annex F.2). */
function checkLinearized(model: PdfModel, pages: readonly PdfObject[], leaves: number, told: DocumentTold): void {
  const first = [...model.objects.values()].find(({ value }) => entriesOf(value).has('Linearized'));
  const entries = entriesOf(first?.value);
  if (!first || numberOf(entries.get('L')) !== model.job.bytes.length) return;
  const firstPage = numberOf(entries.get('O'));
  const isRight = numberOf(entries.get('N')) === leaves && pages.some(({ number }) => number === firstPage);
  if (!isRight) find(told, { kind: 'pages.fast', offset: first.offset });
}

/** Pages whose content is read for the fonts that it asks for; of those behind them only where the table of fonts is empty, or has one that is none. */
const mostRead = 64;

/** Pages on which text stands in fonts that they do not have, or whose table of fonts is none. */
function countFontless(model: PdfModel, pages: readonly PdfObject[]): number {
  const uses = new FontUses(model);
  return pages.filter((page, index) => {
    const fonts = fontTable(model, page);
    if (!fonts) return true;
    const isDoubtful = fonts.size === 0 || [...fonts.values()].some((font) => !isFont(model, font));
    if (index >= mostRead && !isDoubtful) return false;
    for (const { name, samples } of uses.on(page))
      if (samples.length > 0 && !isFont(model, fonts.get(name))) return true;
    return false;
  }).length;
}

/** The fonts of a page by their names; null where something else stands in the stead of their table. */
function fontTable(model: PdfModel, page: PdfObject): PdfDictionary | null {
  const table = model.resolve(model.dictionary(inheritedValue(model, page, 'Resources')).get('Font'));
  const isOther = table !== undefined && table.kind !== 'dictionary' && table.kind !== 'null';
  const isOne = entriesOf(table).has('BaseFont') && entriesOf(table).has('Subtype');
  return isOther || isOne ? null : entriesOf(table);
}

const isFont = (model: PdfModel, value: PdfValue | undefined): boolean => model.dictionary(value).has('Subtype');

/** Revisions of the standard handler (ISO 32000-2, table 21). */
const revisions = { first: 2, last: 6 } as const;

/** Whether the standard handler has all that it makes the key from (table 21); other handlers are not looked into. */
function isKnownCipher(model: PdfModel): boolean {
  const trailer = model.trailers.find((found) => found.has('Encrypt'));
  const entries = model.dictionary(trailer?.get('Encrypt'));
  if (entries.size === 0 || nameOf(model.resolve(entries.get('Filter'))) !== 'Standard') return true;
  const isNumber = (key: string) => numberOf(model.resolve(entries.get(key))) !== null;
  const isText = (key: string) => model.resolve(entries.get(key))?.kind === 'string';
  const revision = numberOf(model.resolve(entries.get('R'))) ?? 0;
  const isRevision = revision >= revisions.first && revision <= revisions.last;
  return isRevision && ['P', 'V'].every(isNumber) && ['O', 'U'].every(isText);
}
