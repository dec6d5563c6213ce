/** Words of a text: runs of letters or digits of any script. Han and kana count by character, as they have no spaces. */
export function eachWord(text: string, visit: (word: string) => void): void {
  scanWords(text, (from, to) => visit(text.slice(from, to)));
}

/** How many words a text has. */
export function countWords(text: string): number {
  let count = 0;
  scanWords(text, () => {
    count++;
  });
  return count;
}

/** What a character is to words: one of its own, the beginning of one, or what goes on with one. */
const alone = 1;
const first = 2;
const inside = 4;
const looked = 8;

function kindOf(letter: string): number {
  return (
    (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(letter) ? alone : 0) |
    (/[\p{L}\p{N}]/u.test(letter) ? first : 0) |
    (/[\p{L}\p{N}\p{M}'’]/u.test(letter) ? inside : 0)
  );
}

/** The kinds of the characters of one unit that were met before: looking at each anew takes several times as long. */
const kinds = new Uint8Array(1 << 16);

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const known = kinds[code] ?? 0;
  if (known !== 0) return known;
  const whole = text.codePointAt(at) ?? 0;
  const kind = kindOf(String.fromCodePoint(whole)) | looked;
  // The second half of a pair says nothing by itself, nor does the first.
  if (code < 0xd800 || code >= 0xe000) kinds[code] = kind;
  return kind;
}

const isPairAt = (text: string, at: number): boolean =>
  text.charCodeAt(at) >= 0xd800 && (text.codePointAt(at) ?? 0) > 0xffff;

function scanWords(text: string, visit: (from: number, to: number) => void): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const kind = kindAt(text, at);
    const from = at;
    at++;
    if ((kind & (alone | first)) === 0) continue;
    if (isPairAt(text, from)) at++;
    while ((kind & alone) === 0 && at < length && (kindAt(text, at) & inside) !== 0) at += isPairAt(text, at) ? 2 : 1;
    visit(from, at);
  }
}
