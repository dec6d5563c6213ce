import { inflateStrict, zlibHeaderLength } from '../../core/deflate/whole';
import { adler32 } from '../../core/sums';
import type { EngineJob } from '../../report';
import { filtersOf, isFilter } from './filters';
import type { PdfModel } from './model';
import { type PdfScan, unpackObjects } from './scan';
import { entriesOf, nameOf, type PdfObject, pdfName } from './values';

/** Streams that unpack to more bytes are not looked into. */
export const mostUnpacked = 1 << 24;
/** Bytes of a check sum (RFC 1950, 2.2), and those of a line end that may stand between it and the end of the data. */
const sumBytes = 4;
const mostBehind = 2;

/**
 * Names the filter of streams in a damaged document that lost it, or have one that no reader knows, where their data tells it: it is zlib
 * data (RFC 1950) from end to end, with the right check sum. Files inside of documents stay as they are, which may be such data
 * themselves. How many were named.
 */
export function nameLostFilters(scan: PdfScan, job: EngineJob): number {
  let left = job.limits.inflatedBytes;
  let named = 0;
  for (const object of [...scan.objects.values()]) {
    if (left <= 0) break;
    if (!object.stream || !isUnnamed(object)) continue;
    job.deadline.check();
    const size = unpackedSize(object.stream, Math.min(left, mostUnpacked));
    left -= size;
    if (size === 0) continue;
    entriesOf(object.value).set('Filter', pdfName('FlateDecode'));
    named++;
    if (nameOf(entriesOf(object.value).get('Type')) === 'ObjStm')
      unpackObjects(object, scan, job.limits, job.deadline, left);
  }
  return named;
}

/** Streams that a page shows, and programs of fonts, by their kinds; others of these name the length of their first part. */
const shown = /^(?:Image|Form|Type1C|CIDFontType0C|OpenType)$/;

/**
 * Streams of a document that looks sound that lost the entry for their filter, as their data tells in the same way: content of pages, pictures,
 * forms and fonts, and any that have the name of the filter in another entry. What else programs keep for themselves may be such data.
 */
export function unnamedStreams(model: PdfModel, contents: ReadonlySet<PdfObject>): PdfObject[] {
  let left = model.job.limits.inflatedBytes;
  const found: PdfObject[] = [];
  for (const object of model.objects.values()) {
    const entries = entriesOf(object.value);
    if (!object.stream || left <= 0 || entries.has('Filter') || entries.has('F') || !isUnnamed(object)) continue;
    const isDrawn = contents.has(object) || entries.has('Length1') || shown.test(model.nameIn(object, 'Subtype') ?? '');
    if (!isDrawn && ![...entries.values()].some((value) => nameOf(value) === 'FlateDecode')) continue;
    model.job.deadline.check();
    const size = unpackedSize(object.stream, Math.min(left, mostUnpacked));
    left -= size;
    if (size > 0) found.push(object);
  }
  return found;
}

/** Whether no filter that readers know is named, and none that a program may have for itself: it has a name of its own then, without damage. */
function isUnnamed({ value, flaws }: PdfObject): boolean {
  const entries = entriesOf(value);
  if (nameOf(entries.get('Type')) === 'EmbeddedFile') return false;
  const filters = filtersOf(entries, (one) => one);
  if (entries.get('Filter')?.kind === 'reference') return false;
  return filters.length === 0 || (filters.length === 1 && flaws.length > 0 && !isFilter(filters[0]?.name ?? ''));
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
