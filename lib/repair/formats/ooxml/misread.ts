import { lostByte } from '../../core/flips/likeness';
import type { Buffer } from '../../host/bytes';
import { isOfWord } from './doubtful';

/** Letters and figures that no word mixes so: wrong bits in packed text make them of two words, or of a letter. Names often end with figures. */
const misshapen = /\p{Ll}(?:\p{Lu}|\p{N}+\p{Ll})/u;
/** Bytes around a misshapen word in which others may be misread as well: a copy from a wrong place, and what is copied from there. */
const around = 200;
/** Words that are looked at in one part, and fewer bytes of one tell nothing. */
const mostWords = 1 << 20;
const leastWord = 3;
const [tagBegin, tagEnd] = [0x3c, 0x3e];

type Word = { from: number; to: number; text: string };

/** The words between the tags of XML, as far as all of their bytes are known. */
function* wordsOf(xml: Buffer): Generator<Word> {
  let count = 0;
  for (let at = 0; at < xml.length && count < mostWords; at++) {
    if (xml[at] === tagBegin) {
      const end = xml.indexOf(tagEnd, at);
      if (end < 0) return;
      at = end;
    } else if (isOfWord(xml[at])) {
      const from = at;
      while (isOfWord(xml[at])) at++;
      count++;
      yield { from, to: at, text: xml.toString('utf8', from, at) };
      at--;
    }
  }
}

/**
 * Takes words for not known that wrong bits misread: those that mix letters and figures as none does, and about these all that stand nowhere
 * else. `sound` is what is known to be right: up to the offset `from` the text itself, and other texts. How many words those were.
 */
export function doubtMisread(xml: Buffer, from: number, sound: Iterable<Buffer>): number {
  const words = [...wordsOf(xml)];
  const known = new Set<string>();
  for (const text of sound) for (const word of wordsOf(text)) known.add(word.text.toLowerCase());
  for (const word of words) if (word.to <= from) known.add(word.text.toLowerCase());
  const isKnown = ({ text }: Word) => known.has(text.toLowerCase());
  const later = words.filter((word) => word.to > from);
  const wrong = later.filter((word) => misshapen.test(word.text) && !isKnown(word));
  if (wrong.length === 0) return 0;
  const isWrong = new Set(wrong);
  const near: Word[] = [];
  let next = 0;
  for (const word of later) {
    while (next < wrong.length && (wrong[next]?.to ?? 0) + around < word.from) next++;
    const one = wrong[next];
    if (one && one.from - around < word.to) near.push(word);
    else known.add(word.text.toLowerCase());
  }
  const doubted = near.filter((word) => isWrong.has(word) || (word.to - word.from >= leastWord && !isKnown(word)));
  for (const word of doubted) xml.fill(lostByte, word.from, word.to);
  return doubted.length;
}
