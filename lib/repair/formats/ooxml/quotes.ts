import { hasForbidden } from './characters';
import { hasLost } from './lost';
import { startTag, tagEnd } from './tags';

/** Letters of a tag that is looked into, and quotes of one part that are set. */
const longestTag = 2048;
const mostSet = 64;

const tagName = /^<[A-Za-z_][\w.:-]*/;
const nextKey = /\s+([A-Za-z_][\w.:-]*)=/y;
/** A letter of a name, and blank space (XML 1.0, 2.3). */
const nameLetter = /[\w.:-]/;
const blank = /\s/;

/** Letters at the end of a text, up to `from`, that are of a kind: where they begin. From the end, so that long runs are read once. */
function runBefore(text: string, from: number, kind: RegExp): number {
  let at = from;
  while (at > 0 && kind.test(text[at - 1] ?? '')) at--;
  return at;
}

/** Where the end of a tag begins, with the blanks before it. */
const endOfTag = (tag: string): number =>
  runBefore(tag, tag.length - (tag.endsWith('/>') ? 2 : tag.endsWith('>') ? 1 : 0), blank);

/** Where the name of the attribute that a value runs into begins, with the blanks before it; null where none stands at the end. */
function followingKey(text: string): number | null {
  if (!text.endsWith('=')) return null;
  const name = runBefore(text, text.length - 1, nameLetter);
  const start = runBefore(text, name, blank);
  return start < name && /^[A-Za-z_]/.test(text.slice(name)) ? start : null;
}

/** A tag with a quote set, the attribute that it belongs to, and whether it is the one before the value. */
type Setting = { tag: string; key: string; value: string; isOpening: boolean };

/** Tags whose lost quotes were set; `doubtful` are those of values that nothing else in the part tells. */
export type Quoted = { xml: string; doubtful: number };

/**
 * Sets the quotes of attributes that lost one of theirs, where XML tells its place: a value ends before the name of the next attribute and
 * before the end of the tag (XML 1.0, 3.1). One in each tag; what the value is, is only certain where another element has the same and
 * none has it without the letter beside the quote, which may be what became of that.
 */
export function setQuotes(source: string): Quoted {
  const pieces: string[] = [];
  let [at, count, doubtful] = [0, 0, 0];
  for (let open = source.indexOf('<'); open >= 0 && count < mostSet; ) {
    const next = source.indexOf('<', open + 1);
    const limit = Math.min(next < 0 ? source.length : next, open + longestTag);
    const end = open + source.slice(open, limit).indexOf('>') + 1;
    const isTag = end > open;
    const set = isTag && !isSound(source, open) ? setQuote(source.slice(open, end)) : null;
    if (set) {
      pieces.push(source.slice(at, open), set.tag);
      at = end;
      count++;
      if (!isKnown(source, set)) doubtful++;
    }
    open = next;
  }
  return { xml: pieces.join('') + source.slice(at), doubtful };
}

/** Whether a tag is sound up to an end that does not stand in a value, where it may, too. */
function isSound(source: string, open: number): boolean {
  const end = tagEnd(source, open);
  return end - open <= longestTag && startTag.test(source.slice(open, end));
}

/** A tag with the one quote set that it lost; null where it is sound, or more of it is damaged. */
function setQuote(tag: string): Setting | null {
  if (!tag.includes('=') || hasLost(tag) || hasForbidden(tag)) return null;
  let at = tagName.exec(tag)?.[0].length ?? tag.length;
  for (;;) {
    nextKey.lastIndex = at;
    const key = nextKey.exec(tag)?.[1];
    if (key === undefined) return null;
    at = nextKey.lastIndex;
    const isOpen = tag[at] === '"';
    const close = tag.indexOf('"', isOpen ? at + 1 : at);
    if (!isOpen) return close < 0 ? null : withQuote(tag, key, { from: at, to: close }, true);
    if (close >= 0 && /[\s/>]/.test(tag[close + 1] ?? '')) {
      at = close + 1;
      continue;
    }
    const rest = close < 0 ? endOfTag(tag) : followingKey(tag.slice(0, close));
    return rest !== null && rest > at ? withQuote(tag, key, { from: at + 1, to: rest }, false) : null;
  }
}

/** The tag with a quote before or behind the value that stands in it from one place to the other, if that makes it sound. */
function withQuote(
  tag: string,
  key: string,
  { from, to }: { from: number; to: number },
  isOpening: boolean,
): Setting | null {
  const place = isOpening ? from : to;
  const whole = `${tag.slice(0, place)}"${tag.slice(place)}`;
  const value = tag.slice(from, to);
  return value !== '' && startTag.test(whole) ? { tag: whole, key, value, isOpening } : null;
}

function isKnown(source: string, { key, value, isOpening }: Setting): boolean {
  const has = (one: string) => source.includes(` ${key}="${one}"`);
  return has(value) && !has(isOpening ? value.slice(1) : value.slice(0, -1));
}
