/*
 * Instructions of fields, as programs write them (ECMA-376 part 1, 17.16.5 and 17.16.4.3): the kind of the field, what it is of, and switches
 * that begin with a backslash. Quotation marks may be escaped, and the last of what is told may be lost with all that follows.
 */
const quoted = '(?:"|&quot;)[^"<>\\ufffd]*?(?:"|&quot;|$)';
const argument = `\\s+(?:${quoted}|[^\\s"<>\\\\\\ufffd&]+)`;
const kinds = [
  'AUTHOR',
  'CITATION',
  'DATE',
  'DOCPROPERTY',
  'FILENAME',
  'HYPERLINK',
  'INCLUDEPICTURE',
  'INDEX',
  'MERGEFIELD',
  'NOTEREF',
  'NUMPAGES',
  'PAGE',
  'PAGEREF',
  'REF',
  'SEQ',
  'STYLEREF',
  'TC',
  'TIME',
  'TOC',
  'XE',
].join('|');
/** The marks by which programs name places in a text for themselves; nobody writes these for readers. */
const place = '_(?:Toc|Ref|Hlk|Hlt)\\d+';
const switched = `(?:\\s*\\\\(?:[a-z]\\b(?:\\s+${quoted})?|[*@#]\\s*(?:${quoted}|\\w+)|!))`;

const instructions = new RegExp(
  [
    // A kind with its switches, or one of a place or an address.
    `\\b(?:${kinds})(?:${argument})?${switched}+`,
    `\\b(?:HYPERLINK|INCLUDEPICTURE)\\s+${quoted}`,
    `(?:\\b(?:${kinds})\\s+)?${place}${switched}*`,
    // What is left where the kind is lost.
    `${quoted}\\s+\\\\h\\b`,
    '\\\\\\*\\s*(?:MERGEFORMAT|CHARFORMAT|Arabic|ARABIC|roman|Upper|Lower)\\b',
  ].join('|'),
  'g',
);

/** Text behind damage without instructions of fields, which are no text that a reader shows. */
export const withoutInstructions = (text: string): string =>
  /[\\_]|HYPERLINK|INCLUDEPICTURE/.test(text) ? text.replace(instructions, ' ') : text;
