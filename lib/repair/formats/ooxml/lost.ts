/** What stands in XML for bytes that are not known (`core/flips/likeness.ts`), and for those that are no letters. */
const unknown = '\ufffd';
const lostWord = /[\p{L}\p{M}\p{N}]*(?:\ufffd[\p{L}\p{M}\p{N}]*)+/gu;

/** Whether any byte of a text is not known. */
export const hasLost = (text: string): boolean => text.includes(unknown);

/** Text without the words that lost letters: what is left of these would be words that nobody wrote. */
export const withoutLost = (text: string): string => (hasLost(text) ? text.replace(lostWord, ' ') : text);

/** The end of what begins with a `<` at `open` and lost bytes: its own, or the last of these where that is among them. */
export function lostTagEnd(source: string, open: number): number {
  const next = source.indexOf('<', open + 1);
  const stop = next < 0 ? source.length : next;
  const end = source.indexOf('>', open);
  return end >= 0 && end < stop ? end + 1 : Math.max(open + 1, source.lastIndexOf(unknown, stop));
}

/** Cells of both kinds of sheet: what they say of their value decides how it is read. */
const cell = /^(?:\w+:)?c$/;
const odfCell = /^table:(?:covered-)?table-cell$/;
const harmless = /\s[rs]="[^"<>]*"/g;

/** The attributes of a start tag that lost bytes which may still be believed; null where the element may not. */
export function believed(element: string, sound: string, tag: string): string | null {
  const attributes = sound.replace(/\s[^\s="]+\s*=\s*"[^"<]*"/g, (whole) => (hasLost(whole) ? '' : whole));
  if (cell.test(element)) return hasLost(tag.replace(harmless, '')) ? null : attributes;
  return odfCell.test(element) ? attributes.replace(/\s(?:office|calcext):[\w-]+="[^"<]*"/g, '') : attributes;
}
