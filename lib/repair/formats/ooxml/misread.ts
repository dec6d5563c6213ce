import { lostByte } from '../../core/flips/likeness';
import type { Buffer } from '../../host/bytes';
import { isOfWordAt } from './doubtful';
import { unescapeXml } from './text';

/** Letters and figures that no word mixes so: wrong bits in packed text make them of two words, or of a letter. Names often end with figures. */
const misshapen = /\p{Ll}(?:\p{Lu}|\p{N}+\p{Ll})/u;
/** Bytes around a misshapen word in which others may be misread as well: a copy from a wrong place, and what is copied from there. */
const around = 200;
/** Words that are looked at in one part, and fewer bytes of one tell nothing. */
const mostWords = 1 << 20;
const leastWord = 3;
const [tagBegin, tagEnds] = [0x3c, 0x3e];
/**
 * Of the words up to so many before one and behind it, so many that are misshapen or touch bytes that are not known tell that the text is
 * garbled there, and so many that not even known words were written so. Chosen on sixteen parts with wrong bits, of which these leave out
 * 4 of 100 right words and six of seven wrong ones.
 */
const stretch = { words: 20, unsure: 3, lost: 10 };

/** A word between tags, or the inside of a tag that is none (`isTag`). */
type Word = { from: number; to: number; text: string; isTag: boolean };

/** The inside of a tag as XML 1.0 has it (3.1), and of an instruction; bytes that are not known may be anything. */
const soundTag = /^(?:[/\xff]?[\w:.\xff-]+(?:\s+[\w:.\xff-]+="[^"<>]*")*\s*\/?|\?.*\?|!.*)$/s;
/** Longer tags are not looked into. */
const longestTag = 4096;

/** Where the tag that begins at an offset ends: behind its last byte, which is a `>` where it is one. */
function tagEnd(xml: Buffer, at: number): number {
  const end = xml.indexOf(tagEnds, at + 1);
  const next = xml.indexOf(tagBegin, at + 1);
  return end < 0 || (next >= 0 && next < end) ? next : end;
}

/** The words between the tags of XML, as far as all of their bytes are known, and what lies in tags that are none. */
function* wordsOf(xml: Buffer): Generator<Word> {
  let count = 0;
  for (let at = 0; at < xml.length && count < mostWords; at++) {
    if (xml[at] === tagBegin) {
      const end = tagEnd(xml, at);
      if (end < 0) return;
      const text = end - at < longestTag ? xml.toString('latin1', at + 1, end) : '';
      if (xml[end] === tagBegin || (text !== '' && !soundTag.test(text))) {
        count++;
        yield { from: at + 1, to: end, text, isTag: true };
      }
      at = xml[end] === tagBegin ? end - 1 : end;
    } else if (isOfWordAt(xml, at)) {
      const from = at;
      while (isOfWordAt(xml, at)) at++;
      count++;
      yield { from, to: at, text: unescapeXml(xml.toString('utf8', from, at)), isTag: false };
      at--;
    }
  }
}

/** Whether a byte that is not known stands beside a word, or something is wrong with it itself. */
const isTorn = (xml: Buffer, { from, to, isTag }: Word): boolean =>
  isTag || xml[from - 1] === lostByte || xml[to] === lostByte;

/** How many of the words about each of them, itself among them, are misshapen or torn. */
function troublesAbout(xml: Buffer, words: readonly Word[], isWrong: ReadonlySet<Word>): number[] {
  let sum = 0;
  const sums = [0, ...words.map((word) => (sum += isWrong.has(word) || isTorn(xml, word) ? 1 : 0))];
  const upTo = (index: number) => sums[Math.min(words.length, Math.max(0, index))] ?? 0;
  return words.map((_, index) => upTo(index + stretch.words + 1) - upTo(index - stretch.words));
}

/** Of each word whether it lies within some bytes of a misshapen one. */
function areNear(words: readonly Word[], wrong: readonly Word[]): boolean[] {
  let next = 0;
  return words.map((word) => {
    while (next < wrong.length && (wrong[next]?.to ?? 0) + around < word.from) next++;
    const one = wrong[next];
    return one !== undefined && one.from - around < word.to;
  });
}

/**
 * Takes words for not known that wrong bits misread: those that mix letters and figures as none does, about these all that stand nowhere
 * else, and where many words are torn or misshapen those as well, or all. `sound` is what is known to be right: up to the offset `from` the
 * text itself, and other texts. How many words those were.
 */
export function doubtMisread(xml: Buffer, from: number, sound: Iterable<Buffer>): number {
  const words = [...wordsOf(xml)];
  const known = new Set<string>();
  for (const text of sound) for (const word of wordsOf(text)) known.add(word.text.toLowerCase());
  for (const word of words) if (word.to <= from) known.add(word.text.toLowerCase());
  const isKnown = ({ text }: Word) => known.has(text.toLowerCase());
  const later = words.filter((word) => word.to > from);
  const wrong = later.filter((word) => !word.isTag && misshapen.test(word.text) && !isKnown(word));
  const isWrong = new Set(wrong);
  const near = areNear(later, wrong);
  const troubles = troublesAbout(xml, later, isWrong);
  const isGarbled = (index: number) => (troubles[index] ?? 0) >= stretch.unsure;
  for (const [index, word] of later.entries())
    if (!near[index] && !isGarbled(index)) known.add(word.text.toLowerCase());
  const doubted = later.filter((word, index) => {
    if (word.isTag) return isGarbled(index);
    if (isWrong.has(word) || (troubles[index] ?? 0) >= stretch.lost) return true;
    return (isGarbled(index) || (near[index] && word.to - word.from >= leastWord)) && !isKnown(word);
  });
  for (const word of doubted) xml.fill(lostByte, word.from, word.to);
  return doubted.filter(({ isTag }) => !isTag).length;
}
