import { deflate } from '../../host/packing';
import { counted, Draft, type EngineJob, LimitError, type Measure, type Outcome } from '../../report';
import { PdfReaders } from './apart';
import { checkStructure } from './check';
import { rebuildEncrypted } from './encrypted';
import { filtersOf } from './filters';
import { correctStreams } from './flips';
import { contentsOf, repairFonts } from './fonts';
import { refuseEndlessForms } from './forms';
import { PdfModel } from './model';
import { correctNames } from './names';
import { adoptStreams } from './orphans';
import { orphanContents, pageFor } from './pagecontent';
import { collectPages, hasAnnotations, rebuildTree } from './pages';
import { mendPhotos } from './photos';
import { losesText, mostWords, type Reading, type ReadLimits, readLimits, unread } from './readers';
import { type PdfScan, scanObjects } from './scan';
import { type Rebuilt, writeDocument } from './serialize';
import { undoTextMode } from './textmode';
import { entriesOf, nameOf, type PdfObject, type PdfValue, pdfName, pdfReference } from './values';

/** More objects that break off than these are no document any more, and readers read on from each of them to the end. */
const mostBroken = 200;

/** Repairs PDF (ISO 32000-1): finds the objects themselves, rebuilds what leads to them, and reads the result with two other readers. */
export async function repairPdf(job: EngineJob): Promise<Outcome> {
  const draft = new Draft('pdf');
  const scan = scanObjects(job.bytes, job.limits, job.deadline);
  checkStructure(job, scan, draft);
  checkPageTree(job, scan, draft);
  job.progress(0.3);
  job.deadline.check();
  const readers = new PdfReaders(job.deadline);
  const isReadable = scan.broken <= mostBroken;
  const reading = isReadable ? readers.pdfium(job.bytes, readLimits.pdfium) : Promise.resolve(unread());
  const encrypted = scan.trailers.some((trailer) => trailer.has('Encrypt'));
  let areMended = false;
  if (draft.found.length === 0) {
    if (!encrypted) await mendPhotos(new PdfModel(scan, job), job, draft);
    areMended = true;
  }
  if (draft.found.length === 0) {
    const seen = await reading;
    if (!seen)
      throw new LimitError('A reader of PDFs did not come to the end of this file in the time and memory it may take.');
    if (seen.protected) return protectedFile(draft);
    if (seen.pages !== null && seen.pages > 0) return soundFile(draft, seen.pages, seen, encrypted);
    draft.find('reader', 'The structure looks sound, but a PDF reader cannot open the file.');
  }
  // Both look at the damaged file while it is repaired, where they can.
  const second = isReadable && readers.areBeside ? readers.pdfjs(job.bytes, readLimits.pdfjs) : null;
  return repairDamaged(job, draft, scan, { readers, reading, second }, { encrypted, areMended });
}

/** Who reads, and what two of them see in the damaged file. */
type Readings = { readers: PdfReaders; reading: Promise<Reading | null>; second: Promise<Reading | null> | null };

/** Pages and words as measures; of long documents the words of the first pages are counted. */
function contentOf(pages: number, words: number, texts: number): Measure[] {
  const detail = pages > texts && texts > 0 ? `on the first ${counted(texts, 'page')}` : undefined;
  return [
    { unit: 'pages', count: pages },
    { unit: 'words', count: words, detail },
  ];
}

/** The same as words of a sentence, joined by `and` or `with`. */
function contentWords(pages: number, words: number, texts: number, joint: string): string {
  const detail = contentOf(pages, words, texts)[1]?.detail;
  const where = detail ? ` ${detail}` : '';
  return `${counted(pages, 'page')} ${joint} ${counted(words, 'word')}${where}`;
}

function checkPageTree(job: EngineJob, scan: PdfScan, draft: Draft): void {
  if (scan.trailers.some((trailer) => trailer.has('Encrypt'))) return;
  const model = new PdfModel(scan, job);
  const list = collectPages(model, model.catalogue());
  refuseEndlessForms(model, list.pages);
  if (!list.complete) draft.find('pages', 'The list of pages was broken: it does not lead to every page.');
}

function soundFile(draft: Draft, pages: number, { words, texts }: Reading, encrypted: boolean): Outcome {
  draft.kept.push(...contentOf(pages, words, texts));
  if (encrypted)
    draft.note(
      'The file is encrypted but opens without a password. Whether all of its packed content is whole cannot be told.',
    );
  return draft.healthy(`Nothing is wrong with this PDF of ${counted(pages, 'page')}; it is returned unchanged.`);
}

function protectedFile(draft: Draft): Outcome {
  draft.note(
    'The file asks for a password. Its structure is sound; the pages themselves cannot be looked at without the password.',
  );
  return draft.healthy('This PDF is protected with a password and its structure is sound; it is returned unchanged.');
}

