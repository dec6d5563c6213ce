import { crc32 } from '../../bytes';
import { type Checkpoint, StepInflater, streamStart } from '../../bytes/steps';
import type { Deadline } from '../../report';
import { emptyVocabulary, PartScanner, type Sync, type Vocabulary } from './scan';

/** A packed XML part that does not read as it should: its DEFLATE data, and what the headers say of the content. */
export type PackedPart = { packed: Uint8Array; size: number; crc: number };

/**
 * The packed data with wrong bits set right, how many those were, and whether the check sum now agrees. `aligned` is the text where
 * a piece of the data is lost: what comes behind it, put where the size of the whole says that it belongs.
 */
export type Corrected = { packed: Uint8Array; bits: number; exact: boolean; aligned: Buffer | null };

/** How far before a fault, in bytes of text, the wrong bit is looked for. */
const reach = 700;
/** A changed bit must take the fault at least so many bytes further. */
const gain = 40;
const horizon = 1500;
/** And the best of the bits must take it so much further, or to the end. */
const clear = 200;
/** Damage shows as text that no program writes within so many bytes. */
const trusted = 1000;
const mostRounds = 40;
const mostSurvivors = 24;

/** Names used by parts that are in order, to judge a damaged one by. */
export function learnVocabulary(parts: Iterable<Uint8Array>): Vocabulary {
  const known = emptyVocabulary();
  for (const part of parts) new PartScanner(part, known, true).fault({ at: 0, open: null }, part.length);
  return known;
}

/**
 * Sets single wrong bits in a packed XML part right. A wrong bit makes the text go wrong soon after it; each bit before that place is
 * turned in trial, and the one after which the text goes on making sense is kept. Null when nothing could be set right.
 */
export function correctBits(
  part: PackedPart,
  known: Vocabulary,
  deadline: Deadline,
  milliseconds: number,
): Corrected | null {
  const work = new Correction(part, known, deadline, milliseconds);
  return work.run();
}

class Correction {
  readonly #part: PackedPart;
  readonly #inflater: StepInflater;
  readonly #strict: PartScanner;
  readonly #loose: PartScanner;
  readonly #known: Vocabulary;
  readonly #deadline: Deadline;
  readonly #until: number;
  #marks: Checkpoint[] = [];
  #syncs: Sync[] = [];
  #length = 0;

  constructor(part: PackedPart, known: Vocabulary, deadline: Deadline, milliseconds: number) {
    this.#part = part;
    this.#known = known;
    this.#deadline = deadline;
    this.#until = Math.max(0, deadline.left - milliseconds);
    this.#inflater = new StepInflater(Uint8Array.from(part.packed), part.size + 4096);
    this.#strict = new PartScanner(this.#inflater.output, known, false);
    this.#loose = new PartScanner(this.#inflater.output, emptyVocabulary(), true);
  }

  run(): Corrected | null {
    let bits = 0;
    let reached = this.#read();
    for (let round = 0; round < mostRounds && !this.#isExact(); round++) {
      // Names that only this part uses look like faults; what is no XML at all tells more slowly, but of any text.
      const bit = this.#search(reached.strict, this.#strict) ?? this.#search(reached.loose, this.#loose);
      if (bit === null) break;
      this.#inflater.flip(bit);
      const next = this.#read();
      if (next.strict <= reached.strict && next.loose <= reached.loose) {
        this.#inflater.flip(bit);
        this.#read();
        break;
      }
      bits++;
      reached = next;
    }
    // The trials wrote over the text: it is read once more as it now is.
    this.#inflater.run(streamStart, this.#inflater.output.length);
    let exact = this.#isExact();
    if (!exact && this.#tryAll()) {
      exact = true;
      bits++;
    }
    const aligned = exact ? null : this.#align(reached.strict);
    return bits === 0 && !aligned ? null : { packed: this.#inflater.bytes, bits, exact, aligned };
  }

  #isExact(): boolean {
    const { size, crc } = this.#part;
    return this.#length === size && crc32(Buffer.from(this.#inflater.output.buffer, 0, size)) === crc;
  }

