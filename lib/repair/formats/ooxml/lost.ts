import { usualNamespaces } from './grammar';

/** What stands in XML for bytes that are not known (`core/flips/likeness.ts`), and for those that are no letters. */
const unknown = '\ufffd';
/**
 * A word with what may be part of it: references by number, which stand for letters (XML 1.0, 4.1), also where some of one is not known,
 * and the sign before the decimals of a number. Each sign in one way only, so that no text is read twice.
 */
const wordOrLost =
  /(?:[\p{L}\p{M}\p{N}\ufffd]|&(?=[#\ufffd])|(?<=[&\ufffd])#|(?<=(?:&#x?|\ufffd#?x?)[0-9a-f]{0,7});|(?<=[\p{N}\ufffd])[.,](?=[\p{N}\ufffd]))+/giu;

/** Whether any byte of a text is not known. */
export const hasLost = (text: string): boolean => text.includes(unknown);

/** Text without the words that lost letters: what is left of these would be words that nobody wrote. */
export const withoutLost = (text: string): string =>
  hasLost(text) ? text.replace(wordOrLost, (word) => (hasLost(word) ? ' ' : word)) : text;

/** What lies between lost bytes of a tag is no prose, and a tag is not much longer than this. */
const prose = /\p{L}{2,} \p{L}{2,} |^.{120}/su;

/** The end of a tag that begins at `open` and lost bytes: its own, or where the first of these are if that is lost as well. */
export function lostTagEnd(source: string, open: number): number {
  const first = source.indexOf(unknown, open);
  const next = source.indexOf('<', open + 1);
  const end = source.indexOf('>', open);
  if (end < 0 || (next >= 0 && next < end)) return first;
  return end < first || !prose.test(source.slice(first, end)) ? end + 1 : first;
}

/** Cells of both kinds of sheet: what they say of their value decides how it is read. */
const cell = /^(?:\w+:)?c$/;
const odfCell = /^table:(?:covered-)?table-cell$/;
const harmless = /\s[rs]="[^"<>]*"/g;

/** Whether a declaration beside lost bytes gives a prefix another namespace than every program does. */
function isOtherNamespace(key: string, value: string): boolean {
  const usual = key.startsWith('xmlns:') ? usualNamespaces[key.slice(6)] : undefined;
  return usual !== undefined && usual !== value && !value.startsWith('http://purl.oclc.org/ooxml/');
}

/** The attributes of a start tag that lost bytes which may still be believed; null where the element may not. */
export function believed(element: string, sound: string, tag: string): string | null {
  const attributes = sound.replace(/\s([^\s="]+)\s*=\s*"([^"<]*)"/g, (whole, key: string, value: string) =>
    hasLost(whole) || isOtherNamespace(key, value) ? '' : whole,
  );
  if (cell.test(element)) return hasLost(tag.replace(harmless, '')) ? null : attributes;
  return odfCell.test(element) ? attributes.replace(/\s(?:office|calcext):[\w-]+="[^"<]*"/g, '') : attributes;
}
