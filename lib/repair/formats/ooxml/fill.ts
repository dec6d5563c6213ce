import type { Gappy } from '../../core/flips/gaps';
import { Likeness, lostByte } from '../../core/flips/likeness';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { doubtWords } from './doubtful';

/** Known bytes in a row that a place is found by, and how far around unknown ones they may lie. */
const anchorBytes = 6;
const reach = 24;
/** Known bytes of a window beside these that must agree, and unknown ones in a row that are looked at. */
const leastAgreeing = 3;
const longestRun = 512;
/** Longer runs are told only where nothing but markup stands in their stead: what lies between two texts of the same length is chance. */
const longestMixed = 96;
/** Places with the same anchor that are compared, and how often what is known is gone through. */
const mostPlaces = 48;
const mostRounds = 8;
/** Known bytes from which on they say what goes together, and how often. */
const enoughKnown = 1 << 14;
/** Unknown bytes in a row that text tells as well as markup, and stretches that must tell the same of a source, where enough is known. */
const mostOfText = 4;
const leastTelling = 3;
/** How many times as often one byte must be told as all others together. */
const clearly = 4;

/** What a byte of XML is part of: of markup, of text or of a value that differs from place to place, or that is not known. */
const [isMarkup, isData] = [1, 2];

/** Attributes whose values are the document's own, such as names, addresses and instructions of fields: they are not told by others. */
const ownValue =
  /^(?:r|ref|spans|uniqueCount|count|id|Id|Target|name|descr|title|location|display|[\w.-]+:(?:value|date-value|time-value|string-value|boolean-value|formula|href|id|rsid\w*|paraId|textId|number-\w+-repeated|name|anchor|tooltip|instr|ref-name))$/;

/**
 * Sets unknown bytes of markup by what stands between the same known bytes elsewhere, in this text or in `others`; bytes with one source are
 * alike, so that each place tells of all. Text and values stay unknown, but for a few bytes in a row of which several places tell the same.
 */
export function fillMarkup(gappy: Gappy, others: readonly Uint8Array[], effort: Effort): void {
  const filled = new Uint8Array(gappy.text.length);
  fillRounds(gappy, others, filled, effort);
  doubtWords(gappy.text, filled);
}

/** Sets what is told, round by round, and notes where. */
function fillRounds(gappy: Gappy, others: readonly Uint8Array[], filled: Uint8Array, effort: Effort): void {
  const { text, sources } = gappy;
  for (let round = 0; round < mostRounds && !effort.isSpent; round++) {
    const votes = new Votes();
    const runs = runsOf(text);
    const known = new Known([text, ...others], runs);
    effort.spend('markupByte', known.bytes.length);
    for (const [from, to] of runs) {
      if (effort.isSpent) break;
      const filling = known.filling(from, to, effort);
      for (const [index, byte] of filling ?? []) votes.add(sources[index] ?? index, byte);
    }
    const isEnough = known.bytes.length >= enoughKnown;
    const clear = votes.clear(isEnough ? leastTelling : 1);
    const told = isEnough ? withoutOdd(clear, gappy, known.bytes) : clear;
    effort.spend('markupByte', text.length);
    if (told.size === 0) return;
    setTold(gappy, told, filled);
  }
}

/** Sets the bytes whose sources are told, and notes where. */
function setTold({ text, sources }: Gappy, told: ReadonlyMap<number, number>, filled: Uint8Array): void {
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] === lostByte ? told.get(sources[at] ?? at) : undefined;
    if (byte === undefined) continue;
    text[at] = byte;
    filled[at] = 1;
  }
}

/**
 * Of the bytes that are told of their sources, those that go together with what stands beside them wherever the source was copied to: a byte
 * of text that was taken for one of markup makes words there that nothing in the known text is like.
 */
function withoutOdd(
  told: ReadonlyMap<number, number>,
  { text, sources }: Gappy,
  known: Uint8Array,
): Map<number, number> {
  const likeness = new Likeness();
  likeness.learn(known);
  const odd = new Map<number, number>();
  for (let at = 2; at < text.length - 2; at++) {
    const source = text[at] === lostByte ? (sources[at] ?? at) : -1;
    const byte = told.get(source);
    if (byte === undefined) continue;
    const beside = [-2, -1, 1, 2].map((by) => text[at + by] ?? lostByte) as [number, number, number, number];
    const worth =
      likeness.weight(beside[0], beside[1], byte) +
      likeness.weight(beside[1], byte, beside[2]) +
      likeness.weight(byte, beside[2], beside[3]);
    odd.set(source, (odd.get(source) ?? 0) + worth);
  }
  return new Map([...told].filter(([source]) => (odd.get(source) ?? 0) >= 0));
}

