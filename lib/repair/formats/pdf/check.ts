import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { Damage } from '../../report/facts/document';
import { decodeStream } from './filters';
import { isWhitespace, PdfLexer } from './lexer';
import { type PdfScan, readObject } from './scan';
import { entriesOf, nameOf, numberOf, type PdfDictionary, type PdfFlaw, type PdfObject, type PdfValue } from './values';

type Entry = { offset: number } | { container: number };
type Tables = { entries: Map<number, Entry>; trailer: PdfDictionary };

/**
 * Checks a PDF as a strict reader would (ISO 32000-1, 7.5): head, cross-reference chain, every object reached from the catalogue, the
 * length and compression of every stream. Tells damage; what readers are meant to accept is no damage.
 */
export function checkStructure(job: EngineJob, scan: PdfScan, told: DocumentTold): void {
  const { bytes } = job;
  const head = bytes.subarray(0, 1024).indexOf('%PDF-');
  if (head < 0) find(told, { kind: 'head.missing', offset: 0 });
  if (head > 0) find(told, { kind: 'head.before', count: head, of: 'PDF', offset: 0 });
  const tables = readTables(bytes, Math.max(0, head), job, told);
  if (!tables) return;
  walk(job, scan, tables, Math.max(0, head), told);
}

/** The tables of a file, the newest first, from the place that its end names; null when they cannot be read. `base` is where its first line stands. */
export function readTables(bytes: Buffer, base: number, job: EngineJob, told: DocumentTold): Tables | null {
  const mark = bytes.lastIndexOf('startxref');
  if (mark < 0) {
    find(told, { kind: 'end', offset: bytes.length });
    return null;
  }
  let next: number | null = numberOf(new PdfLexer(bytes, mark + 9).value().value);
  const tables: Tables = { entries: new Map(), trailer: new Map() };
  const seen = new Set<number>();
  const queue: (number | null)[] = [next];
  while (queue.length > 0) {
    next = queue.shift() ?? null;
    if (next === null || seen.has(next)) continue;
    seen.add(next);
    job.deadline.check();
    const trailer = readSection(bytes, next + base, tables.entries, job);
    if (!trailer) {
      find(told, { kind: 'table.missing', offset: next + base });
      return null;
    }
    for (const [key, value] of trailer) if (!tables.trailer.has(key)) tables.trailer.set(key, value);
    queue.push(numberOf(trailer.get('XRefStm')), numberOf(trailer.get('Prev')));
  }
  return tables;
}

function readSection(bytes: Buffer, offset: number, entries: Map<number, Entry>, job: EngineJob): PdfDictionary | null {
  if (offset < 0 || offset >= bytes.length) return null;
  const lexer = new PdfLexer(bytes, offset);
  lexer.skipSpace();
  const start = lexer.position;
  if (bytes.toString('latin1', start, start + 4) === 'xref') return readClassic(bytes, start + 4, entries, job);
  const head = /^(\d+)\s+(\d+)\s+obj/.exec(bytes.toString('latin1', start, start + 40));
  if (!head) return null;
  const read = readObject(bytes, start + head[0].length, Number(head[1]), Number(head[2]), start, job.limits.nesting);
  if (!read || read.object.stream === null) return null;
  return readStreamTable(read.object, entries, job);
}

function readClassic(bytes: Buffer, at: number, entries: Map<number, Entry>, job: EngineJob): PdfDictionary | null {
  const lexer = new PdfLexer(bytes, at);
  for (;;) {
    const { value, keyword } = lexer.value();
    if (keyword === 'trailer') {
      const trailer = lexer.value().value;
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
      if (type === 'n' && !entries.has(first + index)) entries.set(first + index, { offset });
    }
  }
}

/** The numbers in a list of a dictionary; `otherwise` where there is no list. */
function numbersIn(value: PdfValue | undefined, otherwise: number[]): number[] {
  return value?.kind === 'array' ? value.items.map((item) => numberOf(item) ?? 0) : otherwise;
}

