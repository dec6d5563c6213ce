import type { TrigramTable } from './anneal';

/** Words of a text as rows of signs, the more frequent signs first, what letter of the alphabet each is (0 for none), and how a language spells. */
export type Named = {
  all: readonly (readonly number[])[];
  order: readonly number[];
  letters: Uint8Array;
  table: TrigramTable;
};

/** Where a sign stands, in parts of all its places. */
type Places = { beforeLetter: number; atEnd: number; inside: number; beforeCapital: number };

const small = 'abcdefghijklmnopqrstuvwxyz';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Letters that fonts join to one glyph (Unicode 15, block FB00; OpenType 1.9, feature `liga`). */
const ligatures = ['fi', 'fl', 'ff', 'ffi', 'ffl', 'ft', 'tt', 'ti', 'fj'];
/** Parts of its places at which a sign must stand as capitals do, or as letters inside of words, and where it stands at the ends. */
const shares = { capital: 0.6, inside: 0.5, joined: 0.2, end: 0.8, stop: 0.5 };
/** A small letter that stands this often at the beginning of words alone may be a capital. */
const initial = 0.95;

/** What stands for a sign between words, and for one that is not known. */
const partsWords = '`';
/** And for the sign that is looked at. */
const itself = '~';

/** A piece of a word, with what it says of a sign in it. */
type Part = { text: string; weight: number };

/** What it is worth that a word is known with a small letter. */
const knownGain = 100;
/** What it is worth for each word that a sign is a small letter, which most are. */
const heldGain = 12;
/** And that it is a letter inside of a word, which a sign between words may look like. */
const partedGain = 10;
/** What a letter costs on average, in the parts of the tables: a joined one says so many more. */
const letterCost = 15;
/** Words that are looked at, the more frequent ones, and their length: of others that hostile files hold none is writing. */
const most = { words: 2000, length: 24 };

/** Names the signs of a text whose small letters are known: capitals, marked and joined letters, full stop and comma. */
export class Naming {
  readonly #text: Named;
  readonly #places: Map<number, Places>;
  readonly #words: { signs: readonly number[]; count: number }[];
  readonly #known: Set<string>;

