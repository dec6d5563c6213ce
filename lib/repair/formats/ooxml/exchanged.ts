import { type Exchange, exchange, isPlain, pieceSizes } from '../../core/exchange';
import { isWhole, Pieces, type Summed, summedSizes } from '../../core/sumexchange';
import { crc32 } from '../../core/sums';
import { readCentralDirectory, readLocalHeader, scanLocalHeaders } from '../../core/zip/records';
import { Buffer } from '../../host/bytes';
import { inflateRaw } from '../../host/packing';
import type { Deadline, Effort } from '../../report';
import { learnVocabulary } from './flips';
import { grammarBytes } from './grammar';
import { PartReading, type PlacedPart } from './partreading';
import type { Vocabulary } from './scan';

/** Bytes behind the beginning of foreign data within which XML shows it, and before it, as a fault is told by where a name or value begins. */
const late = 600;
const early = 200;
/** Bytes of text by which pieces are tried, how many that make sense so far go on to the next round, and of others; at last they are read to their end, by how much text grows at most. */
const rounds = [
  { bytes: 160, kept: 1000 },
  { bytes: 1500, kept: 200 },
  { bytes: 6000, kept: 20 },
];
const mostOfRest = 6;
const mostGrowth = 200;
/** Exchanges that one file is taken to have, effort for finding them and the first of them, in units, and bytes of text of the largest part that is looked at. */
const mostExchanges = 200;
export const searchEffort = 1800;
const firstEffort = 200;
const largest = 1 << 24;
/** Effort for exchanges that check sums of stored content tell, in units. */
const storedEffort = 300;

/** A package in another order of its pieces: those that were exchanged, and how many of its parts fit their check sums then. */
export type InOrder = { bytes: Buffer; exchanges: Exchange[]; whole: number };

/**
 * A package as it was before pieces of it changed places: a file that was put together in a wrong order. Every exchange makes the check sum
 * of a part fit that did not (PKWARE APPNOTE 4.4.7), or leads to one that does. `isText` tells parts of XML. Null where there is none.
 */
export function undoExchanges(
  bytes: Buffer,
  isText: (name: string) => boolean,
  deadline: Deadline,
  effort: Effort,
): InOrder | null {
  const given = listOf(bytes, isText);
  // Where every part is whole, what is wrong lies elsewhere.
  if (given.whole === given.count) return null;
  let best: InOrder | null = null;
  for (const head of [null, ...likelyHeads(bytes)]) {
    deadline.check();
    const begun = Buffer.from(bytes);
    if (head) exchange(begun, head);
    const list = head ? listOf(begun, isText) : given;
    if (list.whole < given.whole) continue;
    const bySums = exchangesBySums(begun, list.stored, effort);
    const search = new ExchangeSearch(begun, learnVocabulary(list.texts), effort);
    for (const part of list.parts) search.restore(part);
    const found = [...bySums, ...search.exchanges];
    const exchanges = [...(head ? [head] : []), ...found];
    const whole = found.length > 0 ? listOf(search.bytes, isText).whole : list.whole;
    if (whole > (best?.whole ?? given.whole)) best = { bytes: search.bytes, exchanges, whole };
    if (whole === list.count) break;
  }
  return best;
}

/**
 * Puts pieces back by which content that is stored, not packed, has its check sum again: that tells two pieces by arithmetic. Returns which
 * those were.
 */
function exchangesBySums(bytes: Buffer, stored: readonly Summed[], effort: Effort): Exchange[] {
  const exchanges: Exchange[] = [];
  const share = effort.share(storedEffort);
  const pieces = new Pieces(bytes, share);
  for (const part of stored) {
    for (const size of summedSizes) {
      if (share.isSpent || isWhole(bytes, part)) break;
      const found = pieces.find(part, size);
      if (!found) continue;
      pieces.exchange(found);
      exchanges.push(found);
    }
  }
  return exchanges;
}

/**
 * What the list of parts of a package says: how many there are, how many are whole, how texts that are begin, packed texts that are not, and
 * content that is stored and is not.
 */
type List = { count: number; whole: number; texts: Buffer[]; parts: PlacedPart[]; stored: Summed[] };

function listOf(bytes: Buffer, isText: (name: string) => boolean): List {
  const { entries } = readCentralDirectory(bytes, mostListed);
  const listed = entries.length > 0 ? entries : scanLocalHeaders(bytes, mostListed).filter(({ size }) => size > 0);
  const list: List = { count: listed.length, whole: 0, texts: [], parts: [], stored: [] };
  for (const { name, offset, method, compressed, size, crc } of listed) {
    const header = readLocalHeader(bytes, offset);
    if (!header || header.name !== name || size > largest) continue;
    const part = { start: header.dataStart, end: Math.min(bytes.length, header.dataStart + compressed), size, crc };
    const text = method === 8 ? textOf(bytes, part) : null;
    const isSound = method === 8 ? text !== null : crc32(bytes.subarray(part.start, part.end)) === crc;
    if (isSound) list.whole++;
    else if (method === 0 && compressed === size) list.stored.push({ from: part.start, to: part.end, stated: crc });
    if (isText(name) && text) list.texts.push(Buffer.from(text.subarray(0, grammarBytes)));
    if (isText(name) && method === 8 && !text && size > 0) list.parts.push(part);
  }
  return list;
}

/** The text of a packed part; null where it does not fit its check sum. */
function textOf(bytes: Buffer, { start, end, size, crc }: PlacedPart): Buffer | null {
  const read = inflateRaw(bytes.subarray(start, end), size + 1);
  return typeof read === 'object' && read.data.length === size && crc32(read.data) === crc ? read.data : null;
}

