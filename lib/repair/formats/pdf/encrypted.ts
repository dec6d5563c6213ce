import type { DocumentTold } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import type { Damage } from '../../report/facts/document';
import { treeOf } from './assemble';
import { lostObjects } from './dangling';
import { filtersOf } from './filters';
import { contentsOf } from './fontuses';
import type { PdfModel } from './model';
import { collectPages, hasAnnotations } from './pages';
import type { PdfParts } from './serialize';
import { entriesOf, nameOf, numberOf, type PdfObject, type PdfValue, pdfName, pdfReference } from './values';

/** Kinds of damage to what leads to the content, not to the content itself. */
const around: ReadonlySet<Damage['kind']> = new Set([
  'head.missing',
  'head.before',
  'end',
  'trailer',
  'table.missing',
  'table.place',
  'pages.missing',
  'pages.tree',
  'pages.count',
  'pages.fast',
  'reference',
] as const);

/** Revisions of the security handler from which on the key is not made from the identifier (table 21). */
const withoutIdentifier = 5;

/**
 * An encrypted file keeps its objects as they are: their content depends on their numbers. What leads to them is
 * not encrypted (7.6.1), and is rebuilt like that of any other.
 *
 * @param damaged streams whose packed data is damaged; null where they could not be looked into
 */
export function assembleEncrypted(
  model: PdfModel,
  damaged: ReadonlySet<PdfObject> | null,
  told: DocumentTold,
): PdfParts | null {
  const trailer = new Map<string, PdfValue>();
  for (const found of model.trailers)
    for (const key of ['Info', 'ID', 'Encrypt']) if (found.has(key)) trailer.set(key, found.get(key) ?? pdfName(key));
  const root = model.catalogue();
  const list = collectPages(model, root, true);
  if (list.pages.length === 0 || !trailer.has('Encrypt')) return null;
  // What the key is made from cannot be told from anything else.
  if (told.damages.some(({ kind }) => kind === 'encryption')) return null;
  // Up to AES of 128 bits the key is made from the identifier too (algorithm 2).
  const revision = numberOf(model.resolve(model.dictionary(trailer.get('Encrypt')).get('R'))) ?? 0;
  if (!trailer.has('ID') && revision < withoutIdentifier) {
    told.remarks.push({ kind: 'identifier' });
    return null;
  }
  const catalogue = list.complete && root ? root : treeOf(model, root, list.pages, told);
  trailer.set('Root', pdfReference(catalogue.number, catalogue.generation));
  if (list.missing > 0) told.lost.push({ how: 'pages.named', count: list.missing });
  told.steps.push({ kind: 'table.encrypted', count: model.objects.size });
  tellLost(model, list.pages, damaged, told);
  return {
    version: '1.7',
    objects: [...model.objects.values()].filter(isContentObject),
    trailer,
    showsText: false,
    isAnnotated: list.pages.some((page) => hasAnnotations(model, page)),
  };
}

/** The key of an object is made from its generation too (algorithm 1): where all that leads to it names another one, its head is wrong. */
export function settleGenerations(model: PdfModel): void {
  const named = new Map<number, number | null>();
  const queue: PdfValue[] = [...model.objects.values()].map(({ value }) => value);
  for (let value = queue.pop(); value; value = queue.pop()) {
    if (value.kind === 'array') for (const item of value.items) queue.push(item);
    if (value.kind === 'dictionary') for (const item of value.entries.values()) queue.push(item);
    if (value.kind !== 'reference') continue;
    const known = named.get(value.number);
    named.set(value.number, known === undefined || known === value.generation ? value.generation : null);
  }
  for (const object of model.objects.values()) object.generation = named.get(object.number) ?? object.generation;
}

function isContentObject(object: PdfObject): boolean {
  const type = nameOf(entriesOf(object.value).get('Type'));
  return type !== 'XRef';
}

/** Tells what of an encrypted document is gone or damaged, as far as it can be seen. */
function tellLost(
  model: PdfModel,
  pages: readonly PdfObject[],
  damaged: ReadonlySet<PdfObject> | null,
  told: DocumentTold,
): void {
  const objects = [...model.objects.values()];
  // What stands in encrypted bundles is not seen, and not missing either.
  const hasBundles = objects.some((object) => model.nameIn(object, 'Type') === 'ObjStm');
  const gone = hasBundles ? 0 : lostObjects(model, told.damages);
  if (gone > 0) told.lost.push({ how: 'objects.gone', count: gone });
  if (damaged && damaged.size > 0) {
    const contents = new Set(pages.flatMap((page) => contentsOf(model, page)));
    const textual = [...damaged].filter((object) => contents.has(object)).length;
    told.lost.push({ how: 'streams.damaged', count: damaged.size, textual });
    return;
  }
  const isTorn = objects.some(({ flaws }) => flaws.length > 0);
  if (isTorn || told.damages.some(({ kind }) => !around.has(kind)))
    told.lost.push({ how: 'checks.encrypted', count: 1 });
}

/** Packed streams from which on their beginnings say something, and the greatest share of them that begin as they should by chance. */
const tellingStreams = { least: 4, begun: 0.1 };

/** CM of 8 and CINFO of up to 7 in the first byte of packed data, and what both first bytes are a multiple of (RFC 1950, 2.2). */
const zlib = { mask: 0x8f, method: 8, check: 31 };
/** First bytes of a byte from 80 to FF that was stored as UTF-8 on its way (RFC 3629, 3). */
const utf8Leads = [0xc2, 0xc3];

/** Whether data begins as packed data does, also where a transfer stored it as UTF-8. */
function beginsPacked(data: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = data;
  const own = utf8Leads.includes(second) ? ((second & 3) << 6) | (third & 0x3f) : second;
  const isChecked = [second, own].some((value) => ((first << 8) | value) % zlib.check === 0);
  return (first & zlib.mask) === zlib.method && isChecked;
}

/**
 * Whether the packed streams of a document are encrypted, although nothing says so any more, as the dictionary that does (7.6.1) was lost
 * with the end of the file: hardly one begins as data of DEFLATE does (RFC 1950, 2.2), wherever it lies.
 */
export function looksEncrypted({ objects, resolve }: PdfModel): boolean {
  let [count, begun] = [0, 0];
  for (const { stream, value } of objects.values()) {
    if (!stream || stream.length < 2 || filtersOf(entriesOf(value), resolve)[0]?.name !== 'FlateDecode') continue;
    count++;
    if (beginsPacked(stream)) begun++;
  }
  return count >= tellingStreams.least && begun <= count * tellingStreams.begun;
}
