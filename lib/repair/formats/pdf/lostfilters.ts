import { inflateStrict, zlibHeaderLength } from '../../core/deflate/whole';
import { adler32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { readJpegParts } from '../jpeg/markers';
import { filtersOf, isFilter } from './filters';
import { PdfModel } from './model';
import { type PdfScan, unpackObjects } from './scan';
import { entriesOf, nameOf, numberOf, type PdfObject, pdfName, referenceOf } from './values';

/** Streams that unpack to more bytes are not looked into. */
export const mostUnpacked = 1 << 24;
/** Bytes of a check sum (RFC 1950, 2.2), and those of a line end that may stand between it and the end of the data. */
const sumBytes = 4;
const mostBehind = 2;

/**
 * Names the filter of streams in a damaged document that lost it, or have another than their data is of, where that tells it: it is zlib
 * data (RFC 1950) from end to end, with the right check sum, or a JPEG of the size that the entries of a picture say. Files inside of
 * documents stay as they are, which may be such data themselves. How many were named.
 */
export function nameLostFilters(scan: PdfScan, job: EngineJob): number {
  const model = new PdfModel(scan, job);
  const { resolve } = model;
  const read = readStreams(model);
  let left = job.limits.inflatedBytes;
  let named = 0;
  for (const object of [...scan.objects.values()]) {
    if (left <= 0) break;
    if (!object.stream) continue;
    const isLost = isUnnamed(object) || (isNotNamed(object) && isDrawn(model, object, read));
    if (!isLost && !isMisnamed(object) && !isJpegUnnamed(object, resolve)) continue;
    job.deadline.check();
    const { filter, size } = filterTold(object, resolve, left);
    left -= size;
    if (filter === null) continue;
    entriesOf(object.value).set('Filter', pdfName(filter));
    named++;
    if (nameOf(entriesOf(object.value).get('Type')) === 'ObjStm')
      unpackObjects(object, scan, job.limits, job.deadline, left);
  }
  return named;
}

/** The filter that data alone tells, and how many bytes looking for it took; `filter` is null where it tells none. */
function filterTold(
  object: PdfObject,
  resolve: PdfModel['resolve'],
  left: number,
): { filter: 'FlateDecode' | 'DCTDecode' | null; size: number } {
  const stream = object.stream ?? Buffer.alloc(0);
  if (isJpegUnnamed(object, resolve)) {
    const { frame, hasEnd } = readJpegParts(stream);
    const isSame = (key: string, size = -1) => numberOf(resolve(entriesOf(object.value).get(key))) === size;
    const fits = hasEnd && isSame('Width', frame?.width) && isSame('Height', frame?.height);
    return { filter: fits ? 'DCTDecode' : null, size: stream.length };
  }
  const size = unpackedSize(stream, Math.min(left, mostUnpacked));
  return { filter: size > 0 ? 'FlateDecode' : null, size };
}

/** Whether a picture begins as a JPEG does, and does not say that it is one (7.4.8). */
function isJpegUnnamed({ value, stream }: PdfObject, resolve: PdfModel['resolve']): boolean {
  const entries = entriesOf(value);
  if (stream?.[0] !== 0xff || stream[1] !== 0xd8 || stream[2] !== 0xff || entries.has('F')) return false;
  const filters = filtersOf(entries, resolve);
  const isOther =
    filters.length === 0 || (filters.length === 1 && !/^(?:DCT(?:Decode)?|Crypt)$/.test(filters[0]?.name ?? ''));
  return isOther && entries.get('Filter')?.kind !== 'reference' && entries.has('Width') && entries.has('Height');
}

/** Whether a stream names one filter that readers know, and is zlib data by its head, of which that filter is not (7.4). */
function isMisnamed({ value, stream }: PdfObject): boolean {
  const entries = entriesOf(value);
  const filters = filtersOf(entries, (one) => one);
  const name = filters[0]?.name ?? '';
  const isOther = filters.length === 1 && isFilter(name) && name !== 'FlateDecode' && name !== 'Crypt';
  return isOther && stream !== null && zlibHeaderLength(stream) > 0;
}

/** Streams that a page shows, and programs of fonts, by their kinds; others of these name the length of their first part. */
const shown = /^(?:Image|Form|Type1C|CIDFontType0C|OpenType)$/;

/** Entries of pages and fonts that lead to streams that readers read (7.7.3.3, 9.6 to 9.10). */
const leading = ['Contents', 'ToUnicode', 'FontFile', 'FontFile2', 'FontFile3', 'CIDToGIDMap'];

/**
 * Streams of a document that looks sound whose data tells another filter than they name: content of pages, pictures, forms and what fonts
 * lead to where no filter is named that readers know, and any that name it in another entry, or that name a filter of which their data is
 * not. What else programs keep for themselves may be such data.
 */
export function unnamedStreams(model: PdfModel): { lost: PdfObject[]; misnamed: PdfObject[] } {
  let left = model.job.limits.inflatedBytes;
  const found = { lost: [] as PdfObject[], misnamed: [] as PdfObject[] };
  const read = readStreams(model);
  for (const object of model.objects.values()) {
    const entries = entriesOf(object.value);
    if (!object.stream || left <= 0 || entries.has('F')) continue;
    const isNamedAside = () =>
      !entries.has('Filter') && [...entries.values()].some((value) => nameOf(value) === 'FlateDecode');
    const isLost = isNotNamed(object) && (isDrawn(model, object, read) || isNamedAside());
    if (!isLost && !isMisnamed(object) && !isJpegUnnamed(object, model.resolve)) continue;
    model.job.deadline.check();
    const { filter, size } = filterTold(object, model.resolve, left);
    left -= size;
    if (filter !== null) (isNotNamed(object) ? found.lost : found.misnamed).push(object);
  }
  return found;
}

/** Whether readers read a stream to show a page; `read` are the numbers of those that entries lead to. */
function isDrawn(model: PdfModel, object: PdfObject, read: ReadonlySet<number>): boolean {
  const isRead = read.has(object.number) || entriesOf(object.value).has('Length1');
  return isRead || shown.test(model.nameIn(object, 'Subtype') ?? '');
}

/** The numbers of the streams that pages and fonts lead to. */
function readStreams(model: PdfModel): Set<number> {
  const found = new Set<number>();
  for (const { value } of model.objects.values()) {
    for (const key of leading) {
      const entry = entriesOf(value).get(key);
      const list = key === 'Contents' ? model.resolve(entry) : undefined;
      for (const item of list?.kind === 'array' ? list.items : [entry]) found.add(referenceOf(item) ?? -1);
    }
  }
  return found;
}

/** Whether no filter that readers know is named, and none that a program may have for itself: it has a name of its own then, without damage. */
function isUnnamed(object: PdfObject): boolean {
  return (
    isNotNamed(object) && (filtersOf(entriesOf(object.value), (one) => one).length === 0 || object.flaws.length > 0)
  );
}

/** Whether a stream names no filter, or one alone that readers do not know. */
function isNotNamed({ value }: PdfObject): boolean {
  const entries = entriesOf(value);
  if (nameOf(entries.get('Type')) === 'EmbeddedFile' || entries.get('Filter')?.kind === 'reference') return false;
  const filters = filtersOf(entries, (one) => one);
  return filters.length === 0 || (filters.length === 1 && !isFilter(filters[0]?.name ?? ''));
}

/** Bytes that whole zlib data with a right sum unpacks to; 0 for any other data. `read` is told how many bytes come out, whatever their sum. */
export function unpackedSize(data: Uint8Array, most: number, read?: (bytes: number) => void): number {
  const header = zlibHeaderLength(data);
  if (header === 0) return 0;
  try {
    const out = inflateStrict(data.subarray(header), most);
    if (!out) return 0;
    read?.(out.data.length);
    const at = header + out.consumed;
    const behind = data.length - at - sumBytes;
    if (behind < 0 || behind > mostBehind) return 0;
    return new DataView(data.buffer, data.byteOffset).getUint32(at) === adler32(out.data) ? out.data.length : 0;
  } catch {
    // Data that grows past the limit stays as it is.
    read?.(most);
    return 0;
  }
}
