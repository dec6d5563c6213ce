import { inflateStrict, zlibHeaderLength } from '../../core/deflate/whole';
import type { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import { looksLikeContent } from './pagecontent';
import type { PdfScan } from './scan';
import { entriesOf, type PdfObject, type PdfValue, pdfDictionary, pdfName, referenceOf } from './values';

/** How far behind the last whole object the data of a stream may begin, in bytes. */
const farthest = 4096;
/** Streams that unpack to more bytes are no text. */
const mostText = 1 << 24;

/**
 * Finds Flate streams whose object lost its head: an `endstream` that belongs to no object, with whole data before it. Each gets the
 * number that pages or fonts miss, or a free one, and is added to the scan. The number of streams found.
 */
export function adoptStreams(scan: PdfScan, deadline: Deadline): number {
  const { bytes } = scan;
  const spans = [...scan.objects.values()].filter(({ offset }) => offset < bytes.length).map(spanOf(bytes));
  spans.sort((left, right) => left.start - right.start);
  const missing = missingNumbers(scan);
  let found = 0;
  let index = 0;
  for (let mark = bytes.indexOf('endstream'); mark >= 0; mark = bytes.indexOf('endstream', mark + 9)) {
    deadline.check();
    while ((spans[index + 1]?.start ?? Number.POSITIVE_INFINITY) < mark) index++;
    const before = spans[index];
    const isOwned = before !== undefined && before.start < mark && before.isStream && before.end >= mark - 4;
    if (isOwned) continue;
    const from = before && before.start < mark ? before.end : 0;
    const data = wholeStream(bytes, from, mark);
    if (!data) continue;
    const wanted = data.text.includes('begincmap')
      ? missing.codes
      : looksLikeContent(data.text)
        ? missing.contents
        : null;
    if (!wanted) continue;
    const number = nearest(wanted, before?.number ?? 0) ?? freeNumber(scan);
    wanted.delete(number);
    const value = pdfDictionary({ Filter: pdfName('FlateDecode') });
    const stream = bytes.subarray(data.start, mark);
    scan.objects.set(number, { number, generation: 0, value, stream, offset: data.start, flaws: [] });
    found++;
  }
  return found;
}

type Span = { start: number; end: number; number: number; isStream: boolean };

function spanOf(bytes: Buffer): (object: PdfObject) => Span {
  return ({ offset, number, stream }) => {
    const isStream = stream !== null && stream.buffer === bytes.buffer;
    return {
      start: offset,
      end: isStream ? stream.byteOffset - bytes.byteOffset + stream.length : offset,
      number,
      isStream,
    };
  };
}

/** The first zlib data between two places that reads whole and ends at `mark`. */
function wholeStream(bytes: Buffer, from: number, mark: number): { start: number; text: Buffer } | null {
  for (let at = from; at < Math.min(mark, from + farthest); at++) {
    if (bytes[at] !== 0x78 || zlibHeaderLength(bytes, at) === 0) continue;
    try {
      const read = inflateStrict(bytes.subarray(at + 2, mark), mostText);
      if (read && read.data.length > 16 && mark - (at + 2 + read.consumed) < 16) return { start: at, text: read.data };
    } catch {
      // Data that grows past the limit is no stream of text.
    }
  }
  return null;
}

/** Numbers of objects that pages name as their content, and fonts as their table of letters, and that were not found. */
function missingNumbers(scan: PdfScan): { contents: Set<number>; codes: Set<number> } {
  const missing = { contents: new Set<number>(), codes: new Set<number>() };
  const add = (to: Set<number>, value: PdfValue | undefined) => {
    for (const item of value?.kind === 'array' ? value.items : [value]) {
      const number = referenceOf(item);
      if (number !== null && !scan.objects.has(number)) to.add(number);
    }
  };
  for (const object of scan.objects.values()) {
    add(missing.contents, entriesOf(object.value).get('Contents'));
    add(missing.codes, entriesOf(object.value).get('ToUnicode'));
  }
  return missing;
}

/** Programs number objects in the order they write them, so the number after that of the object before is the likeliest. */
function nearest(numbers: ReadonlySet<number>, before: number): number | null {
  const sorted = [...numbers].sort((left, right) => Math.abs(left - before - 1) - Math.abs(right - before - 1));
  return sorted[0] ?? null;
}

function freeNumber(scan: PdfScan): number {
  let number = scan.objects.size + 1;
  while (scan.objects.has(number)) number++;
  return number;
}
