import { lostByte } from '../../core/flips/likeness';
import type { Buffer } from '../../host/bytes';

/** Bytes that words are made of: letters and digits of ASCII, and all others of UTF-8 (RFC 3629, 3). */
const isOfWord = (byte: number | undefined): boolean =>
  byte !== undefined &&
  byte !== lostByte &&
  (byte > 0x7f || (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a));

const [ampersand, sharp, semicolon] = [0x26, 0x23, 0x3b];
/** Bytes of the longest number of a character, with the sign for hexadecimal digits (XML 1.0, 4.1). */
const longestNumber = 8;

/** Whether the byte at an offset is one of the signs around the number of a character, which writes a letter as well. */
function isOfReference(text: Buffer, at: number): boolean {
  const byte = text[at];
  if (byte === ampersand) return text[at + 1] === sharp;
  if (byte === sharp) return text[at - 1] === ampersand;
  if (byte !== semicolon) return false;
  let from = at - 1;
  while (from > at - 1 - longestNumber && isOfWord(text[from])) from--;
  return from < at - 1 && text[from] === sharp && text[from - 1] === ampersand;
}

/** Whether a word goes on with the byte at an offset. */
export const isOfWordAt = (text: Buffer, at: number): boolean => isOfWord(text[at]) || isOfReference(text, at);

const [tagBegin, tagEnd] = [0x3c, 0x3e];

/** A text of which some bytes were told (1 in `filled`), and was of that which was not known before. */
type Filled = { text: Buffer; filled: Uint8Array };

const wordIn = ({ text }: Filled, [from, to]: readonly [number, number]): string =>
  text.toString('utf8', from, to).toLowerCase();

/** The words of a text that touch no byte that is not known or was told. */
function soundWords(one: Filled): Set<string> {
  const { text, filled } = one;
  const words = new Set<string>();
  for (let at = 0; at < text.length; ) {
    const from = at;
    while (isOfWordAt(text, at)) at++;
    const isSound = text[from - 1] !== lostByte && text[at] !== lostByte && !filled[from - 1] && !filled[at];
    if (at > from && isSound) words.add(wordIn(one, [from, at]));
    at = Math.max(at, from + 1);
  }
  return words;
}

/** Words that begin behind a tag of which the end was told, or end before one of which the beginning was. */
function doubtful({ text, filled }: Filled): [number, number][] {
  const words: [number, number][] = [];
  for (let at = 0; at < text.length; at++) {
    if (!filled[at]) continue;
    let [from, to] = [at, at];
    if (text[at] === tagEnd && !filled[at + 1]) {
      from = at + 1;
      to = from;
      while (isOfWordAt(text, to)) to++;
    } else if (text[at] === tagBegin && !filled[at - 1]) while (isOfWordAt(text, from - 1)) from--;
    if (to > from) words.push([from, to]);
  }
  return words;
}

/**
 * Takes words for not known that stand beside markup that was told and nowhere else: what was lost there may have been markup and the beginning
 * or the end of the word, and what is left would be a word that nobody wrote.
 */
export function doubtWords(text: Buffer, filled: Uint8Array): void {
  const one = { text, filled };
  const doubted = doubtful(one);
  if (doubted.length === 0) return;
  const known = soundWords(one);
  for (const place of doubted) if (!known.has(wordIn(one, place))) text.fill(lostByte, ...place);
}
