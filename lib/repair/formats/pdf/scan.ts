import { Buffer } from '../../host/bytes';
import { type Deadline, LimitError, type RepairLimits } from '../../report';
import { decodeStream } from './filters';
import { isWhitespace, PdfLexer } from './lexer';
import {
  entriesOf,
  mostObjectNumber,
  nameOf,
  numberOf,
  type PdfDictionary,
  type PdfFlaw,
  type PdfObject,
  type PdfValue,
  referenceOf,
} from './values';

/** Everything a scan of the bytes brought to light, without any help from cross-reference tables. */
export type PdfScan = {
  objects: Map<number, PdfObject>;
  /** Trailer dictionaries and those of cross-reference streams, in the order of the file. */
  trailers: PdfDictionary[];
  /** Objects that came out of object streams. */
  unpacked: number;
  brokenObjectStreams: number;
  /** Object streams that hold more or fewer objects than they say. */
  miscounted: number;
  /** Where objects stand in object streams, as `placeInBundle` writes it. */
  bundled: Set<string>;
  /** Objects that break off, or behind whose head nothing can be read. */
  broken: number;
  bytes: Buffer;
};

/** How many bytes more than the file has may be read in vain, as for strings that never end. */
const readInVain = 1 << 28;

const objectHead = /(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]*$/;

/** Finds every indirect object (ISO 32000-1, 7.3.10) and object stream (7.5.7). Later definitions replace earlier ones. */
export function scanObjects(bytes: Buffer, limits: RepairLimits, deadline: Deadline): PdfScan {
  const scan: PdfScan = {
    objects: new Map(),
    trailers: [],
    unpacked: 0,
    brokenObjectStreams: 0,
    miscounted: 0,
    bundled: new Set(),
    broken: 0,
    bytes,
  };
  let streams = findObjects(scan, limits, deadline);
  const lengths = lengthsApart(scan);
  if (endsTooSoon(scan, lengths)) {
    scan.objects.clear();
    scan.broken = 0;
    streams = findObjects(scan, limits, deadline, lengths);
  }
  for (const object of scan.objects.values()) {
    if (nameOf(entriesOf(object.value).get('Type')) === 'XRef') scan.trailers.push(entriesOf(object.value));
  }
  findTrailers(bytes, scan, limits);
  if (!scan.trailers.some((trailer) => trailer.has('Root'))) findEncryption(scan);
  // An encrypted file's object streams are encrypted too, and look like noise here.
  if (scan.trailers.some((trailer) => trailer.has('Encrypt'))) return scan;
  let budget = limits.inflatedBytes;
  for (const stream of streams) {
    deadline.check();
    budget -= unpackObjects(stream, scan, limits, deadline, budget);
    if (budget <= 0) throw new LimitError('The compressed content grows to more than this tool opens.');
  }
  return scan;
}

/** The bytes that were read for values, and the lengths of data that stand in objects of their own, by their numbers, where these are known. */
type Tally = { read: number; lengths?: ReadonlyMap<number, number> };

/** Takes every object of the bytes into the scan; the streams of objects among them. */
function findObjects(
  scan: PdfScan,
  limits: RepairLimits,
  deadline: Deadline,
  lengths?: ReadonlyMap<number, number>,
): PdfObject[] {
  const { bytes } = scan;
  const streams: PdfObject[] = [];
  let count = 0;
  const tally: Tally = { read: 0, ...(lengths && { lengths }) };
  for (let at = bytes.indexOf('obj'); at >= 0; ) {
    if (++count % 256 === 0) deadline.check();
    if (count > limits.objects) throw new LimitError('The document claims more objects than this tool opens.');
    const read = objectAt(bytes, at, limits.nesting, tally);
    if (tally.read > bytes.length + readInVain)
      throw new LimitError('Objects without an end begin in too many places of this document.');
    const object = read?.object ?? null;
    if (read && (!object || isEndless(object))) scan.broken++;
    if (object) {
      scan.objects.set(object.number, object);
      if (nameOf(entriesOf(object.value).get('Type')) === 'ObjStm') streams.push(object);
    }
    at = bytes.indexOf('obj', Math.max(at + 3, read?.next ?? 0));
  }
  return streams;
}

