import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { Damage } from '../../report/facts/document';
import { checkedFilters, decodeStream, filtersOf, likelyFilter } from './filters';
import { isWhitespace, PdfLexer } from './lexer';
import { type PdfScan, placeInBundle, readObject } from './scan';
import { entriesOf, numberOf, type PdfDictionary, type PdfFlaw, type PdfObject, type PdfValue } from './values';
import { isFirstVersion } from './versions';

type Entry = { offset: number; generation: number } | { container: number; index: number };
/** Where an entry for a free number would lead to if an object stood there; free ones name the next free number in its stead (7.5.4). */
type Freed = Map<number, { offset: number; generation: number }>;
/** What the tables lead to; `highest` is the largest number that any of them has an entry for, free ones included. */
type Tables = { entries: Map<number, Entry>; freed: Freed; trailer: PdfDictionary; highest: number };

/**
 * Checks a PDF as a strict reader would (ISO 32000-1, 7.5): head, cross-reference chain, every object reached from the catalogue, the
 * length and compression of every stream. Tells damage; what readers are meant to accept is no damage.
 */
export function checkStructure(job: EngineJob, scan: PdfScan, told: DocumentTold): void {
  const { bytes } = job;
  const head = bytes.subarray(0, 1024).indexOf('%PDF-');
  if (head < 0) find(told, { kind: 'head.missing', offset: 0 });
  if (head > 0) find(told, { kind: 'head.before', count: head, of: 'PDF', offset: 0 });
  if (head >= 0 && !/^%PDF-\d\.\d/.test(bytes.toString('latin1', head, head + 8)))
    find(told, { kind: 'head.version', offset: head });
  const end = bytes.lastIndexOf('%%EOF');
  const behind = bytes.length - end - '%%EOF'.length;
  if (end > bytes.lastIndexOf('startxref') && behind > mostBehind)
    find(told, { kind: 'tail', count: behind, offset: end });
  const tables = readTables(bytes, Math.max(0, head), job, told);
  if (!tables) return;
  checkTrailer(tables, told);
  walk(job, scan, tables, Math.max(0, head), told);
}

/** Bytes at the end of a file among which readers look for the mark of its end (ISO 32000-1, 7.5.5, and annex H.3, note 18). */
const mostBehind = 1024;

/** Holds the size that the newest trailer tells, and the catalogue that it names, against the tables (7.5.5). */
function checkTrailer({ trailer, highest, entries }: Tables, told: DocumentTold): void {
  const declared = numberOf(trailer.get('Size'));
  if (declared === null) find(told, { kind: 'table.uncounted' });
  if (declared !== null && declared !== highest + 1) find(told, { kind: 'table.size', declared, highest });
  const root = trailer.get('Root');
  // To all other objects no entry need lead (7.3.10).
  if (root?.kind === 'reference' && !entries.has(root.number)) find(told, { kind: 'table.place', object: root.number });
}

/** An identifier in digits of base 16, twice (14.4); other ways to write one are not looked into. */
const identifiers = /\/ID\s*\[\s*(<[^\]]*)\]/;
const soundIdentifiers = /^(?:<[\s\dA-Fa-f]*>\s*){2}$/;
/** Bytes in which a dictionary with identifiers stands. */
const dictionaryBytes = 2048;

function checkIdentifiers(bytes: Buffer, from: number, told: DocumentTold): void {
  const [dictionary = ''] = bytes.toString('latin1', from, from + dictionaryBytes).split(/startxref|stream/, 1);
  const found = identifiers.exec(dictionary)?.[1];
  if (found !== undefined && !soundIdentifiers.test(found)) find(told, { kind: 'identifiers', offset: from });
}

