import { eachWord } from '../../core/words';

/** What an independent reader sees in a PDF, `bag` being the words of the first `texts` pages with their counts and `failed` the pages that it cannot load. `protected` when it asks for a password; null pages when it cannot open the file. */
export type Reading = {
  pages: number | null;
  texts: number;
  words: number;
  drawings: number;
  protected: boolean;
  failed: number;
  bag: Map<string, number>;
};

/** What a reader sees that cannot open the file. */
export const unread = (): Reading => ({
  pages: null,
  texts: 0,
  words: 0,
  drawings: 0,
  protected: false,
  failed: 0,
  bag: new Map(),
});

/** Counts the words of a text. */
export function addText(reading: Reading, text: string): void {
  eachWord(text, (word) => {
    reading.words++;
    reading.bag.set(word, (reading.bag.get(word) ?? 0) + 1);
  });
}

/**
 * Whether text that the same reader found before is gone afterwards without other text in its stead. Garbled text that came right counts
 * as both; neither short words count, as garbled text is full of them, nor those that are built like no other.
 */
export function losesText(before: Reading, after: Reading): boolean {
  const isUsual = likeShared(before, after);
  const missing = (from: Reading, to: Reading) => {
    let sum = 0;
    for (const [word, count] of from.bag)
      if (word.length > 3 && isUsual(word)) sum += Math.max(0, count - (to.bag.get(word) ?? 0));
    return sum;
  };
  return missing(before, after) > missing(after, before) * 1.5 + chance.words + before.words * chance.share;
}

/** Words that may be missing, as pieces of garbled ones look like others by chance: so many, and so many of all. */
const chance = { words: 2, share: 1 / 2000 };

/** Different words from which on they tell how words of a document are built, and letters in a row that are held against others. */
const telling = { words: 100, letters: 3 };

/**
 * Whether at least half of a word's runs of letters stand in other words that both readings have: garbled words have such runs in common
 * with each other alone. All are usual where there are few words to tell it by.
 */
function likeShared(before: Reading, after: Reading): (word: string) => boolean {
  const words = new Set([...before.bag.keys()].filter((word) => after.bag.has(word)).map((word) => word.toLowerCase()));
  if (words.size < telling.words) return () => true;
  const known = new Set([...words].flatMap(runsOf));
  return (word) => {
    const runs = runsOf(word.toLowerCase());
    return runs.filter((run) => known.has(run)).length * 2 >= runs.length;
  };
}

const runsOf = (word: string): string[] => [
  ...new Set(
    Array.from({ length: Math.max(0, word.length - telling.letters + 1) }, (_, at) =>
      word.slice(at, at + telling.letters),
    ),
  ),
];

/** How much a reader reads: text of the first pages, until there are enough words, and how many of the others it loads. */
export type ReadLimits = { texts: number; words: number; others: number };

/** What is enough to see whether text was lost: every page of most documents, and the same share of a book before and after. */
export const readLimits = {
  pdfium: { texts: 300, words: 40_000, others: 150 },
  /** The second opinion takes twenty times as long. */
  pdfjs: { texts: 40, words: 20_000, others: 0 },
} satisfies Record<string, ReadLimits>;

/** More words than these on the pages that are read have no document, but a bomb has. */
export const mostWords = 1_000_000;