/** Reads a cross-reference stream (7.5.8): each entry has a type and two fields of so many bytes as `W` says. */
function readStreamTable(object: PdfObject, entries: Map<number, Entry>, job: EngineJob): PdfDictionary | null {
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
  let at = 0;
  const field = (width: number) => {
    let value = 0;
    for (let step = 0; step < width; step++) value = value * 256 + (decoded.data[at++] ?? 0);
    return value;
  };
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    for (let step = 0; step < (index[pair + 1] ?? 0) && at < decoded.data.length; step++) {
      const type = widths[0] === 0 ? 1 : field(widths[0] ?? 0);
      const second = field(widths[1] ?? 0);
      field(widths[2] ?? 0);
      const number = (index[pair] ?? 0) + step;
      const entry = entryOf(type, second);
      if (entry && !entries.has(number)) entries.set(number, entry);
    }
  }
  return dictionary;
}

/** What an entry of a type says (table 18): where an object stands, or in which stream of objects; null for a free number. */
function entryOf(type: number, second: number): Entry | null {
  if (type === 1) return { offset: second };
  return type === 2 ? { container: second } : null;
}

/** Follows every reference from the trailer and checks each object where the table says it is. */
function walk(job: EngineJob, scan: PdfScan, tables: Tables, base: number, told: DocumentTold): void {
  const queue: PdfValue[] = [...tables.trailer]
    .filter(([key]) => key === 'Root' || key === 'Info')
    .map(([, value]) => value);
  if (!tables.trailer.has('Root')) find(told, { kind: 'trailer' });
  const encrypted = tables.trailer.has('Encrypt');
  const seen = new Set<number>();
  let misplaced = 0;
  while (queue.length > 0) {
    const value = queue.pop();
    if (value?.kind === 'array') queue.push(...value.items);
    else if (value?.kind === 'dictionary') queue.push(...value.entries.values());
    if (value?.kind !== 'reference' || seen.has(value.number)) continue;
    seen.add(value.number);
    if (seen.size % 64 === 0) job.deadline.check();
    const entry = tables.entries.get(value.number);
    // A reference to an object that no table names is the null object (7.3.10), not damage.
    if (!entry) continue;
    const object = objectOf(job, scan, value.number, entry, base);
    if (object) {
      queue.push(object.value);
      checkObject(job, scan, object, encrypted, told);
      continue;
    }
    // Bundles of an encrypted document cannot be looked into.
    if (!('container' in entry && encrypted)) misplaced++;
    const place = 'offset' in entry ? { offset: entry.offset + base } : {};
    if (misplaced === 1) find(told, { kind: 'table.place', object: value.number, ...place });
  }
  checkPages(tables, scan, encrypted, told);
}

/** The object that an entry leads to; null where it does not. */
function objectOf(job: EngineJob, scan: PdfScan, number: number, entry: Entry, base: number): PdfObject | null {
  if ('offset' in entry) return objectAt(job, scan, number, entry.offset + base);
  return scan.objects.get(number) ?? null;
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
  endobj: 'object.end',
  stream: 'stream.begin',
  endstream: 'stream.end',
  length: 'length',
} as const satisfies Record<PdfFlaw, Damage['kind']>;

/** Damage to so many objects is told one by one. */
const mostTold = 20;

function checkObject(job: EngineJob, scan: PdfScan, object: PdfObject, encrypted: boolean, told: DocumentTold): void {
  const { offset } = object;
  for (const flaw of object.flaws) if (told.damages.length < mostTold) find(told, { kind: flawKinds[flaw], offset });
  if (!object.stream || encrypted) return;
  const dictionary = entriesOf(object.value);
  const resolve = (value: PdfValue | undefined) =>
    value?.kind === 'reference' ? scan.objects.get(value.number)?.value : value;
  const filter = resolve(dictionary.get('Filter'));
  const first = nameOf(filter?.kind === 'array' ? filter.items[0] : filter);
  if (first !== 'FlateDecode' && first !== 'Fl') return;
  const decoded = decodeStream(object.stream, dictionary, {
    maxOutput: job.limits.inflatedBytes,
    deadline: job.deadline,
    resolve,
  });
  if (!decoded.sound && told.damages.length < mostTold) find(told, { kind: 'stream.packed', offset });
}