async function repairDamaged(
  job: EngineJob,
  draft: Draft,
  scan: PdfScan,
  { readers, reading, second }: Readings,
  { encrypted, areMended }: { encrypted: boolean; areMended: boolean },
): Promise<Outcome> {
  const source = encrypted ? { scan, undone: null } : undoTextMode(job, scan);
  if (source.undone) {
    draft.find('textmode', source.undone.finding, null);
    draft.step('Restore line ends', source.undone.step);
  }
  if (!encrypted) {
    const names = correctNames(source.scan, job);
    if (names > 0) draft.step('Set names right', `${counted(names, 'name')} that the format knows had a wrong letter.`);
    const adopted = adoptStreams(source.scan, job.deadline);
    if (adopted > 0) {
      draft.find('object', `${counted(adopted, 'stream')} lost the head of the object that holds it.`);
      draft.step('Find streams', `${counted(adopted, 'stream')} without a head were given back to the document.`);
    }
    correctStreams(source.scan, job, draft);
    if (!areMended) await mendPhotos(new PdfModel(source.scan, job), job, draft);
  }
  const output = encrypted ? rebuildEncrypted(job, source.scan, draft) : rebuild(job, draft, source.scan);
  job.progress(0.6);
  if (!output) {
    return draft.unrepairable(
      encrypted
        ? 'This PDF is encrypted and damaged, and what is needed to put its pages together again is lost or encrypted itself.'
        : 'No page of this PDF could be brought back.',
    );
  }
  const before = (await reading) ?? unread();
  // What pdf.js reads of the damaged file only counts where pdfium reads it too.
  const isWorthIt = isUsable(before) && before.words <= mostWords;
  if (!isWorthIt) readers.leavePdfjs();
  const again = isWorthIt ? await (second ?? readers.pdfjs(job.bytes, readLimits.pdfjs)) : null;
  job.deadline.check();
  return verify(job, draft, output, readers, { before, original: again ?? unread() });
}

/** Pages whose description lost the entry that leads to their content get the content nearest to it that no page uses. */
function giveContents(model: PdfModel, pages: readonly PdfObject[], draft: Draft): void {
  const hollow = pages.filter(({ value }) => !model.resolve(entriesOf(value).get('Contents')));
  const orphans = hollow.length > 0 ? orphanContents(model, pages) : [];
  let given = 0;
  for (const page of hollow) {
    const away = ({ offset }: PdfObject) => Math.abs(offset - page.offset);
    const [nearest] = orphans.toSorted((left, right) => away(left) - away(right));
    if (!nearest) break;
    orphans.splice(orphans.indexOf(nearest), 1);
    entriesOf(page.value).set('Contents', pdfReference(nearest.number, nearest.generation));
    given++;
  }
  if (given === 0) return;
  draft.find('pages', `${counted(given, 'page')} lost the entry that leads to the content, which survived.`);
  draft.step('Join pages', `${counted(given, 'page')} got back the content that lies nearest to the description.`);
  draft.lost.push({ unit: 'descriptions', count: given, detail: 'of pages, in part: pictures on them may be missing' });
}

