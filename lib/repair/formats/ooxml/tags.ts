import { isClean } from './characters';
import type { Grammar } from './grammar';

const nameStart = 'A-Za-z_\\u00c0-\\ud7ff';
const name = `[${nameStart}][${nameStart}0-9.\\-]*(?::[${nameStart}][${nameStart}0-9.\\-]*)?`;
export const startTag = new RegExp(`^<(${name})((?:\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>$`);
const garbledName = new RegExp(`^<(${name})(?=[\\s/>])`);
export const endTag = new RegExp(`^</(${name})\\s*>$`);
export const attribute = new RegExp(`(${name})\\s*=\\s*("[^"<]*"|'[^'<]*')`, 'g');

/** Elements of OpenDocument that hold text (ODF 1.3 part 3, 5, 6 and 4.3). */
const odfTextual =
  /^(?:text:(?:p|h|span|a|note-citation|ruby-base|ruby-text|date|time|page-number|title|sequence)|meta:[\w-]+|dc:\w+|config:config-item|number:text|svg:(?:title|desc))$/;

/** Elements that carry text in the office vocabularies; stray text elsewhere is damage that would stop an office program. */
const textual =
  /(?:^|:)(?:t|v|f|delText|instrText|delInstrText|text|author|title|subject|creator|description|keywords|category|lastModifiedBy|revision|created|modified|Application|AppVersion|Company|Manager|Template|lpstr|lpwstr|i4|bool|formula|formula1|formula2|oddHeader|oddFooter|evenHeader|evenFooter|attrName|ptCount|pt|posOffset|align|pctWidth|pctHeight|TotalTime|Pages|Words|Characters|Lines|Paragraphs|Slides|Notes|HiddenSlides|DocSecurity|rowOff|colOff)$|^xdr:(?:row|col)$/;

type PlainTag = { element: string; attributes: string; keys: readonly string[]; isEmpty: boolean };

export const noPrefixes: readonly string[] = [];
const plainName = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/;

/** Names by whether they are plain, and whether they hold text; the same few come again and again. */
const plainNames = new Map<string, boolean>();
const textualNames = new Map<string, boolean>();
const mostNames = 5000;

function remembered(known: Map<string, boolean>, name: string, pattern: RegExp): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const fits = pattern.test(name);
  if (known.size < mostNames) known.set(name, fits);
  return fits;
}

/** The body of an OpenDocument text holds paragraphs, and no text itself (ODF 1.3 part 3, 3.4). */
export const isTextual = (name: string): boolean =>
  name !== 'office:text' && (remembered(textualNames, name, textual) || odfTextual.test(name));

/** A start tag as programs write it, with sound attributes that declare nothing; null for any other. */
export function plainTag(tag: string): PlainTag | null {
  const isEmpty = tag.endsWith('/>');
  const end = tag.length - (isEmpty ? 2 : 1);
  const space = tag.indexOf(' ');
  const first = space < 0 || space > end ? end : space;
  const element = tag.slice(1, first);
  if (!remembered(plainNames, element, plainName)) return null;
  const attributes = tag.slice(first, end);
  const keys: string[] = [];
  for (let at = 0; at < attributes.length; ) {
    const equals = attributes.indexOf('="', at);
    const closing = equals < 0 ? -1 : attributes.indexOf('"', equals + 2);
    if (closing < 0 || attributes[at] !== ' ') return null;
    const key = attributes.slice(at + 1, equals);
    if (!remembered(plainNames, key, plainName) || key.startsWith('xmlns') || keys.includes(key)) return null;
    keys.push(key);
    at = closing + 1;
  }
  return isClean(attributes) && !attributes.includes('<') ? { element, attributes, keys, isEmpty } : null;
}

/** A start tag with a name the document knows but broken attributes: name and sound attributes count. */
export function garbledTag(tag: string, grammar: Grammar): [string, string, string, string] | null {
  const element = garbledName.exec(tag)?.[1];
  if (!element || !grammar.has(element)) return null;
  const sound = [...tag.matchAll(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`, 'g'))].map(([whole]) => whole);
  return [tag, element, sound.join(''), tag.endsWith('/>') ? '/' : ''];
}

/** The end of a tag: a `>` outside quotes, before the next `<`. */
export function tagEnd(source: string, open: number): number {
  let quote = 0;
  for (let at = open + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 0x3c) return quote === 0 ? -1 : at;
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x22 || code === 0x27) quote = code;
    else if (code === 0x3e) return at + 1;
  }
  return -1;
}