/** Stretches of unknown bytes. */
function runsOf(text: Buffer): [number, number][] {
  const runs: [number, number][] = [];
  for (let at = text.indexOf(lostByte); at >= 0; ) {
    let to = at;
    while (text[to] === lostByte) to++;
    if (to - at <= longestRun) runs.push([at, to]);
    at = text.indexOf(lostByte, to);
  }
  return runs;
}

/** What is told of unknown bytes, by their sources. */
class Votes {
  readonly #counts = new Map<number, Map<number, number>>();

  add(source: number, byte: number): void {
    const counts = this.#counts.get(source) ?? new Map<number, number>();
    counts.set(byte, (counts.get(byte) ?? 0) + 1);
    this.#counts.set(source, counts);
  }

  /** The bytes that are told clearly, each of them at least so often. */
  clear(least: number): Map<number, number> {
    const told = new Map<number, number>();
    for (const [source, counts] of this.#counts) {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      for (const [byte, count] of counts) if (count >= least && count > (all - count) * clearly) told.set(source, byte);
    }
    return told;
  }
}

/** Bytes of a window, by how far they lie from its anchor. */
type Window = { anchor: number; from: number; to: number };

/** Marks of anchors that are looked for, by a hash of their bytes. */
const hashBits = 20;
const hashOf = (first: number, second: number) =>
  (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> (32 - hashBits);

/** Texts by what stands in them, around the stretches of unknown bytes in the first of them. */
class Known {
  readonly bytes: Buffer;
  readonly #kinds: Uint8Array;
  readonly #isEnough: boolean;
  readonly #anchors = new Map<number, number[]>();
  readonly #found = new Map<string, (number | null)[] | null>();

  constructor(texts: readonly Uint8Array[], runs: readonly [number, number][]) {
    this.bytes = Buffer.concat(texts.flatMap((text) => [text, Buffer.from([lostByte])]));
    this.#kinds = kindsOf(this.bytes);
    this.#isEnough = this.bytes.length >= enoughKnown;
    this.#findAnchors(runs);
  }

  /** Notes all places where the anchors of the stretches stand. */
  #findAnchors(runs: readonly [number, number][]): void {
    const { bytes } = this;
    const marks = new Uint8Array(1 << hashBits);
    const half = (at: number) => bytes.readUIntBE(at, anchorBytes / 2);
    for (const [from, to] of runs) {
      for (const { anchor } of this.#windows(from, to)) {
        this.#anchors.set(this.#key(anchor), []);
        marks[hashOf(half(anchor), half(anchor + anchorBytes / 2))] = 1;
      }
    }
    let [first, second] = [0, bytes.length < anchorBytes ? 0 : half(0)];
    for (let at = 0; at + anchorBytes <= bytes.length; at++) {
      first = at === 0 ? second : ((first << 8) | (bytes[at + 2] ?? 0)) & 0xffffff;
      second = at === 0 ? half(3) : ((second << 8) | (bytes[at + 5] ?? 0)) & 0xffffff;
      if (marks[hashOf(first, second)] === 1) this.#anchors.get(this.#key(at))?.push(at);
    }
  }

  /** The bytes of markup that must stand in a stretch of unknown ones, by their offsets; null where that is not told. */
  filling(from: number, to: number, effort: Effort): [number, number][] | null {
    for (const window of this.#windows(from, to)) {
      const name = `${window.from - window.anchor} ${this.bytes.toString('latin1', Math.min(window.anchor, window.from), Math.max(window.to, window.anchor + anchorBytes))}`;
      let bytes = this.#found.get(name);
      if (bytes === undefined) {
        bytes = this.#fillingAt(window, effort);
        this.#found.set(name, bytes);
      }
      if (bytes) return bytes.flatMap((byte, index) => (byte === null ? [] : [[window.from + index, byte]]));
    }
    return null;
  }

  /** A stretch with what stands around it, found by what is known before it or behind it. */
  #windows(from: number, to: number): Window[] {
    const windows: Window[] = [];
    const around = { from: Math.max(0, from - anchorBytes), to: Math.min(this.bytes.length, to + anchorBytes) };
    for (let anchor = from - anchorBytes; anchor > from - reach && anchor >= 0; anchor--) {
      if (this.#key(anchor) < 0) continue;
      windows.push({ ...around, anchor });
      break;
    }
    for (let anchor = to; anchor < to + reach; anchor++) {
      if (this.#key(anchor) < 0) continue;
      windows.push({ ...around, anchor });
      break;
    }
    return windows;
  }

  /** What stands at all places like a window, where it is the same: null for each byte that is known or differs, and for text of more than a few. */
  #fillingAt({ anchor, from, to }: Window, effort: Effort): (number | null)[] | null {
    const places = this.#anchors.get(this.#key(anchor)) ?? [];
    const every = Math.max(1, Math.floor(places.length / mostPlaces));
    let filling: (number | null)[] | null = null;
    const isFew = this.#isEnough && to - from <= mostOfText + anchorBytes * 2;
    effort.spend('comparedByte', Math.min(places.length, mostPlaces) * (to - from));
    for (let index = 0; index < places.length; index += every) {
      const shift = (places[index] ?? 0) - anchor;
      if (shift === 0 || !this.#agrees(from, to, anchor, shift)) continue;
      if (to - from > longestMixed && this.#hasData(from + shift, to + shift)) continue;
      const here = Array.from({ length: to - from }, (_, at) => this.#byteAt(from + at, shift, isFew));
      filling = filling ? filling.map((byte, at) => (byte === here[at] ? byte : null)) : here;
    }
    return filling;
  }

  /** Whether text or a value of its own stands between two offsets, but for a little at both ends. */
  #hasData(from: number, to: number): boolean {
    return this.#kinds.subarray(from + anchorBytes, to - anchorBytes).includes(isData);
  }

  /** The byte that stands elsewhere in the stead of an unknown one: of markup, or of text where few are unknown. */
  #byteAt(at: number, shift: number, isFew: boolean): number | null {
    if (this.bytes[at] !== lostByte || (!isFew && this.#kinds[at + shift] !== isMarkup)) return null;
    return this.bytes[at + shift] ?? null;
  }

  /** Whether all known bytes of a window stand elsewhere too, where all are known, and enough of them beside its anchor. */
  #agrees(from: number, to: number, anchor: number, shift: number): boolean {
    if (from + shift < 0) return false;
    let agreeing = 0;
    for (let at = from; at < to; at++) {
      const there = this.bytes[at + shift] ?? lostByte;
      if (there === lostByte) return false;
      const here = this.bytes[at];
      if (here === lostByte) continue;
      if (here !== there) return false;
      if (at < anchor || at >= anchor + anchorBytes) agreeing++;
    }
    return agreeing >= leastAgreeing;
  }

  /** A number for the known bytes at an offset; below zero where one is not known. */
  #key(at: number): number {
    let key = 0;
    for (let index = at; index < at + anchorBytes; index++) {
      const byte = this.bytes[index] ?? lostByte;
      if (byte === lostByte) return -1;
      key = key * 256 + byte;
    }
    return key;
  }
}

/** Of each byte of XML what it is part of; no value holds a `<` (XML 1.0, 2.3). */
function kindsOf(bytes: Buffer): Uint8Array {
  const kinds = new Uint8Array(bytes.length);
  let within: 'unsure' | 'text' | 'tag' | 'value' = 'unsure';
  let [quote, nameAt, ofValue] = [0, 0, isData];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? lostByte;
    kinds[at] = isMarkup;
    if (byte === lostByte) {
      within = 'unsure';
      kinds[at] = 0;
    } else if (within === 'value' && byte !== 0x3c) {
      if (byte !== quote) kinds[at] = ofValue;
      else [within, nameAt] = ['tag', at + 1];
    } else if (byte === 0x3c) [within, nameAt] = ['tag', at + 1];
    else if (within !== 'tag') kinds[at] = isData;
    else if (byte === 0x3e) within = 'text';
    else if (byte === 0x20) nameAt = at + 1;
    else if (byte === 0x22 || byte === 0x27) {
      [within, quote] = ['value', byte];
      ofValue = ownValue.test(bytes.toString('latin1', nameAt, at).replaceAll('=', '')) ? isData : isMarkup;
    }
  }
  return kinds;
}