  /** Decodes all of it; where the text first goes wrong, by its vocabulary and as XML. Names that only this part uses are learnt on the way. */
  #read(): { strict: number; loose: number } {
    this.#marks = [];
    const { out, end } = this.#inflater.run(streamStart, this.#inflater.output.length, this.#marks);
    this.#length = out;
    this.#syncs = [];
    const start = { at: 0, open: null };
    const broken = this.#loose.fault(start, out);
    if (broken === out && end === 'done') return { strict: out, loose: out };
    // What comes well before the place where the text breaks is trusted, and its names are learnt.
    new PartScanner(this.#inflater.output, this.#known, true).fault(start, Math.max(0, broken - trusted));
    let fault = this.#strict.fault({ at: 0, open: null }, out, this.#syncs);
    for (let turn = 0; turn < 60 && fault < out && this.#learnAt(fault); turn++) {
      this.#syncs = [];
      fault = this.#strict.fault({ at: 0, open: null }, out, this.#syncs);
    }
    return { strict: fault, loose: broken };
  }

  /** Learns a name that no other part uses, when it is used again later: damage does not garble a name twice in the same way. */
  #learnAt(fault: number): boolean {
    const text = Buffer.from(this.#inflater.output.buffer, 0, this.#length);
    const name = /^[A-Za-z][\w.-]*(?::[\w.-]+)?/.exec(text.toString('latin1', fault, fault + 80))?.[0] ?? '';
    if (name.length < 2) {
      const open = this.#syncs.at(-1)?.open;
      if (
        !open ||
        this.#known.textual.has(open.name) ||
        !/^[\p{L}\p{N}]/u.test(text.toString('utf8', fault, fault + 4))
      )
        return false;
      const pattern = `<${open.name}>`;
      if (text.indexOf(pattern) === text.lastIndexOf(pattern)) return false;
      this.#known.textual.add(open.name);
      return true;
    }
    const isElement = text[fault - 1] === 0x3c;
    const again = isElement ? `<${name}` : ` ${name}="`;
    const first = text.indexOf(again);
    if (first < 0 || first === text.lastIndexOf(again)) return false;
    const set = isElement ? this.#known.elements : this.#known.attributes;
    if (set.has(name)) return false;
    set.add(name);
    return true;
  }

  /**
   * The text when a piece of the data is lost or overwritten, from where it shows. Codes fall into step again by themselves, but what
   * they copy from lies at the right distance only when the text behind the gap begins at its old place: the end of the whole tells it.
   */
  #align(fault: number): Buffer | null {
    const inflater = this.#inflater;
    const { size } = this.#part;
    if (fault >= this.#length && this.#length >= size) return null;
    const mark = this.#marks[Math.min(this.#marks.length - 1, this.#markBefore(fault) + 1)];
    if (!mark?.tables) return null;
    const tail = this.#tail(mark);
    if (tail === null || tail > size || tail < 16) return null;
    const from = size - tail;
    inflater.run(streamStart, Math.min(fault, from));
    inflater.output.fill(0x20, Math.min(fault, from), from);
    return this.#tail({ ...mark, out: from }) === null ? null : Buffer.from(inflater.output.subarray(0, size));
  }