/** Lengths of streams that stand in objects of their own (7.3.10), which may follow the stream. */
function lengthsApart({ objects }: PdfScan): Map<number, number> {
  const lengths = new Map<number, number>();
  for (const { stream, value } of objects.values()) {
    const number = stream && referenceOf(entriesOf(value).get('Length'));
    const length = number ? numberOf(objects.get(number)?.value) : null;
    if (number && length !== null) lengths.set(number, length);
  }
  return lengths;
}

/** Whether data of a stream goes on behind a mark of an end within it, as its length says that stands in another object. */
function endsTooSoon({ bytes, objects }: PdfScan, lengths: ReadonlyMap<number, number>): boolean {
  if (lengths.size === 0) return false;
  return [...objects.values()].some(({ stream, value }) => {
    const number = stream && referenceOf(entriesOf(value).get('Length'));
    const length = number ? lengths.get(number) : undefined;
    if (!stream || length === undefined || length <= stream.length + lineEnd) return false;
    return isLengthOf(bytes, stream.byteOffset - bytes.byteOffset, length);
  });
}

/** Bytes of the longest end of a line. */
const lineEnd = 2;

/** The object whose `obj` keyword stands at a place, null in it where nothing readable follows; null where the keyword heads no object. */
function objectAt(
  bytes: Buffer,
  at: number,
  nesting: number,
  tally: Tally,
): { object: PdfObject | null; next: number } | null {
  const head = objectHead.exec(bytes.toString('latin1', Math.max(0, at - 24), at));
  if (!head || Number(head[1]) > mostObjectNumber) return null;
  const offset = at - head[0].length;
  const read = readObject(bytes, at + 3, Number(head[1]), Number(head[2]), offset, nesting, tally);
  return read ?? { object: null, next: 0 };
}

/** Whether an object breaks off, or its data ends neither at its length nor at a mark: readers search on to the end of the file. */
function isEndless({ flaws, stream, value }: PdfObject): boolean {
  if (flaws.includes('cut')) return true;
  const length = numberOf(entriesOf(value).get('Length'));
  return flaws.includes('endstream') && length !== null && Math.abs(length - (stream?.length ?? 0)) > 2;
}

/** An encryption dictionary (7.6.1) that no trailer is left to lead to: what streams and strings hold is no damage, but encrypted. */
function findEncryption(scan: PdfScan): void {
  for (const { number, value } of scan.objects.values()) {
    const entries = entriesOf(value);
    const isOne = ['O', 'U'].every((key) => entries.get(key)?.kind === 'string') && nameOf(entries.get('Filter'));
    if (isOne && numberOf(entries.get('R')) !== null)
      scan.trailers.push(new Map([['Encrypt', { kind: 'reference', number, generation: 0 }]]));
  }
}

function findTrailers(bytes: Buffer, scan: PdfScan, limits: RepairLimits): void {
  for (let at = bytes.indexOf('trailer'); at >= 0; at = bytes.indexOf('trailer', at + 7)) {
    const { value } = new PdfLexer(bytes, at + 7, bytes.length, limits.nesting).value();
    if (value.kind === 'dictionary' && value.entries.size > 0) scan.trailers.push(value.entries);
  }
}

/** Reads one object whose `obj` keyword ends at `at`; null when nothing readable follows. `tally` counts the bytes that were read for values. */
export function readObject(
  bytes: Buffer,
  at: number,
  number: number,
  generation: number,
  offset: number,
  nesting: number,
  tally: Tally = { read: 0 },
): { object: PdfObject; next: number } | null {
  let lexer = new PdfLexer(bytes, at, bytes.length, nesting);
  let { value, keyword } = lexer.value();
  tally.read += lexer.position - at;
  const inside = headInside(bytes, at, lexer.position);
  if (inside !== null) {
    lexer = new PdfLexer(bytes, at, inside, nesting);
    ({ value, keyword } = lexer.value());
    lexer.cut = true;
  }
  const flaws: PdfFlaw[] = [];
  if (keyword !== null) return null;
  if (lexer.cut) flaws.push('cut');
  else if (lexer.odd) flaws.push('syntax');
  lexer.skipSpace();
  const after = lexer.position;
  const follows = lexer.word();
  if (value.kind !== 'dictionary' || (follows !== 'stream' && !startsStream(value.entries, follows))) {
    if (lexer.cut && lexer.position >= bytes.length) return null;
    if (follows !== 'endobj') flaws.push('endobj');
    return { object: { number, generation, value, stream: null, offset, flaws }, next: after };
  }
  if (follows !== 'stream') flaws.push('stream');
  let start = follows === 'stream' ? lexer.position : after;
  if (bytes[start] === 13 && bytes[start + 1] === 10) start += 2;
  else if (bytes[start] === 10 || bytes[start] === 13) start += 1;
  const { end, flaw } = streamEnd(bytes, start, value.entries, tally.lengths);
  if (flaw) flaws.push(flaw);
  else if (!endsObject(bytes, end)) flaws.push('endobj');
  return { object: { number, generation, value, stream: bytes.subarray(start, end), offset, flaws }, next: end };
}

