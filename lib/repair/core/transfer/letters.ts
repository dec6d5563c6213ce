import type { Encoding, Envelope } from './carried';
import { byteOf } from './codepage';

/** Letters of base64 (RFC 4648, 4 and 5), in lines, as a whole message of nothing else begins. */
const lines = /^(?:[A-Za-z0-9+/_-]{60,76}\r?\n){8}/;
/** A `data:` address, a text in quotes of JSON, or one between marks, before letters of base64. */
const quotes = /^\s*(?:data:[^,]{0,100};base64,|[[{"'<])/i;
/** Letters in a row without which a text among others is no file, and the place before which they must begin. */
const enough = 2048;
const mostBefore = 4096;

const begun = (from: number, encoding: Encoding): Envelope => ({ from, encoding, length: null, boundary: null });

/** Kinds of letters among so many below which they are a pattern, or what fills a gap. */
const leastKinds = 12;
const isPattern = (letters: string) => new Set(letters.slice(0, enough)).size < leastKinds;

/** The file that a text holds as base64 in an address, in quotes, or by itself; null where the text holds none. */
function asBase64(text: string): Envelope | null {
  if (lines.test(text)) return begun(0, 'base64');
  const run = new RegExp(`[A-Za-z0-9+/_-]{${enough},}`).exec(text);
  if (!run || run.index > mostBefore || isPattern(run[0])) return null;
  return run.index === 0 || quotes.test(text) ? begun(run.index, 'base64') : null;
}

/** Hexadecimal digits, as databases write them: pairs in a row or apart, behind 0x, \x or X' or nothing. */
function asDigits(text: string): Envelope | null {
  const lead = /^\s*(?:0x|\\x|x')?/i.exec(text)?.[0].length ?? 0;
  const [pairs] = /^(?:[0-9A-Fa-f]{2}\s*){256}/.exec(text.slice(lead, lead + 2 * mostBefore)) ?? [];
  return pairs && !isPattern(pairs.toLowerCase()) ? begun(lead, 'hex') : null;
}

/** Lines of uuencode behind their first one. */
function asLines(text: string): Envelope | null {
  const first = /(?:^|\n)begin [0-7]{3,4} [^\r\n]+\r?\n(?=M[ -`]{60}\r?\n)/.exec(text.slice(0, mostBefore));
  return first && begun(first.index + first[0].length, 'uuencode');
}

/** Pairs of bytes that are looked at, how many there must be, and how many of them must be no zero: a wiped file is no text. */
const wide = { pairs: 1024, least: 256, letters: 32 };

/** Each byte as a letter of two bytes, with a mark of their order before them or without. */
function asPairs(text: string): Envelope | null {
  for (const encoding of ['utf16le', 'utf16be'] as const) {
    const from = text.startsWith(encoding === 'utf16le' ? '\xff\xfe' : '\xfe\xff') ? 2 : 0;
    const pairs = Math.min(wide.pairs, (text.length - from) >> 1);
    const codes = Array.from({ length: pairs }, (_, pair) => codeAt(text, from + 2 * pair, encoding));
    if (pairs < wide.least || codes.some((code) => byteOf(code) === null)) continue;
    if (codes.filter((code) => code !== 0).length >= wide.letters) return begun(from, encoding);
  }
  return null;
}

function codeAt(text: string, at: number, encoding: 'utf16le' | 'utf16be'): number {
  const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  return encoding === 'utf16le' ? first | (second << 8) : (first << 8) | second;
}

/** A line of quoted-printable text without what ends it, its letters at most, with room for writers that count otherwise, and the escapes and broken lines that make it one (RFC 2045, 6.7). */
const quotedLine = /^(?:[\t -<>-~]|=[0-9A-F]{2})*=?$/;
const quoted = { line: 80, escapes: 64, breaks: 8 };

/** A file whose bytes above 7f, and signs that mean something, stand as = and two digits: every whole line of what is looked at must be so. */
function asQuoted(text: string): Envelope | null {
  const all = text.split(/\r?\n/).slice(0, -1);
  if (all.some((line) => line.length > quoted.line || !quotedLine.test(line))) return null;
  const breaks = all.filter((line) => line.endsWith('=')).length;
  const escapes = text.split(/=[0-9A-F]{2}/).length - 1;
  return breaks >= quoted.breaks && escapes >= quoted.escapes ? begun(0, 'quoted') : null;
}

/** Anything but letters that print, and blanks. */
const binary = /[^\t\r\n -~]/;

/** The file that lies in a text as letters; null where there is none. `text` is the beginning, a letter for each byte. */
export const inLetters = (text: string): Envelope | null =>
  asPairs(text) ?? (binary.test(text) ? null : (asDigits(text) ?? asLines(text) ?? asQuoted(text) ?? asBase64(text)));