  constructor(text: Named) {
    this.#text = text;
    this.#places = placesOf(text.all, text.letters);
    const counts = new Map<string, { signs: readonly number[]; count: number }>();
    for (const signs of text.all) {
      if (signs.length > most.length) continue;
      const name = signs.join();
      const known = counts.get(name) ?? { signs, count: 0 };
      known.count++;
      counts.set(name, known);
    }
    this.#words = [...counts.values()].sort((left, right) => right.count - left.count).slice(0, most.words);
    this.#known = new Set(
      this.#words.flatMap(({ signs }) => {
        const isSpelt = signs.every((sign) => text.letters[sign] !== 0 && !this.#isInitial(sign));
        return isSpelt ? [this.#spelt(signs)] : [];
      }),
    );
  }

  /** What each sign is, by its number: small letters as guessed, then what fits best together. */
  names(marked: string, standIns: string): (string | undefined)[] {
    const { letters, order } = this.#text;
    const names: (string | undefined)[] = Array.from(letters, (letter) =>
      letter > 0 ? standFor(String.fromCharCode(96 + letter), standIns) : undefined,
    );
    const open = order.filter((sign) => letters[sign] === 0 || this.#isInitial(sign));
    const sure = new Set(names.filter((_, sign) => !this.#isInitial(sign)));
    const free = Array.from(small).filter((letter) => !sure.has(letter) && !standIns.includes(letter));
    const chosen = assigned(open.map((sign) => this.#costs(sign, [...marked, ...free], names[sign])));
    for (const [index, sign] of open.entries()) names[sign] = chosen[index];
    const others = order.filter((sign) => names[sign] === undefined);
    for (const sign of others.filter((one) => (this.#places.get(one)?.atEnd ?? 0) > shares.end)) {
      const isStop = (this.#places.get(sign)?.beforeCapital ?? 0) > shares.stop;
      const mark = isStop ? '.' : ',';
      if (!names.includes(mark)) names[sign] = mark;
    }
    return names;
  }

  /** Whether a small letter stands at the beginning of words alone. */
  #isInitial(sign: number): boolean {
    return this.#text.letters[sign] !== 0 && (this.#places.get(sign)?.beforeLetter ?? 0) > initial;
  }

  /** What the words that hold a sign cost with all that it may be: other words, or their letters. */
  #costs(sign: number, rare: readonly string[], guessed: string | undefined): Map<string, number> {
    const place = this.#places.get(sign);
    const choice = [
      ...(guessed === undefined ? [] : [guessed]),
      ...((place?.beforeLetter ?? 0) > shares.capital && (place?.inside ?? 0) < shares.joined ? capitals : []),
      ...((place?.inside ?? 0) > shares.inside || guessed !== undefined ? rare : []),
      ...(guessed === undefined && (place?.inside ?? 0) > Math.max(shares.joined, place?.atEnd ?? 0) ? ligatures : []),
    ];
    const parts = this.#partsWith(sign);
    const weight = parts.reduce((sum, part) => sum + part.weight, 0);
    if (weight === 0) return new Map(guessed === undefined ? [] : [[guessed, 0]]);
    // A sign that parts words is none of their letters.
    const parted = this.#cost(parts, partsWords);
    const [held, margin] = [weight * heldGain, weight * partedGain];
    return new Map(
      choice
        .map((letter) => [letter, this.#cost(parts, letter) - (small.includes(letter) ? held : 0)] as const)
        .filter(([letter, cost]) => letter === guessed || capitals.includes(letter) || cost < parted - margin),
    );
  }

  /** What stands between signs that are not known and holds a sign beside letters. */
  #partsWith(sign: number): Part[] {
    const { letters } = this.#text;
    return this.#words.flatMap(({ signs, count }) => {
      if (!signs.includes(sign)) return [];
      const spelt = signs.map((one) => (one === sign ? itself : String.fromCharCode(96 + (letters[one] ?? 0))));
      const parts = spelt.join('').split(partsWords);
      return parts
        .filter((text) => text.includes(itself) && text.replaceAll(itself, '') !== '')
        .map((text) => ({ text, weight: Math.sqrt(count) }));
    });
  }

  #cost(parts: readonly Part[], letter: string): number {
    const instead = plainLetters(letter);
    let cost = 0;
    for (const { text, weight } of parts) {
      const longer = (text.split(itself).length - 1) * (instead.length - 1);
      for (const word of text.replaceAll(itself, instead).split(partsWords))
        cost += weight * (this.#known.has(word) ? -knownGain : costOf(word, this.#text.table));
      cost -= weight * longer * letterCost;
    }
    return cost;
  }

  #spelt(signs: readonly number[]): string {
    return signs.map((one) => String.fromCharCode(96 + (this.#text.letters[one] ?? 0))).join('');
  }
}

type Rows = readonly ReadonlyMap<string, number>[];

/** Of each row one choice, none of them twice, that cost little together: the first rows choose first, then choices are exchanged as long as that helps. */
function assigned(rows: Rows): (string | undefined)[] {
  const work = new Assignment(rows);
  for (let round = 0; round < rows.length && work.exchange(); round++);
  return work.chosen;
}

class Assignment {
  readonly chosen: (string | undefined)[];
  readonly #rows: Rows;
  readonly #taken = new Map<string, number>();

  constructor(rows: Rows) {
    this.#rows = rows;
    this.chosen = rows.map((row, index): string | undefined => {
      const free = [...row].filter(([letter]) => !this.#taken.has(letter));
      const first = free.sort((left, right) => left[1] - right[1])[0]?.[0];
      if (first !== undefined) this.#taken.set(first, index);
      return first;
    });
  }

  /** Exchanges choices with others, or for free ones, wherever that costs less; false where it did nowhere. */
  exchange(): boolean {
    let isBetter = false;
    for (const [index, row] of this.#rows.entries())
      for (const letter of row.keys()) if (this.#exchange(index, letter)) isBetter = true;
    return isBetter;
  }

  #exchange(index: number, letter: string): boolean {
    const own = this.chosen[index];
    const other = this.#taken.get(letter);
    if (own === undefined || other === index) return false;
    const instead = other === undefined ? undefined : this.#cheapest(other, own);
    const others =
      other === undefined || instead === undefined ? 0 : this.#cost(other, instead) - this.#cost(other, letter);
    if (this.#cost(index, letter) - this.#cost(index, own) + others >= 0) return false;
    this.#taken.delete(own);
    this.#choose(index, letter);
    if (other !== undefined && instead !== undefined) this.#choose(other, instead);
    return true;
  }

  #choose(index: number, letter: string): void {
    this.chosen[index] = letter;
    this.#taken.set(letter, index);
  }

  /** The choice that costs a row least, of the one that becomes free and all free ones. */
  #cheapest(index: number, freed: string): string {
    let best = freed;
    for (const letter of this.#rows[index]?.keys() ?? [])
      if (!this.#taken.has(letter) && this.#cost(index, letter) < this.#cost(index, best)) best = letter;
    return best;
  }

  #cost(index: number, letter: string): number {
    return this.#rows[index]?.get(letter) ?? Number.POSITIVE_INFINITY;
  }
}

function placesOf(words: Named['all'], letters: Uint8Array): Map<number, Places> {
  const sums = new Map<number, Places & { all: number }>();
  const isLetter = (other: number | undefined) => other !== undefined && letters[other] !== 0;
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    const isBeforeCapital = next !== undefined && letters[next[0] ?? 0] === 0;
    for (const [at, sign] of word.entries()) {
      const sum = sums.get(sign) ?? { beforeLetter: 0, atEnd: 0, inside: 0, beforeCapital: 0, all: 0 };
      if (at === 0 && isLetter(word[1])) sum.beforeLetter++;
      if (at === word.length - 1 && isLetter(word[at - 1])) sum.atEnd++;
      if (isLetter(word[at - 1]) && at < word.length - 1) sum.inside++;
      if (at === word.length - 1 && isBeforeCapital) sum.beforeCapital++;
      sum.all++;
      sums.set(sign, sum);
    }
  }
  const part = (count: number, all: number) => count / Math.max(1, all);
  return new Map(
    [...sums].map(([sign, { all, ...sum }]) => [
      sign,
      {
        beforeLetter: part(sum.beforeLetter, all),
        atEnd: part(sum.atEnd, all),
        inside: part(sum.inside, all),
        beforeCapital: part(sum.beforeCapital, sum.atEnd),
      },
    ]),
  );
}

/** The letter that another one stands for. */
function standFor(letter: string, standIns: string): string {
  const at = standIns.indexOf(letter);
  return at >= 0 && at % 2 === 0 ? (standIns[at + 1] ?? letter) : letter;
}

/** Letters as the tables have them: small, and without marks. */
const plainLetters = (text: string): string =>
  text === 'ß' ? 's' : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** What the letters of a word cost; anything else ends a word. */
function costOf(word: string, table: TrigramTable): number {
  const text = [0, 0, ...Array.from(word, (letter) => letter.charCodeAt(0) - 96), 0];
  let cost = 0;
  for (let at = 2; at < text.length; at++) {
    const second = text[at - 1] ?? 0;
    const first = second === 0 ? 0 : (text[at - 2] ?? 0);
    cost += table[(first * 27 + second) * 27 + (text[at] ?? 0)] ?? 63;
  }
  return cost;
}