const anotherObject = /endobj\s+\d{1,10} \d{1,5} obj\b/;

/**
 * Where another object begins behind the end of one, within what was read as a value: something else stands where the value went on, and its
 * brackets close anywhere. Null where none does.
 */
function headInside(bytes: Buffer, start: number, end: number): number | null {
  const found = anotherObject.exec(bytes.toString('latin1', start, end));
  return found ? start + found.index : null;
}

/** A damaged `stream` keyword: the dictionary has a length and a filter, and what follows is no end of an object. */
function startsStream(dictionary: PdfDictionary, follows: string): boolean {
  return dictionary.has('Length') && dictionary.has('Filter') && !/^(?:endobj|obj|xref|trailer|\d+)$/.test(follows);
}

function isEndstream(bytes: Buffer, at: number): boolean {
  return bytes.subarray(at, at + endstream.length).equals(endstream);
}

const endstream = Buffer.from('endstream');

/** Whether the mark of an object's end stands behind that of its data, which ends at a place. */
function endsObject(bytes: Buffer, end: number): boolean {
  let at = end;
  while (isWhitespace(bytes[at])) at++;
  const lexer = new PdfLexer(bytes, at + endstream.length);
  lexer.skipSpace();
  return bytes.toString('latin1', lexer.position, lexer.position + 6) === 'endobj';
}

/** The last search for the mark of an end in a file: from where on, and what was found. */
const searched = new WeakMap<Buffer, { from: number; mark: number }>();

/** The next mark of an end; a file without any, but with many streams, is not searched to its end for each. */
function nextEndstream(bytes: Buffer, start: number): number {
  const last = searched.get(bytes);
  if (last && start >= last.from && (last.mark < 0 || last.mark >= start)) return last.mark;
  const mark = bytes.indexOf(endstream, start);
  searched.set(bytes, { from: start, mark });
  return mark;
}

/** Whether the mark of an end stands behind so many bytes, or behind a line end that follows them. */
function isLengthOf(bytes: Buffer, start: number, length: number): boolean {
  if (length < 0 || start + length > bytes.length) return false;
  let at = start + length;
  while (at < bytes.length && at < start + length + 3 && isWhitespace(bytes[at])) at++;
  return isEndstream(bytes, at);
}

const nextObject = /(?:endobj|[\n\r]\d{1,10} \d{1,5} obj)/;

/**
 * Where a stream's data ends: at its length when `endstream` is there, else at the nearest mark of an end. The line end before that may be
 * left out where the data ends with one itself (7.3.8.1), so that packed data keeps it, which ends where its own codes say.
 */
function streamEnd(
  bytes: Buffer,
  start: number,
  dictionary: PdfDictionary,
  lengths: ReadonlyMap<number, number> = new Map(),
): { end: number; flaw: PdfFlaw | null } {
  const other = referenceOf(dictionary.get('Length'));
  const length = other === null ? numberOf(dictionary.get('Length')) : (lengths.get(other) ?? null);
  if (length !== null && isLengthOf(bytes, start, length)) return { end: start + length, flaw: null };
  const flaw = other === null ? 'length' : null;
  let mark = nextEndstream(bytes, start);
  const limit = mark < 0 ? bytes.length : mark;
  const object = searchObject(bytes, start, limit);
  if (object !== null) {
    mark = object;
    return { end: trimLineEnd(bytes, start, mark), flaw: 'endstream' };
  }
  if (mark < 0) return { end: bytes.length, flaw: 'cut' };
  const end = trimLineEnd(bytes, start, mark);
  return { end: nameOf(dictionary.get('Filter')) === 'FlateDecode' && mark - end <= 2 ? mark : end, flaw };
}

function searchObject(bytes: Buffer, start: number, limit: number): number | null {
  const step = 1 << 16;
  for (let at = start; at < limit; at += step) {
    const match = nextObject.exec(bytes.toString('latin1', at, Math.min(limit, at + step + 24)));
    if (match) return at + match.index;
  }
  return null;
}