/** The tables of a file, the newest first, from the place that its end names; null when they cannot be read. `base` is where its first line stands. */
export function readTables(bytes: Buffer, base: number, job: EngineJob, told: DocumentTold): Tables | null {
  const mark = bytes.lastIndexOf('startxref');
  if (mark < 0) {
    find(told, { kind: 'end', offset: bytes.length });
    return null;
  }
  let next: number | null = numberOf(new PdfLexer(bytes, mark + 9).value().value);
  const tables = noTables();
  const seen = new Set<number>();
  const readOnce = (at: number, into: Tables): boolean => {
    if (seen.has(at)) return true;
    seen.add(at);
    job.deadline.check();
    const trailer = readSection(bytes, at + base, into, job, told);
    if (!trailer) find(told, { kind: 'table.missing', offset: at + base });
    for (const [key, value] of trailer ?? []) if (!into.trailer.has(key)) into.trailer.set(key, value);
    return trailer !== null;
  };
  while (next !== null && !seen.has(next)) {
    const section = noTables();
    if (!readOnce(next, section)) return null;
    const previous = numberOf(section.trailer.get('Prev'));
    const beside = numberOf(section.trailer.get('XRefStm'));
    // For the sake of old readers a table calls objects free that the stream beside it leads to (7.5.8.4).
    const { freed } = section;
    section.freed = new Map();
    if (beside !== null && !readOnce(beside, section)) return null;
    for (const [number, entry] of freed) if (!section.entries.has(number)) section.freed.set(number, entry);
    addOlder(tables, section);
    next = previous ?? numberOf(section.trailer.get('Prev'));
  }
  return tables;
}

const noTables = (): Tables => ({ entries: new Map(), freed: new Map(), trailer: new Map(), highest: -1 });

/** Adds what an older section says of numbers that no newer one has an entry for. */
function addOlder(tables: Tables, { entries, freed, trailer, highest }: Tables): void {
  for (const [key, value] of trailer) if (!tables.trailer.has(key)) tables.trailer.set(key, value);
  tables.highest = Math.max(tables.highest, highest);
  const isNew = (number: number) => !tables.entries.has(number) && !tables.freed.has(number);
  for (const [number, entry] of entries) if (isNew(number)) tables.entries.set(number, entry);
  for (const [number, entry] of freed) if (isNew(number)) tables.freed.set(number, entry);
}

function readSection(
  bytes: Buffer,
  offset: number,
  tables: Tables,
  job: EngineJob,
  told: DocumentTold,
): PdfDictionary | null {
  if (offset < 0 || offset >= bytes.length) return null;
  const lexer = new PdfLexer(bytes, offset);
  lexer.skipSpace();
  const start = lexer.position;
  if (bytes.toString('latin1', start, start + 4) === 'xref') return readClassic(bytes, start + 4, tables, job, told);
  const head = /^(\d+)\s+(\d+)\s+obj/.exec(bytes.toString('latin1', start, start + 40));
  // Readers that come to the middle of a number take the rest of it for another object.
  if (!head || isDigit(bytes[start - 1])) return null;
  const read = readObject(bytes, start + head[0].length, Number(head[1]), Number(head[2]), start, job.limits.nesting);
  if (!read || read.object.stream === null) return null;
  checkIdentifiers(bytes, start, told);
  checkFlaws(read.object, told);
  return readStreamTable(read.object, tables, job, told);
}

/** Notes what an entry says of a number, unless a newer table has one for it. */
function enter(tables: Tables, number: number, entry: Entry, isUsed: boolean): void {
  tables.highest = Math.max(tables.highest, number);
  if (tables.entries.has(number) || tables.freed.has(number)) return;
  if (isUsed) tables.entries.set(number, entry);
  else if ('offset' in entry) tables.freed.set(number, entry);
}

const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39;

function readClassic(
  bytes: Buffer,
  at: number,
  tables: Tables,
  job: EngineJob,
  told: DocumentTold,
): PdfDictionary | null {
  const lexer = new PdfLexer(bytes, at);
  for (;;) {
    const { value, keyword } = lexer.value();
    if (keyword === 'trailer') {
      checkIdentifiers(bytes, lexer.position, told);
      const trailer = lexer.value().value;
      if (lexer.odd) find(told, { kind: 'object.syntax', offset: lexer.position });
      return trailer.kind === 'dictionary' ? trailer.entries : null;
    }
    const first = numberOf(value);
    const count = numberOf(lexer.value().value);
    if (keyword !== null || first === null || count === null || count > job.limits.objects) return null;
    for (let index = 0; index < count; index++) {
      const offset = numberOf(lexer.value().value);
      const generation = numberOf(lexer.value().value);
      const type = lexer.value().keyword;
      if (offset === null || generation === null || (type !== 'n' && type !== 'f')) return null;
      enter(tables, first + index, { offset, generation }, type === 'n');
    }
  }
}

/** The numbers in a list of a dictionary; `otherwise` where there is no list. */
function numbersIn(value: PdfValue | undefined, otherwise: number[]): number[] {
  return value?.kind === 'array' ? value.items.map((item) => numberOf(item) ?? 0) : otherwise;
}

