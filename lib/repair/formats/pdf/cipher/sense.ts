import { readTable, type TrigramTable } from './anneal';
import { dutch } from './dutch';
import { english } from './english';
import { french } from './french';
import { german } from './german';
import { italian } from './italian';
import { portuguese } from './portuguese';
import { spanish } from './spanish';

const names = ['English', 'German', 'French', 'Spanish', 'Italian', 'Dutch', 'Portuguese'];
let tables: readonly TrigramTable[] | null = null;

/** Parts of a natural unit in the digits of the tables (see `anneal.ts`). */
const unit = 6.3;
/** Letters in words that are looked at: more tell no more. */
const mostLetters = 20_000;

/** Letters of a text in words of at least two, and what each costs on average in the language that it costs least in, in natural units. */
function costOfText(text: string): { letters: number; cost: number; language: string | undefined } {
  tables ??= [english, german, french, spanish, italian, dutch, portuguese].map(readTable);
  const sums = tables.map(() => 0);
  let [letters, pieces] = [0, 0];
  for (const [word] of text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .matchAll(/[A-Za-z]{2,}/g)) {
    const codes = [0, 0, ...Array.from(word.toLowerCase(), (letter) => letter.charCodeAt(0) - 96), 0];
    for (const [index, table] of tables.entries()) {
      for (let at = 2; at < codes.length; at++) {
        const place = ((codes[at - 2] ?? 0) * 27 + (codes[at - 1] ?? 0)) * 27 + (codes[at] ?? 0);
        sums[index] = (sums[index] ?? 0) + (table[place] ?? 0);
      }
    }
    letters += word.length;
    pieces += codes.length - 2;
    if (letters > mostLetters) break;
  }
  const least = Math.min(...sums);
  return { letters, cost: least / Math.max(1, pieces) / unit, language: names[sums.indexOf(least)] };
}

/** Fewer letters tell nothing of a language, fewer than these little, and fewer than the most may be a list or a program. */
const leastLetters = { any: 40, sure: 150, even: 400 };
/**
 * What letters cost at most in text. Manuals in 24 languages cost 2.1 to 3.7 as a whole, and 150 letters of them up to 4.0, also in languages
 * without a table; the same with their letters exchanged 4.9 to 5.4, and 150 letters of that 4.0 and more, nearly always above 4.3. Letters
 * that only their likeness speaks for must cost less.
 */
const mostCost = { sure: 4.1, short: 4.3, guessed: 3.7 };

/** A capital behind a small letter, and a bracket or the end of a sentence between two letters: the same manuals have one in 170 letters at most. */
const odd = /[a-z](?=[A-Z])|[A-Za-z](?=[()[\]{}!?;,][A-Za-z])/g;
const mostOdd = 0.03;

/** Whether text is writing, as far as its letters tell; null where there are too few. */
export function makesSense(text: string, isGuessed = false): boolean | null {
  const { letters, cost } = costOfText(text);
  if (letters < leastLetters.any) return null;
  const plain = text.match(/[A-Za-z]/g)?.length ?? 0;
  if (isGuessed && letters >= leastLetters.even && (text.match(odd)?.length ?? 0) > plain * mostOdd) return false;
  return cost <= (isGuessed ? mostCost.guessed : letters < leastLetters.sure ? mostCost.short : mostCost.sure);
}

/** What letters cost at most in text of a language that has a table: manuals cost 2.1 to 2.3. */
const ownCost = 2.5;

/** The language of a text, of those that have a table; null where it is none of them, or too little. */
export function likeliestLanguage(text: string): string | null {
  const { letters, cost, language } = costOfText(text);
  return letters >= leastLetters.sure && cost <= ownCost ? (language ?? null) : null;
}