function trimLineEnd(bytes: Buffer, start: number, mark: number): number {
  let end = mark;
  while (end > start && bytes[end - 1] === 0) end--;
  // Zeroes before the mark are a wiped keyword only when a line end stands before them.
  if (bytes[end - 1] !== 10 && bytes[end - 1] !== 13) end = mark;
  if (end > start && bytes[end - 1] === 10) end--;
  if (end > start && bytes[end - 1] === 13) end--;
  return end;
}

/** An object by its number, that of the stream that holds it and its place in that (7.5.8.3). */
export const placeInBundle = (number: number, container: number, index: number): string =>
  `${number} ${container} ${index}`;

/** What is wrong with a value that stands by itself. */
function flawsOf(lexer: PdfLexer): PdfFlaw[] {
  if (lexer.cut) return ['cut'];
  return lexer.odd ? ['syntax'] : [];
}

/** How many objects have a number and a place before the first one (7.5.7), which tell more surely than the count where they are whole. */
function listedIn(numbers: readonly number[], count: number, isSound: boolean, scan: PdfScan): number {
  const listed = numbers.length >> 1;
  if (!isSound) return Math.min(count, listed);
  if (count !== listed) scan.miscounted++;
  return listed;
}

/** The longest number with the white space behind it that is read in the head of a bundle. */
const longestNumber = 64;

/** A number and the white space around it, as stand before the first object of a bundle. */
const numberAhead = /^[\0\t\n\f\r ]*\d{1,10}[\0\t\n\f\r ]+/;

/**
 * Where the first object of a bundle stands (7.5.7): where it says, unless that lies within the numbers and places of its objects or is
 * missing; then where these end, as far as they can be read. Behind them comments may stand, and whatever else nobody leads to.
 */
function firstOf(data: Buffer, count: number, given: number | null): number {
  let at = 0;
  let last = 0;
  for (let index = 0; index < count * 2; index++) {
    const number = numberAhead.exec(data.toString('latin1', at, at + longestNumber));
    if (!number) return given ?? 0;
    last = at + number[0].trimEnd().length;
    at += number[0].length;
  }
  return given !== null && given >= last ? given : at;
}

/** Takes the objects out of an object stream; returns the inflated size. */
export function unpackObjects(
  stream: PdfObject,
  scan: PdfScan,
  limits: RepairLimits,
  deadline: Deadline,
  budget: number,
): number {
  const dictionary = entriesOf(stream.value);
  const resolve = (value: PdfValue | undefined) => {
    const number = referenceOf(value);
    return number === null ? value : scan.objects.get(number)?.value;
  };
  const decoded = decodeStream(stream.stream ?? Buffer.alloc(0), dictionary, { maxOutput: budget, deadline, resolve });
  if (!decoded.sound) scan.brokenObjectStreams++;
  const count = numberOf(resolve(dictionary.get('N'))) ?? 0;
  const given = numberOf(resolve(dictionary.get('First')));
  const first = firstOf(decoded.data, Math.min(count, limits.objects), given);
  const isElsewhere = first !== (given ?? 0);
  if (isElsewhere) scan.miscounted++;
  const numbers = decoded.data
    .toString('latin1', 0, Math.min(first, decoded.data.length))
    .split(/[\0\t\n\f\r ]+/)
    .filter((text) => /^\d+$/.test(text))
    .map(Number);
  const listed = isElsewhere ? count : listedIn(numbers, count, decoded.sound, scan);
  for (let index = 0; index < Math.min(listed, limits.objects); index++) {
    const number = numbers[index * 2] ?? 0;
    const at = first + (numbers[index * 2 + 1] ?? 0);
    if (at >= decoded.data.length || number > mostObjectNumber) continue;
    const next = first + (numbers[index * 2 + 3] ?? decoded.data.length);
    const end = next > at ? Math.min(next, decoded.data.length) : decoded.data.length;
    const lexer = new PdfLexer(decoded.data, at, end, limits.nesting);
    const { value, keyword } = lexer.value();
    if (keyword !== null) continue;
    scan.bundled.add(placeInBundle(number, stream.number, index));
    const old = scan.objects.get(number);
    if (old && old.offset > stream.offset && old !== stream) continue;
    const flaws = flawsOf(lexer);
    scan.objects.set(number, { number, generation: 0, value, stream: null, offset: stream.offset, flaws });
    scan.unpacked++;
  }
  return decoded.data.length;
}