/** Exchanges that headers of parts tell of and that are tried, and parts that are listed at most. */
const mostHeads = 2;
const mostListed = 4096;

/**
 * Exchanges by which headers of parts come to stand where the list of parts says (APPNOTE 4.4.16), or, without one, by which the file begins
 * with one.
 */
function likelyHeads(bytes: Buffer): Exchange[] {
  const { entries } = readCentralDirectory(bytes, mostListed);
  const headers = scanLocalHeaders(bytes, mostListed);
  const pairs = entries.flatMap(({ name, offset }) => {
    const found = headers.filter((header) => header.name === name);
    const [one] = found;
    return one && !found.some((header) => header.offset === offset) ? [{ noted: offset, found: one.offset }] : [];
  });
  const [first] = headers;
  if (entries.length === 0 && first && first.offset > 0) pairs.push({ noted: 0, found: first.offset });
  const exchanges = pairs.flatMap(({ noted, found }) =>
    pieceSizes
      .filter((size) => noted % size === found % size)
      .map((size) => ({ first: noted - (noted % size), second: found - (found % size), size })),
  );
  return exchanges
    .filter(({ first: one, second, size }) => Math.max(one, second) + size <= bytes.length)
    .slice(0, mostHeads);
}

class ExchangeSearch {
  readonly bytes: Buffer;
  readonly exchanges: Exchange[] = [];
  readonly #known: Vocabulary;
  readonly #effort: Effort;
  /** What may be spent before a first exchange is found: most damage is none. */
  #first: Effort;
  #sizes = pieceSizes;

  constructor(bytes: Buffer, known: Vocabulary, effort: Effort) {
    this.bytes = bytes;
    this.#known = known;
    this.#effort = effort;
    this.#first = effort.share(firstEffort);
  }

  /** Puts pieces of a part back until its check sum fits; leaves the file as it was where it never does. */
  restore(part: PlacedPart): void {
    if (this.#effort.isSpent || this.#isWhole(part)) return;
    const reading = new PartReading(this.bytes, part, this.#known, this.#effort);
    const done: Exchange[] = [];
    for (let at = reading.advance(); at !== null && !this.#first.isSpent; at = reading.advance()) {
      const found = done.length + this.exchanges.length < mostExchanges ? this.#find(reading, at) : null;
      if (!found) break;
      this.#swap(found, reading);
      done.push(found);
    }
    if (this.#isWhole(part)) {
      this.exchanges.push(...done);
      return;
    }
    for (const one of done.reverse()) exchange(this.bytes, one);
    // What was found was none, and tells nothing of the size of others.
    if (this.exchanges.length === 0) this.#sizes = pieceSizes;
  }

  /** Puts two pieces in each other's place, also in what is read of a part. */
  #swap(found: Exchange, reading: PartReading): void {
    exchange(this.bytes, found);
    for (const at of [found.first, found.second]) {
      const own = within(reading.part, at, found.size);
      if (own) reading.change(own.from, own.to);
    }
  }

  #isWhole(part: PlacedPart): boolean {
    this.#effort.spend('inflating');
    this.#effort.spend('inflatedByte', part.size);
    return textOf(this.bytes, part) !== null;
  }

  /** The exchange with which a part makes sense beyond the piece in which it stops to, at this byte of its data. */
  #find(reading: PartReading, at: number): Exchange | null {
    const byte = reading.part.start + at;
    for (const size of this.#sizes) {
      const own = Math.floor(byte / size) * size;
      const ahead = own + size - byte < early ? [own + size] : [];
      for (const first of [...ahead, own, ...(byte - own < late ? [own - size] : [])]) {
        if (first < 0 || first + size > this.bytes.length || isPlain(this.bytes, first, size)) continue;
        const second = this.#second(reading, first, size);
        if (second === null) continue;
        // What moved one piece moved others of its size.
        this.#sizes = [size];
        this.#first = this.#effort;
        return { first, second, size };
      }
    }
    return null;
  }

  /** The piece of the file that belongs in the place of another one: with it the text goes on furthest, and beyond it. */
  #second(reading: PartReading, first: number, size: number): number | null {
    const own = within(reading.part, first, size);
    if (!own) return null;
    const tryOut = (second: number, bytes: number) => ({
      second,
      ...reading.tryOut(own.from, own.to, second + own.skipped, bytes),
    });
    const count = Math.floor(this.bytes.length / size);
    let left = Array.from({ length: count }, (_, number) => number * size).filter((second) => second !== first);
    for (const { bytes, kept } of rounds) {
      const read = left.map((second) => (this.#first.isSpent ? { second, reach: 0 } : tryOut(second, bytes)));
      const isAll = read.filter(({ reach }) => reach >= bytes).slice(0, kept);
      // Where the text holds what was not met yet, no piece makes sense all along.
      const rest = read.filter(({ reach }) => reach > 0 && reach < bytes).sort((one, other) => other.reach - one.reach);
      left = [...isAll, ...rest.slice(0, mostOfRest)].map(({ second }) => second);
    }
    const through = left
      .map((second) => tryOut(second, size * mostGrowth))
      .filter(({ isThrough }) => isThrough)
      .sort((one, other) => other.reach - one.reach);
    tryOut(first, 0);
    return through[0]?.second ?? null;
  }
}

/** Where a piece of the file lies in the data of a part, and how many bytes of it lie before that; null where it lies elsewhere. */
function within(
  { start, end }: PlacedPart,
  at: number,
  size: number,
): { from: number; to: number; skipped: number } | null {
  const [from, to] = [Math.max(at, start), Math.min(at + size, end)];
  return to > from ? { from: from - start, to: to - start, skipped: from - at } : null;
}