/** Reads a cross-reference stream (7.5.8): each entry has a type and two fields of so many bytes as `W` says. */
function readStreamTable(object: PdfObject, tables: Tables, job: EngineJob, told: DocumentTold): PdfDictionary | null {
  const dictionary = entriesOf(object.value);
  const options = {
    maxOutput: job.limits.inflatedBytes,
    deadline: job.deadline,
    resolve: (value: PdfValue | undefined) => value,
  };
  const decoded = decodeStream(object.stream ?? Buffer.alloc(0), dictionary, options);
  const widths = numbersIn(dictionary.get('W'), []);
  if (!decoded.sound || widths.length < 3) return null;
  const index = numbersIn(dictionary.get('Index'), [0, numberOf(dictionary.get('Size')) ?? 0]);
  const width = widths[0] ?? 0;
  const size = width + (widths[1] ?? 0) + (widths[2] ?? 0);
  const count = index.reduce((sum, value, place) => sum + (place % 2 === 1 ? value : 0), 0);
  if (decoded.data.length !== count * size) find(told, { kind: 'table.short', offset: object.offset });
  let at = 0;
  const field = (width: number) => {
    let value = 0;
    for (let step = 0; step < width; step++) value = value * 256 + (decoded.data[at++] ?? 0);
    return value;
  };
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    for (let step = 0; step < (index[pair + 1] ?? 0) && at < decoded.data.length; step++) {
      const type = width === 0 ? 1 : field(width);
      const second = field(widths[1] ?? 0);
      const third = field(widths[2] ?? 0);
      const number = (index[pair] ?? 0) + step;
      const entry = entryOf(type, second, third);
      enter(tables, number, entry ?? { offset: second, generation: third }, entry !== null);
    }
  }
  return dictionary;
}

/** What an entry of a type says (table 18): where an object stands, or in which stream of objects; null for a free number, and for one at the place of the head, where no object is. */
function entryOf(type: number, second: number, third: number): Entry | null {
  if (type === 1 && second === 0) return null;
  if (type === 1) return { offset: second, generation: third };
  return type === 2 ? { container: second, index: third } : null;
}

/** Values that another one holds. */
function valuesIn(value: PdfValue | undefined): Iterable<PdfValue> {
  if (value?.kind === 'array') return value.items;
  return value?.kind === 'dictionary' ? value.entries.values() : [];
}

/** Follows every reference from the trailer and checks each object where the table says it is. */
function walk(job: EngineJob, scan: PdfScan, tables: Tables, base: number, told: DocumentTold): void {
  const queue: PdfValue[] = [...tables.trailer]
    .filter(([key]) => key === 'Root' || key === 'Info' || key === 'Encrypt')
    .map(([, value]) => value);
  if (!tables.trailer.has('Root')) find(told, { kind: 'trailer' });
  const encrypted = tables.trailer.has('Encrypt');
  const seen = new Set<number>();
  let misplaced = 0;
  while (queue.length > 0) {
    const value = queue.pop();
    // One by one: there may be more than a call takes arguments.
    for (const item of valuesIn(value)) queue.push(item);
    if (value?.kind !== 'reference' || seen.has(value.number)) continue;
    seen.add(value.number);
    if (seen.size % 64 === 0) job.deadline.check();
    const entry = tables.entries.get(value.number);
    // A reference to an object that no table names is the null object (7.3.10), not damage.
    if (!entry) {
      checkFreed(scan, tables, value.number, base, told);
      continue;
    }
    const object = objectOf(job, scan, value.number, entry, base);
    if (object) {
      if (object.generation !== value.generation) find(told, { kind: 'reference', object: value.number });
      queue.push(object.value);
      checkObject(job, scan, object, encrypted, told);
      continue;
    }
    // Bundles of an encrypted document cannot be looked into.
    if (!('container' in entry && encrypted)) misplaced++;
    const place = 'offset' in entry ? { offset: entry.offset + base } : {};
    if (misplaced === 1) find(told, { kind: 'table.place', object: value.number, ...place });
  }
  if (scan.miscounted > 0) find(told, { kind: 'stream.bundles', count: scan.miscounted });
  checkPages(tables, scan, encrypted, told);
  checkOthers(tables, seen, (number, entry) => objectOf(job, scan, number, entry, base), told);
}

/**
 * A number that is in use although its entry calls it free: the object stands where the entry says, in which free ones name another number
 * (7.5.4), or it is there in a file that was written at once, in which nothing was ever taken out.
 */