function rebuild(job: EngineJob, draft: Draft, scan: PdfScan): Rebuilt | null {
  const model = new PdfModel(scan, job);
  draft.step(
    'Find objects',
    `${counted(scan.objects.size, 'object')} of the document were found by looking at every byte.`,
  );
  draft.rebuilt.push({ unit: 'objects', count: scan.objects.size });
  if (scan.brokenObjectStreams > 0) {
    draft.find('stream', `${counted(scan.brokenObjectStreams, 'bundle')} of objects could be read only in part.`);
  }
  const root = model.catalogue();
  const list = collectPages(model, root, true);
  const pages = [...list.pages];
  if (!list.complete) {
    const orphans = orphanContents(model, pages);
    for (const content of orphans) pages.push(pageFor(model, content));
    pages.sort((left, right) => contentOffset(model, left) - contentOffset(model, right));
    if (orphans.length > 0) {
      draft.find(
        'pages',
        `${counted(orphans.length, 'page')} lost the object that describes it; the content itself survived.`,
      );
      draft.note('Where the description of a page was lost, its size is a guess and pictures on it may be missing.');
    }
  }
  if (pages.length === 0 || pages.length > job.limits.pages) return null;
  if (list.complete) giveContents(model, pages, draft);
  reportEmptyPages(model, pages, draft);
  const fonts = repairFonts(model, pages);
  if (fonts.guessed > 0) {
    draft.note(
      'Some fonts were lost with the missing part of the file; another font stands in for them, so letters may look different.',
    );
    draft.lost.push({ unit: 'fonts', count: fonts.guessed });
  }
  if (fonts.told > 0) {
    const language = [...fonts.languages].join(' and ');
    draft.note(
      `What says which letters the text is made of is lost. They were told by which letters follow each other in ${language}: most words come out right, but capitals may be wrong, and figures and rare signs are missing.`,
    );
    draft.lost.push({
      unit: 'text',
      count: Math.max(1, Math.round((100 * fonts.told) / fonts.shown)),
      detail: `percent of the text, whose letters are told by the language, ${language}`,
    });
  }
  const hidden = fonts.shown > 0 ? fonts.unreadable / fonts.shown : 0;
  if (hidden > 0.9) {
    draft.note(
      'The text is stored as numbers of letters in fonts that are lost, so nobody can tell which letters they are.',
    );
    return null;
  }
  if (hidden > 0.01) {
    draft.note(
      `About ${Math.round(hidden * 100)} % of the text cannot be read, as the font that says which letters it is made of is lost.`,
    );
    draft.lost.push({
      unit: 'text',
      count: Math.round(hidden * 100),
      detail: 'percent of the text, shown with wrong letters',
    });
  }
  mendStreams(model, pages, draft);
  const catalogue = list.complete && root ? root : rebuildTree(model, root, pages);
  if (!list.complete)
    draft.step('Rebuild page tree', `The list of pages was rebuilt from the ${counted(pages.length, 'page')} found.`);
  if (list.missing > 0)
    draft.lost.push({ unit: 'pages', count: list.missing, detail: 'named in the list of pages, but not in the file' });
  const gone = danglingReferences(model);
  // A reference that leads nowhere is no damage by itself (7.3.10); where the table of objects is lost too, what it led to most likely is.
  if (gone > 0 && draft.found.some(({ kind }) => structural.has(kind)))
    draft.lost.push({ unit: 'objects', count: gone, detail: 'that others refer to, such as fonts and pictures' });
  const trailer = new Map<string, PdfValue>([['Root', pdfReference(catalogue.number, catalogue.generation)]]);
  for (const found of scan.trailers) {
    for (const key of ['Info', 'ID']) {
      const value = found.get(key);
      if (value && (value.kind !== 'reference' || scan.objects.has(value.number))) trailer.set(key, value);
    }
  }
  draft.step('Write table', 'The table that tells a reader where each object starts was written anew.');
  const version = /%PDF-(\d\.\d)/.exec(scan.bytes.toString('latin1', 0, 2048))?.[1] ?? '1.7';
  const bytes = writeDocument(version, [...model.objects.values()].filter(isWritten), trailer);
  return { bytes, showsText: fonts.shown > 0, isAnnotated: pages.some((page) => hasAnnotations(model, page)) };
}

/** Kinds of damage after which nothing tells whether an object that is missing was ever there. */
const structural = new Set(['end', 'table', 'cut', 'object', 'trailer']);

/** How many objects are referred to by those that are written, and are not there. */
function danglingReferences(model: PdfModel): number {
  const gone = new Set<number>();
  const queue: PdfValue[] = [...model.objects.values()].filter(isWritten).map(({ value }) => value);
  while (queue.length > 0) {
    const value = queue.pop();
    if (value?.kind === 'array') for (const item of value.items) queue.push(item);
    else if (value?.kind === 'dictionary') for (const item of value.entries.values()) queue.push(item);
    else if (value?.kind === 'reference' && !model.objects.has(value.number)) gone.add(value.number);
  }
  return gone.size;
}

/** Object and cross-reference streams are not written: their objects are, each on its own. */
function isWritten(object: PdfObject): boolean {
  const type = nameOf(entriesOf(object.value).get('Type'));
  return type !== 'XRef' && type !== 'ObjStm' && object.number > 0;
}

/** Pages whose content is named but was not found. */
function reportEmptyPages(model: PdfModel, pages: readonly PdfObject[], draft: Draft): void {
  const empty = pages.filter((page) => {
    const contents = model.resolve(entriesOf(page.value).get('Contents')) ?? entriesOf(page.value).get('Contents');
    const isNamed = contents !== undefined && (contents.kind !== 'array' || contents.items.length > 0);
    return isNamed && contentsOf(model, page).length === 0;
  });
  if (empty.length === 0) return;
  draft.find('pages', `The content of ${counted(empty.length, 'page')} is gone.`);
  draft.lost.push({ unit: 'pages', count: empty.length, detail: 'without their content' });
}

function contentOffset(model: PdfModel, page: PdfObject): number {
  return contentsOf(model, page)[0]?.offset ?? page.offset;
}

