import { type DocumentTold, find } from '../../families/document';
import { deflate } from '../../host/packing';
import type { EngineJob } from '../../report';
import type { Damage } from '../../report/facts/document';
import { resize, resizedPages } from './boxes';
import { cleanContent } from './contentclean';
import { flawedContents } from './contentsyntax';
import { dropDangling, isWritten, lostObjects } from './dangling';
import { undrawnPages } from './drawnobjects';
import { checkedFilters, filtersOf, isFilter } from './filters';
import { fontPrograms, leftOf, mendFontParts } from './fontparts';
import { type FontRepair, repairFonts } from './fonts';
import { contentsOf } from './fontuses';
import { nameStates } from './graphicstates';
import { leadFonts } from './lettertables';
import { PdfLexer } from './lexer';
import { loneContent } from './lonecontents';
import { PdfModel } from './model';
import { contentsAside, orphanContents, pageFor } from './pagecontent';
import { collectPages, countPages, hasAnnotations, hollowPages, type PageList, rebuildTree } from './pages';
import type { PdfScan } from './scan';
import type { PdfParts } from './serialize';
import { tornObjects } from './torn';
import { entriesOf, numberOf, type PdfObject, type PdfValue, pdfName, pdfReference } from './values';

/** Puts the objects that were found together to a document; null when no page came back, or nothing of its text can be read. */
export function assemble(job: EngineJob, told: DocumentTold, scan: PdfScan): PdfParts | null {
  const model = new PdfModel(scan, job);
  told.steps.push({ kind: 'objects', count: scan.objects.size });
  told.rebuilt.push({ unit: 'objects', count: scan.objects.size });
  if (scan.brokenObjectStreams > 0) find(told, { kind: 'stream.bundles', count: scan.brokenObjectStreams });
  const root = model.catalogue();
  const list = collectPages(model, root, true);
  const pages = list.complete ? list.pages : withOrphans(model, list.pages, told);
  if (pages.length === 0 || pages.length > job.limits.pages) return null;
  if (list.complete) giveContents(model, pages, told);
  giveSizes(model, pages, list.complete, told);
  tellEmptyPages(model, pages, told);
  for (const { value } of hollowPages(model, pages))
    if (entriesOf(value).get('Contents')?.kind !== 'reference') entriesOf(value).delete('Contents');
  for (const page of pages) entriesOf(page.value).set('Type', pdfName('Page'));
  const { led, left } = leadFonts(model);
  if (led > 0) told.steps.push({ kind: 'lettertables', count: led });
  if (left > 0) told.lost.push({ how: 'fonts.mute', count: left });
  const parts = mendFontParts(model);
  const fonts = repairFonts(model, pages);
  fonts.guessed += parts;
  if (!tellFonts(fonts, told)) return null;
  mendStreams(model, scan, pages, told);
  if (list.complete && root) countPages(model, root, pages);
  const catalogue = list.complete && root ? root : treeOf(model, root, pages, told);
  tellPages(model, list, pages.length, told);
  const torn = tornObjects(scan.bytes, scan.objects.values());
  if (torn > 0) told.lost.push({ how: 'objects.torn', count: torn });
  dropDangling(model);
  tellUndrawn(model, pages, told);
  nameStates(model, pages);
  told.steps.push({ kind: 'table' });
  return {
    version: /%PDF-(\d\.\d)/.exec(scan.bytes.toString('latin1', 0, 2048))?.[1] ?? '1.7',
    objects: [...model.objects.values()].filter(isWritten),
    trailer: trailerFor(catalogue, scan),
    showsText: fonts.shown > 0,
    isAnnotated: pages.some((page) => hasAnnotations(model, page)),
  };
}

/** The catalogue with a new tree of pages, of which some may have lost what they took from the one before. */
export function treeOf(
  model: PdfModel,
  root: PdfObject | null,
  pages: readonly PdfObject[],
  told: DocumentTold,
): PdfObject {
  const { catalogue, guessed } = rebuildTree(model, root, pages);
  if (guessed > 0) {
    if (!told.remarks.some(({ kind }) => kind === 'pageGuess')) told.remarks.push({ kind: 'pageGuess' });
    told.lost.push({ how: 'descriptions.pages', count: guessed });
  }
  return catalogue;
}

/** The pages of a broken tree, and new ones for content that lost the object of its own, in the order of the file. */
function withOrphans(model: PdfModel, found: readonly PdfObject[], told: DocumentTold): PdfObject[] {
  const pages = [...found];
  const orphans = orphanContents(model, pages);
  for (const content of orphans) pages.push(pageFor(model, content));
  pages.sort((left, right) => contentOffset(model, left) - contentOffset(model, right));
  if (orphans.length > 0) {
    find(told, { kind: 'pages.described', count: orphans.length });
    told.remarks.push({ kind: 'pageGuess' });
  }
  return pages;
}

function contentOffset(model: PdfModel, page: PdfObject): number {
  return contentsOf(model, page)[0]?.offset ?? page.offset;
}