  /** Bytes that are decoded from a place to the end of the stream, past bits without meaning; null when the end is not reached. */
  #tail(from: Checkpoint): number | null {
    const inflater = this.#inflater;
    let place = from;
    for (let turn = 0; turn < 2000; turn++) {
      const { out, bit, end, tables, final } = inflater.run(place, inflater.output.length);
      if (end === 'done') return out - from.out;
      if (end !== 'bad' || !tables) return null;
      place = { bit: bit + 1, out, tables, final };
    }
    return null;
  }

  /** A last wrong bit that the text does not show, by the check sum alone: every bit is turned, as far as the time allows. */
  #tryAll(): boolean {
    const inflater = this.#inflater;
    const { size, crc } = this.#part;
    let mark = this.#marks.length - 1;
    for (let bit = inflater.bytes.length * 8 - 1; bit >= 0; bit--) {
      while (mark > 0 && (this.#marks[mark]?.bit ?? 0) > bit) mark--;
      if ((bit & 31) === 0 && this.#deadline.left < this.#until) return false;
      inflater.flip(bit);
      const { out, end } = inflater.run(this.#marks[mark] ?? streamStart, size + 1);
      if (end === 'done' && out === size && crc32(Buffer.from(inflater.output.buffer, 0, size)) === crc) {
        this.#length = out;
        return true;
      }
      inflater.flip(bit);
    }
    return false;
  }

  /** The bit that, turned, takes the place where the scanner finds a fault furthest; null when none takes it clearly further. */
  #search(fault: number, scanner: PartScanner): number | null {
    if (fault >= this.#length) return null;
    const inflater = this.#inflater;
    const first = this.#markBefore(fault - reach);
    const last = this.#markBefore(fault + 64);
    const from = this.#marks[first]?.bit ?? 0;
    const to = Math.min(inflater.bytes.length * 8, (this.#marks[last + 1]?.bit ?? this.#marks[last]?.bit ?? 0) + 64);
    const survivors: { bit: number; fault: number }[] = [];
    let mark = last + 1;
    // Backwards, as a trial writes over what lies behind its own beginning, which the bits before it do not need.
    for (let bit = to - 1; bit >= from; bit--) {
      while (mark > 0 && (this.#marks[mark]?.bit ?? Number.POSITIVE_INFINITY) > bit) mark--;
      if ((bit & 31) === 0 && this.#deadline.left < this.#until) break;
      const start = this.#marks[mark] ?? streamStart;
      const reached = this.#try(bit, start, fault + gain, scanner);
      if (reached >= fault + gain) survivors.push({ bit, fault: this.#try(bit, start, fault + horizon, scanner) });
    }
    survivors.sort((left, right) => right.fault - left.fault);
    let best: { bit: number; worth: number } | null = null;
    for (const { bit } of survivors.slice(0, mostSurvivors)) {
      const start = this.#marks[this.#markAtBit(bit)] ?? streamStart;
      const worth = this.#worth(bit, start, scanner);
      if (!best || worth > best.worth) best = { bit, worth };
    }
    return best && best.worth > fault + clear ? best.bit : null;
  }

  /** How far the text makes sense with a bit turned; all of it counts double when length and check sum agree too. */
  #worth(bit: number, start: Checkpoint, scanner: PartScanner): number {
    const inflater = this.#inflater;
    // Other trials wrote over what comes before this one.
    inflater.run(streamStart, start.out);
    inflater.flip(bit);
    const { out, end } = inflater.run(start, inflater.output.length);
    const fault = scanner.fault(this.#syncBefore(start.out), out);
    const whole = end === 'done' && out === this.#part.size;
    const exact = whole && crc32(Buffer.from(inflater.output.buffer, 0, out)) === this.#part.crc;
    inflater.flip(bit);
    return exact ? Number.POSITIVE_INFINITY : fault + (whole && fault === out ? 2000 : 0);
  }

  #try(bit: number, start: Checkpoint, limit: number, scanner: PartScanner): number {
    const inflater = this.#inflater;
    inflater.flip(bit);
    const { out, end } = inflater.run(start, limit);
    inflater.flip(bit);
    if (out < limit && end !== 'done') return 0;
    const fault = scanner.fault(this.#syncBefore(start.out), out);
    return end === 'done' && fault === out && out === this.#part.size ? limit : fault;
  }

  #markBefore(out: number): number {
    let [low, high] = [0, this.#marks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#marks[middle]?.out ?? 0) <= out) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #markAtBit(bit: number): number {
    let index = 0;
    while ((this.#marks[index + 1]?.bit ?? Number.POSITIVE_INFINITY) <= bit) index++;
    return index;
  }

  #syncBefore(at: number): Sync {
    let [low, high] = [0, this.#syncs.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#syncs[middle]?.at ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const sync = this.#syncs[low];
    return sync && sync.at <= at ? sync : { at: 0, open: null };
  }
}