/** Writes damaged Flate streams anew with what could be read of them, since most readers stop at the first error. */
function mendStreams(model: PdfModel, pages: readonly PdfObject[], draft: Draft): void {
  const contents = new Set(pages.flatMap((page) => contentsOf(model, page)));
  let mended = 0;
  let textual = 0;
  for (const object of model.objects.values()) {
    if (!object.stream) continue;
    const dictionary = entriesOf(object.value);
    const filters = filtersOf(dictionary, model.resolve);
    if (filters[0]?.name !== 'FlateDecode' || !isWritten(object)) continue;
    const decoded = model.decode(object);
    if (decoded.sound) continue;
    if (!decoded.supported) continue;
    mended++;
    if (contents.has(object)) textual++;
    object.stream = deflate(decoded.data);
    dictionary.set('Filter', pdfName('FlateDecode'));
    dictionary.delete('DecodeParms');
  }
  if (mended === 0) return;
  draft.step('Read on', `${counted(mended, 'damaged stream')} were read on after the damage and written anew.`);
  draft.lost.push({
    unit: 'streams',
    count: mended,
    detail: textual > 0 ? `${textual} of them with the content of pages` : 'pictures, fonts or others',
  });
}

async function verify(
  job: EngineJob,
  draft: Draft,
  { bytes: output, showsText, isAnnotated }: Rebuilt,
  readers: PdfReaders,
  { before, original }: { before: Reading; original: Reading },
): Promise<Outcome> {
  const looking = readers.pdfjs(output, samePages(original, readLimits.pdfjs));
  const first = (await readers.pdfium(output, samePages(before, readLimits.pdfium))) ?? unread();
  // What it would have found does not count either, or the outcome would hang on which of the two was faster.
  const isTooMuch = first.words > mostWords;
  if (isTooMuch) readers.leavePdfjs();
  const second = (isTooMuch ? null : await looking) ?? unread();
  job.progress(0.9);
  const { words, texts } = second.words > first.words ? second : first;
  const pages = first.pages ?? second.pages ?? 0;
  if (isUsable(before) && (losesText(before, first) || losesText(original, second)))
    return keepAsItWas(draft, job, before, original);
  if (first.pages === null && second.pages === null) {
    return draft.unrepairable(
      first.protected || second.protected
        ? 'This PDF is damaged and asks for a password, without which no repair can be checked, so nothing is handed out.'
        : 'The rebuilt PDF could not be opened again, so it is not handed out.',
    );
  }
  // An empty page shows nothing either, when it is all there; fields and notes are no drawings of the page.
  const isBare =
    words === 0 &&
    !isAnnotated &&
    (first.drawings === 0 || (draft.lost.length > 0 && !(await readers.showsAnything(output))));
  if (pages === 0 || isBare) return draft.unrepairable('No text or picture of this PDF could be brought back.');
  if (words === 0 && showsText) {
    draft.note(
      'The pages show something, but none of the text on them can be read: what says which letters it is made of is gone.',
    );
    draft.lost.push({
      unit: 'text',
      count: 100,
      detail: 'percent of the text, shown with wrong letters or not at all',
    });
  }
  draft.kept.push(...contentOf(pages, words, texts));
  draft.step(
    'Check the result',
    `The repaired file was opened by two readers: ${contentWords(pages, words, texts, 'and')}.`,
  );
  return draft.done(
    { kind: 'bytes', bytes: output },
    {
      repaired: `The PDF was repaired: ${contentWords(pages, words, texts, 'with')} can be read.`,
      partly: `The PDF opens again with ${contentWords(pages, words, texts, 'and')}, but parts of it were lost.`,
    },
  );
}

/** As many pages as were read before, where those were not all, so that the same text is compared. */
function samePages({ pages, texts }: Reading, limits: ReadLimits): ReadLimits {
  return pages !== null && texts < pages ? { ...limits, texts, words: Number.POSITIVE_INFINITY } : limits;
}

/** A file with pages that a reader cannot even load is no better for its words. */
function isUsable(before: Reading): boolean {
  return (before.pages ?? 0) > 0 && before.failed === 0;
}

/** A reader already gets more out of the damaged file than out of the rebuilt one: the rebuilt one would be worse, so it is not used. */
function keepAsItWas(draft: Draft, job: EngineJob, before: Reading, original: Reading): Outcome {
  const { words, texts } = original.words > before.words ? original : before;
  const pages = before.pages ?? original.pages ?? 0;
  draft.steps.length = 0;
  draft.rebuilt.length = 0;
  draft.kept.push(...contentOf(pages, words, texts));
  draft.lost.push({ unit: 'structure', count: 1, detail: 'the damage is still in the file' });
  draft.note('Rebuilding the file would have lost text that readers can still reach, so it is handed back as it was.');
  const head = job.bytes.indexOf('%PDF-');
  const bytes = head > 0 ? job.bytes.subarray(head) : job.bytes;
  return draft.done(
    { kind: 'bytes', bytes },
    {
      repaired: '',
      partly: `Readers can open ${contentWords(pages, words, texts, 'with')} as the file is.`,
    },
  );
}