/** Pages get the content that they name by an entry of another name. */
function nameContents(model: PdfModel, pages: readonly PdfObject[], told: DocumentTold): void {
  const contents = contentsAside(model, pages);
  for (const [page, { number, generation }] of contents)
    entriesOf(page.value).set('Contents', pdfReference(number, generation));
  if (contents.size > 0) told.steps.push({ kind: 'join', count: contents.size });
  const lone = loneContent(model, pages);
  if (!lone) return;
  entriesOf(lone.page.value).set('Contents', pdfReference(lone.content.number, lone.content.generation));
  told.steps.push({ kind: 'join', count: 1 });
  // Where more is damaged, it may be of a page that is lost.
  if (!told.damages.every(({ kind }) => ofContents.has(kind))) told.lost.push({ how: 'descriptions.pages', count: 1 });
}

/** Damage to what leads a page to its content. */
const ofContents: ReadonlySet<Damage['kind']> = new Set(['pages.joined', 'pages.doubled', 'pages.contents'] as const);

/** Pages whose size is none get the one that the others have, or a guess, as it always is where nodes of the tree are lost, which had sizes, too. */
function giveSizes(model: PdfModel, pages: readonly PdfObject[], isTreeWhole: boolean, told: DocumentTold): void {
  const resized = resizedPages(model, pages);
  if (resized.length === 0) return;
  const guessed = resize(model, resized);
  told.steps.push({ kind: 'sizes', count: resized.length });
  const count = isTreeWhole ? guessed : resized.length;
  if (count > 0) told.lost.push({ how: 'pages.sized', count });
}

/** Pages whose description lost the entry that leads to their content get the content nearest to it that no page uses. */
function giveContents(model: PdfModel, pages: readonly PdfObject[], told: DocumentTold): void {
  nameContents(model, pages, told);
  const hollow = hollowPages(model, pages);
  const orphans = hollow.length > 0 ? orphanContents(model, pages) : [];
  let given = 0;
  for (const page of hollow) {
    const away = ({ offset }: PdfObject) => Math.abs(offset - page.offset);
    // A reference whose last letter is damaged still tells the number of what it led to (7.3.10).
    const named = numberOf(entriesOf(page.value).get('Contents'));
    const nearest =
      orphans.find(({ number }) => number === named) ?? orphans.toSorted((left, right) => away(left) - away(right))[0];
    if (!nearest) break;
    orphans.splice(orphans.indexOf(nearest), 1);
    entriesOf(page.value).set('Contents', pdfReference(nearest.number, nearest.generation));
    given++;
  }
  if (given === 0) return;
  find(told, { kind: 'pages.joined', count: given });
  told.steps.push({ kind: 'join', count: given });
  told.lost.push({ how: 'descriptions.pages', count: given });
}

/** Pages whose content is named but was not found. */
function tellEmptyPages(model: PdfModel, pages: readonly PdfObject[], told: DocumentTold): void {
  const empty = pages.filter((page) => {
    const contents = model.resolve(entriesOf(page.value).get('Contents')) ?? entriesOf(page.value).get('Contents');
    const isNamed = contents !== undefined && (contents.kind !== 'array' || contents.items.length > 0);
    return isNamed && contentsOf(model, page).length === 0;
  });
  if (empty.length === 0) return;
  find(told, { kind: 'pages.gone', count: empty.length });
  told.lost.push({ how: 'pages.empty', count: empty.length });
}

/** Parts of the text without known letters from which on they are told, and from which on the document says nothing. */
const hiddenText = { told: 0.01, all: 0.9 };

/** Tells what became of the letters of the text; false when nobody can tell what it says. */
function tellFonts({ guessed, told: letters, shown, unreadable, languages: known }: FontRepair, told: DocumentTold) {
  if (guessed > 0) {
    told.remarks.push({ kind: 'fontGuess' });
    told.lost.push({ how: 'fonts.gone', count: guessed });
  }
  if (letters > 0) {
    const languages = [...known].join(' and ');
    told.remarks.push({ kind: 'lettersTold', languages });
    told.lost.push({ how: 'text.told', count: Math.max(1, Math.round((100 * letters) / shown)), languages });
  }
  const hidden = shown > 0 ? unreadable / shown : 0;
  if (hidden > hiddenText.all) {
    told.remarks.push({ kind: 'lettersLost' });
    return false;
  }
  if (hidden > hiddenText.told) {
    const percent = Math.round(hidden * 100);
    told.remarks.push({ kind: 'lettersPart', percent });
    told.lost.push({ how: 'text.wrong', count: percent });
  }
  return true;
}

/** Tells pages that draw what is not there any more, unless more is told to be missing of them. */
function tellUndrawn(model: PdfModel, pages: readonly PdfObject[], told: DocumentTold): void {
  const count = undrawnPages(model, pages).length;
  if (count > 0 && told.lost.length === 0) told.lost.push({ how: 'descriptions.pages', count });
}

