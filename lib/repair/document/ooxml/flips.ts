import { correctText } from '../../core/deflate/correct';
import { Follower } from '../../core/deflate/follow';
import type { Corrected, Judged, TextKind } from '../../core/deflate/packedtext';
import { crc32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import type { TextJudge } from '../zip/judged';
import { usualElements } from './grammar';
import { emptyVocabulary, PartScanner, type Sync, type Vocabulary } from './scan';

/** A packed XML part that does not read as it should: its DEFLATE data, and what the headers say of the content. */
export type PackedPart = { packed: Uint8Array; size: number; crc: number };

/** Damage shows as text that no program writes within so many bytes. */
const trusted = 1000;
const start: Sync = { at: 0, open: null };

/** XML as such, to judge a part by of which nothing is known. */
export const xmlText: TextJudge<Sync> = {
  start,
  judge: (output) => new PartScanner(output, emptyVocabulary(), true),
};

/** Attributes that stand at the head of the main parts, and nowhere else, in the files of most programs. */
const usualAttributes =
  'xmlns xmlns:w xmlns:r xmlns:o xmlns:v xmlns:wp xmlns:wps xmlns:wpg xmlns:wpc xmlns:wpi xmlns:wne xmlns:w10 xmlns:w14 xmlns:w15 xmlns:wp14 xmlns:a xmlns:p xmlns:pic xmlns:m xmlns:mc xmlns:x14 xmlns:x14ac xmlns:xr xmlns:xdr xmlns:p14 xmlns:p15 mc:Ignorable xml:space count uniqueCount r s t w:val r:id ref w:rsidR w:rsidRDefault w:rsidP w:rsidRPr w:type w:w'.split(
    ' ',
  );

/** Names used by parts that are in order, and those of every document, to judge a damaged one by. */
export function learnVocabulary(parts: Iterable<Uint8Array>): Vocabulary {
  const known = emptyVocabulary();
  for (const name of usualAttributes) known.attributes.add(name);
  for (const name of usualElements) known.elements.add(name);
  for (const name of ['w:t', 'a:t', 't', 'v', 'f']) known.textual.add(name);
  for (const part of parts) new PartScanner(part, known, true).fault(start, part.length);
  return known;
}

/** Sets single wrong bits in a packed XML part right, judged by the names that `known` parts use. Null when nothing could be set right. */
export function correctBits(part: PackedPart, known: Vocabulary, effort: Effort): Corrected | null {
  const { packed, size, crc } = part;
  const text = {
    packed,
    size,
    most: size + 4096,
    lastBitEffort: 900,
    isExact: (output: Uint8Array, { out }: { out: number }) =>
      out === size && crc32(Buffer.from(output.buffer, output.byteOffset, size)) === crc,
  };
  return correctText(text, (output) => new PartText(output, known), effort);
}

/** XML of one part, judged by the names it may use, and as XML alone. */
class PartText implements TextKind<Sync> {
  readonly start = start;
  readonly judges: readonly [PartScanner, PartScanner];
  readonly #strict: Follower<Sync>;
  readonly #loose: Follower<Sync>;
  readonly #output: Uint8Array;
  readonly #known: Vocabulary;
  #learnt = 0;

  constructor(output: Uint8Array, known: Vocabulary) {
    this.#output = output;
    this.#known = known;
    this.judges = [new PartScanner(output, known, false), new PartScanner(output, emptyVocabulary(), true)];
    this.#strict = new Follower(this.judges[0], start);
    this.#loose = new Follower(this.judges[1], start);
  }

  /** Names that only this part uses are learnt on the way. */
  judge(length: number, done: boolean, from: number): Judged<Sync> {
    const { places } = this.#loose;
    const broken = this.#loose.follow(from, length);
    if (broken === length && done) {
      this.#strict.forget(from);
      return { faults: [length, length], places: [places, places] };
    }
    // What comes well before the place where the text breaks is trusted, and its names are learnt.
    const place = this.#loose.placeBefore(Math.min(from, this.#learnt));
    this.#learnt = Math.max(0, broken - trusted);
    new PartScanner(this.#output, this.#known, true).fault(place, this.#learnt);
    let fault = this.#strict.follow(from, length);
    for (let turn = 0; turn < 60 && fault < length; turn++) {
      if (!this.#learnAt(fault, length, this.#strict.places.at(-1))) break;
      fault = this.#strict.follow(fault, length);
    }
    return { faults: [fault, broken], places: [this.#strict.places, places] };
  }

  /** Learns a name that no other part uses, when it is used again later: damage does not garble a name twice in the same way. */
  #learnAt(fault: number, length: number, place: Sync | undefined): boolean {
    const text = Buffer.from(this.#output.buffer, this.#output.byteOffset, length);
    const name = /^[A-Za-z][\w.-]*(?::[\w.-]+)?/.exec(text.toString('latin1', fault, fault + 80))?.[0] ?? '';
    if (name.length < 2) return this.#learnTextual(text, fault, place?.open?.name);
    const isElement = text[fault - 1] === 0x3c;
    const again = isElement ? `<${name}` : ` ${name}="`;
    const first = text.indexOf(again);
    if (first < 0 || first === text.lastIndexOf(again)) return false;
    const set = isElement ? this.#known.elements : this.#known.attributes;
    if (set.has(name)) return false;
    set.add(name);
    return true;
  }

  /** Learns that an element holds text, when it stands there more than once. */
  #learnTextual(text: Buffer, fault: number, element: string | undefined): boolean {
    if (!element || this.#known.textual.has(element)) return false;
    if (!/^[\p{L}\p{N}]/u.test(text.toString('utf8', fault, fault + 4))) return false;
    const tag = `<${element}>`;
    if (text.indexOf(tag) === text.lastIndexOf(tag)) return false;
    this.#known.textual.add(element);
    return true;
  }
}