function checkFreed(scan: PdfScan, { freed }: Tables, number: number, base: number, told: DocumentTold): void {
  const entry = freed.get(number);
  const object = scan.objects.get(number);
  if (!entry || !object) return;
  const { offset, generation } = entry;
  const isInBundle = scan.bundled.has(placeInBundle(number, offset, generation));
  const isThere = isInBundle || (offset > 0 && object.offset === offset + base);
  const isKept = () => object.flaws.length === 0 && isFirstVersion(scan.bytes, scan.objects);
  if (isThere || isKept()) find(told, { kind: 'table.place', object: number, offset: object.offset });
}

/** Objects that the catalogue does not lead to are read by strict readers, too: bundles of others, and what programs left behind. */
function checkOthers(
  { entries }: Tables,
  seen: ReadonlySet<number>,
  read: (number: number, entry: Entry) => PdfObject | null,
  told: DocumentTold,
): void {
  let isMisplaced = told.damages.some(({ kind }) => kind === 'table.place');
  for (const [number, entry] of entries) {
    if (seen.has(number)) continue;
    const object = read(number, entry);
    if (object) checkFlaws(object, told);
    else if ('offset' in entry && !isMisplaced) {
      find(told, { kind: 'table.place', object: number, offset: entry.offset });
      isMisplaced = true;
    }
  }
}

/** Tells what is wrong with how an object is written. */
function checkFlaws({ flaws, offset }: PdfObject, told: DocumentTold): void {
  for (const flaw of flaws) if (told.damages.length < mostTold) find(told, { kind: flawKinds[flaw], offset });
}

/** The object that an entry leads to; null where it does not. */
function objectOf(job: EngineJob, scan: PdfScan, number: number, entry: Entry, base: number): PdfObject | null {
  if ('offset' in entry) {
    const object = objectAt(job, scan, number, entry.offset + base);
    return object?.generation === entry.generation ? object : null;
  }
  // Readers look an object up by the stream that holds it and by its place in it.
  const isThere = scan.bundled.has(placeInBundle(number, entry.container, entry.index));
  return (isThere && scan.objects.get(number)) || null;
}

function checkPages(tables: Tables, scan: PdfScan, encrypted: boolean, told: DocumentTold): void {
  const resolve = (value: PdfValue | undefined) =>
    value?.kind === 'reference' ? scan.objects.get(value.number)?.value : value;
  const pages = resolve(entriesOf(resolve(tables.trailer.get('Root'))).get('Pages'));
  if (pages?.kind !== 'dictionary' && !encrypted) find(told, { kind: 'pages.missing' });
}

function objectAt(job: EngineJob, scan: PdfScan, number: number, offset: number): PdfObject | null {
  let at = offset;
  while (at < job.bytes.length && isWhitespace(job.bytes[at])) at++;
  const known = scan.objects.get(number);
  if (known && known.offset === at) return known;
  const head = /^(\d+)\s+(\d+)\s+obj/.exec(job.bytes.toString('latin1', at, at + 40));
  if (!head || Number(head[1]) !== number) return null;
  return readObject(job.bytes, at + head[0].length, number, Number(head[2]), at, job.limits.nesting)?.object ?? null;
}

/** What is told of each flaw of an object. */
const flawKinds = {
  cut: 'cut',
  syntax: 'object.syntax',
  endobj: 'object.end',
  stream: 'stream.begin',
  endstream: 'stream.end',
  length: 'length',
} as const satisfies Record<PdfFlaw, Damage['kind']>;

/** Damage to so many objects is told one by one. */
export const mostTold = 20;

function checkObject(job: EngineJob, scan: PdfScan, object: PdfObject, encrypted: boolean, told: DocumentTold): void {
  const { offset } = object;
  checkFlaws(object, told);
  if (!object.stream || encrypted) return;
  const dictionary = entriesOf(object.value);
  const resolve = (value: PdfValue | undefined) =>
    value?.kind === 'reference' ? scan.objects.get(value.number)?.value : value;
  const filters = filtersOf(dictionary, resolve);
  if (filters.some(({ name }) => likelyFilter(name) !== null) && told.damages.length < mostTold)
    find(told, { kind: 'stream.filter', offset });
  const [first] = filters;
  if (!first || !checkedFilters.has(first.name)) return;
  const decoded = decodeStream(object.stream, dictionary, {
    maxOutput: job.limits.inflatedBytes,
    deadline: job.deadline,
    resolve,
  });
  if (!decoded.sound && told.damages.length < mostTold) find(told, { kind: 'stream.packed', offset });
}