/** Tells which pages and objects are missing. */
function tellPages(model: PdfModel, list: PageList, pages: number, told: DocumentTold): void {
  if (!list.complete) told.steps.push({ kind: 'tree', count: pages });
  if (list.missing > 0) told.lost.push({ how: 'pages.named', count: list.missing });
  const gone = lostObjects(model, told.damages);
  if (gone > 0) told.lost.push({ how: 'objects.gone', count: gone });
}

/** A trailer that leads to the catalogue, with what the found ones say of the document and still leads somewhere. */
function trailerFor(catalogue: PdfObject, scan: PdfScan): Map<string, PdfValue> {
  const trailer = new Map<string, PdfValue>([['Root', pdfReference(catalogue.number, catalogue.generation)]]);
  for (const found of scan.trailers) {
    for (const key of ['Info', 'ID']) {
      const value = found.get(key);
      if (value && (value.kind !== 'reference' || scan.objects.has(value.number))) trailer.set(key, value);
    }
  }
  return trailer;
}

/** Whether a stream holds what a page draws. */
const isDrawing = (model: PdfModel, object: PdfObject, contents: ReadonlySet<PdfObject>): boolean =>
  contents.has(object) || model.nameIn(object, 'Subtype') === 'Form';

/** Writes damaged Flate streams anew with what could be read of them, since most readers stop at the first error. */
function mendStreams(model: PdfModel, scan: PdfScan, pages: readonly PdfObject[], told: DocumentTold): void {
  const contents = new Set(pages.flatMap((page) => contentsOf(model, page)));
  const programs = fontPrograms(model);
  let mended = 0;
  let textual = 0;
  let unread = 0;
  for (const object of model.objects.values()) {
    if (!object.stream) continue;
    const dictionary = entriesOf(object.value);
    const filters = filtersOf(dictionary, model.resolve);
    if (!isWritten(object)) continue;
    const isUnread = contents.has(object) && filters.some(({ name }) => !isFilter(name));
    if (isUnread) unread++;
    if (isUnread || !filters.some(({ name }) => checkedFilters.has(name))) continue;
    const decoded = model.decode(object);
    if (decoded.sound || !decoded.supported) continue;
    mended++;
    if (contents.has(object)) textual++;
    const data = leftOf(model, object, decoded, programs);
    object.stream = deflate(isDrawing(model, object, contents) ? cleanContent(data) : data);
    dictionary.set('Filter', pdfName('FlateDecode'));
    dictionary.delete('DecodeParms');
  }
  if (mended > 0) told.steps.push({ kind: 'readOn', count: mended });
  const short = shortStreams(model, scan);
  for (const object of short) if (contents.has(object)) textual++;
  const flaws = flawedContents(model, pages);
  for (const object of flaws) cleanPlain(model, object, pages);
  const flawed = flaws.filter((object) => !short.includes(object)).length;
  const count = mended + short.length + flawed + unread;
  if (count > 0) told.lost.push({ how: 'streams.damaged', count, textual: textual + flawed + unread });
}

/** Writes content anew that breaks the syntax, where it is all of its page and has no pictures inside it (8.9.7), whose data may be anything. */
function cleanPlain(model: PdfModel, object: PdfObject, pages: readonly PdfObject[]): void {
  const isShared = pages.some((page) => {
    const streams = contentsOf(model, page);
    return streams.length > 1 && streams.includes(object);
  });
  const { data } = model.decode(object);
  if (isShared || /\bID\s/.test(data.toString('latin1'))) return;
  const dictionary = entriesOf(object.value);
  object.stream = deflate(cleanContent(data));
  dictionary.set('Filter', pdfName('FlateDecode'));
  dictionary.delete('DecodeParms');
}

/** Bytes of an end of line, with which a length may be counted or not (7.3.8.1). */
const lineEnd = 2;

/**
 * Streams that are not packed and have fewer bytes than they say, in a file whose table lies before the place that its end names: bytes before
 * it are gone, and not only a length is wrong.
 */
function shortStreams(model: PdfModel, { bytes }: PdfScan): PdfObject[] {
  const end = bytes.lastIndexOf('startxref');
  const named = end < 0 ? null : numberOf(new PdfLexer(bytes, end + 'startxref'.length).value().value);
  let table = end < 0 ? -1 : bytes.lastIndexOf('xref', end - 1);
  for (const object of model.objects.values())
    if (model.nameIn(object, 'Type') === 'XRef') table = Math.max(table, object.offset);
  if (named === null || table < 0 || named <= table + lineEnd) return [];
  return [...model.objects.values()].filter((object) => {
    const dictionary = entriesOf(object.value);
    const length = numberOf(model.resolve(dictionary.get('Length')));
    const isPlain = object.stream && isWritten(object) && !dictionary.has('Filter');
    return isPlain && length !== null && length > (object.stream?.length ?? 0) + lineEnd;
  });
}
