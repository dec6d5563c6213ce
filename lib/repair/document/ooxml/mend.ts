import { type Grammar, rescueWrappers, textWrappers } from './grammar';

/**
 * A part made well-formed. `dropped` counts tags and characters that made no sense and were left out, `closed` elements whose end tag
 * was missing; `ended` when the text stopped in the middle, so that nobody knows what came after.
 */
export type Mended = { xml: string; changed: boolean; dropped: number; closed: number; ended: boolean };

const nameStart = 'A-Za-z_\\u00c0-\\ud7ff';
const name = `[${nameStart}][${nameStart}0-9.\\-]*(?::[${nameStart}][${nameStart}0-9.\\-]*)?`;
const startTag = new RegExp(`^<(${name})((?:\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>$`);
const garbledName = new RegExp(`^<(${name})(?=[\\s/>])`);
const endTag = new RegExp(`^</(${name})\\s*>$`);
const attribute = new RegExp(`(${name})\\s*=\\s*("[^"<]*"|'[^'<]*')`, 'g');

/** Elements that carry text in the office vocabularies; stray text elsewhere is damage that would stop an office program. */
const textual =
  /(?:^|:)(?:t|v|f|delText|instrText|delInstrText|text|author|title|subject|creator|description|keywords|category|lastModifiedBy|revision|created|modified|Application|AppVersion|Company|Manager|Template|lpstr|lpwstr|i4|bool|formula|formula1|formula2|oddHeader|oddFooter|evenHeader|evenFooter|attrName|ptCount|pt|posOffset|align|pctWidth|pctHeight|TotalTime|Pages|Words|Characters|Lines|Paragraphs|Slides|Notes|HiddenSlides|DocSecurity|row|col|rowOff|colOff)$/;

/** The end of an element that holds a run of text, in any of the three formats. */
const textEnd = /^<\/((?:\w+:)?t)>/;

type Open = { name: string; childless: boolean; prefixes: string[]; numeric: boolean };

/** A cell of a sheet, and its value, which is a number unless the cell says otherwise (ECMA-376 part 1, 18.3.1.4). */
const cell = /^(?:\w+:)?c$/;
const cellValue = /^(?:\w+:)?v$/;
const wordy = /\st\s*=\s*["'](?:str|e|inlineStr|d)["']/;

/**
 * Makes damaged XML of an office part well-formed: tags that broke are dropped, what is open is closed in order, characters XML does
 * not allow are taken out. `grammar` says which element may stand in which, so that a lost end tag does not swallow the rest; `shell` is
 * the opening to put before a part that lost its own. Whole XML passes through with its meaning unchanged. Elements past `nesting` open ones are left out.
 */
export function mendXml(source: string, nesting: number, grammar: Grammar, shell: string | null): Mended {
  const work = new Mender(nesting, grammar);
  const root = /^<([\w:.-]+)/.exec(shell ?? '')?.[1];
  const headless = shell !== null && root !== undefined && !new RegExp(`<${root}[\\s>]`).test(source.slice(0, 65536));
  return work.run(headless ? shell + source : source);
}

class Mender {
  readonly #nesting: number;
  readonly #out: string[] = [];
  readonly #pages: string[] = [];
  readonly #stack: Open[] = [];
  readonly #prefixes = new Map<string, number>([['xml', 1]]);
  #dropped = 0;
  #closed = 0;
  #cleaned = 0;
  #rootDone = false;

  readonly #grammar: Grammar;

  constructor(nesting: number, grammar: Grammar) {
    this.#nesting = nesting;
    this.#grammar = grammar;
  }

  run(source: string): Mended {
    let at = 0;
    while (at < source.length) {
      const open = source.indexOf('<', at);
      const raw = source.slice(at, open < 0 ? source.length : open);
      if (open < 0 || !this.#rescue(raw, source, open)) this.#text(raw);
      if (open < 0) break;
      at = this.#markup(source, open);
      // Millions of small strings take several times the room of their text.
      if (this.#out.length > 4096) this.#pages.push(this.#out.splice(0).join(''));
    }
    const unclosed = this.#stack.length;
    while (this.#stack.length > 0) this.#close();
    const xml = this.#pages.join('') + this.#out.join('');
    const sum = this.#dropped + this.#closed + this.#cleaned;
    return { xml, changed: unclosed + sum > 0, dropped: this.#dropped, closed: this.#closed, ended: unclosed > 0 };
  }

  #markup(source: string, open: number): number {
    if (source.startsWith('<?', open) || source.startsWith('<!--', open) || source.startsWith('<![CDATA[', open)) {
      const closing = source.startsWith('<?', open) ? '?>' : source.startsWith('<!--', open) ? '-->' : ']]>';
      const end = source.indexOf(closing, open);
      if (end < 0) return this.#drop(open + 1);
      const whole = source.slice(open, end + closing.length);
      const declaration = whole.startsWith('<?xml ');
      if (closing === ']]>') this.#text(escapeText(whole.slice(9, -3)));
      else if (
        closing === '?>' &&
        (!declaration || (this.#out.length === 0 && this.#pages.length === 0)) &&
        !hasForbidden(whole)
      ) {
        this.#out.push(declaration ? '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' : whole);
      } else if (closing === '?>') this.#dropped++;
      return end + closing.length;
    }
    const end = tagEnd(source, open);
    if (end < 0 && this.#isSign(source, open)) {
      this.#cleaned++;
      this.#text('&lt;');
      return open + 1;
    }
    if (end < 0) return this.#drop(open + 1);
    const tag = source.slice(open, end);
    const closing = endTag.exec(tag);
    if (closing) this.#end(closing[1] ?? '');
    else {
      const starting = startTag.exec(tag) ?? garbledTag(tag, this.#grammar);
      if (starting) this.#start(starting[1] ?? '', starting[2] ?? '', starting[3] === '/');
      else {
        this.#dropped++;
        this.#rescue(tag, source, end);
      }
    }
    return end;
  }

  /** Text whose start tag is gone but whose end tag stands at `at`: it gets the elements it needs. False when it is nothing of the kind. */
  #rescue(raw: string, source: string, at: number): boolean {
    const element = textEnd.exec(source.slice(at, at + 16))?.[1];
    const parent = this.#stack.at(-1);
    if (!element || !parent || textual.test(parent.name)) return false;
    // What comes before the last sign of damage belongs to the tags that are gone.
    let from = raw.length;
    while (from > 0 && !/["<>]/.test(raw[from - 1] ?? '') && !isForbidden(raw.charCodeAt(from - 1))) from--;
    const text = raw.slice(from);
    const depth = this.#stack.findLastIndex((open) => rescueWrappers[open.name]?.at(-1) === element);
    if (depth < 0 || !/[\p{L}\p{N}]/u.test(text)) return false;
    this.#dropped++;
    while (this.#stack.length - 1 > depth) this.#close();
    const wrap = rescueWrappers[this.#stack[depth]?.name ?? ''] ?? [];
    for (const name of wrap) this.#start(name, name === element ? ' xml:space="preserve"' : '', false);
    this.#out.push(cleanText(text, true));
    return true;
  }

  /** Whether a `<` is the sign itself, which somebody forgot to escape: it stands in text, and no tag begins with it. */
  #isSign(source: string, open: number): boolean {
    return textual.test(this.#stack.at(-1)?.name ?? '') && /[\s\d=<]/.test(source[open + 1] ?? '');
  }

  #drop(next: number): number {
    this.#dropped++;
    return next;
  }

  #start(element: string, attributes: string, empty: boolean): void {
    if (this.#rootDone && this.#stack.length === 0) {
      this.#dropped++;
      return;
    }
    // So deep nest only elements that lost their ends.
    if (!this.#fits(element) || (!empty && this.#stack.length >= this.#nesting)) {
      this.#dropped++;
      return;
    }
    const parts: string[] = [];
    const seen = new Set<string>();
    const declared: string[] = [];
    const pairs: [string, string][] = [];
    attribute.lastIndex = 0;
    for (let match = attribute.exec(attributes); match; match = attribute.exec(attributes)) {
      const [, key = '', value = '""'] = match;
      if (seen.has(key)) {
        this.#dropped++;
        continue;
      }
      seen.add(key);
      pairs.push([key, value]);
      if (key.startsWith('xmlns:')) declared.push(key.slice(6));
    }
    const known = (qualified: string) => {
      const colon = qualified.indexOf(':');
      if (colon < 0) return true;
      const prefix = qualified.slice(0, colon);
      return prefix === 'xmlns' || (this.#prefixes.get(prefix) ?? 0) > 0 || declared.includes(prefix);
    };
    if (!known(element)) {
      this.#dropped++;
      return;
    }
    for (const [key, value] of pairs) {
      if (known(key)) parts.push(` ${key}=${cleanText(value, false)}`);
      else this.#dropped++;
    }
    const parent = this.#stack.at(-1);
    if (parent) parent.childless = false;
    this.#out.push(`<${element}${parts.join('')}${empty ? '/' : ''}>`);
    if (empty) {
      if (this.#stack.length === 0) this.#rootDone = true;
      return;
    }
    for (const prefix of declared) this.#prefixes.set(prefix, (this.#prefixes.get(prefix) ?? 0) + 1);
    const numeric = cell.test(element) && !wordy.test(attributes);
    this.#stack.push({ name: element, childless: true, prefixes: declared, numeric });
  }

  /** Closes what must be closed for `element` to stand here; false when it fits nowhere. Before any damage nothing is judged. */
  #fits(element: string): boolean {
    if (this.#stack.length === 0) return true;
    const parents = this.#grammar.get(element);
    if (!parents) return false;
    const depth = this.#stack.findLastIndex((open) => parents.has(open.name));
    if (depth < 0) return false;
    this.#closed += this.#stack.length - 1 - depth;
    while (this.#stack.length - 1 > depth) this.#close();
    return true;
  }

  #end(element: string): void {
    const depth = this.#stack.findLastIndex((open) => open.name === element);
    if (depth < 0) {
      this.#dropped++;
      return;
    }
    this.#closed += this.#stack.length - 1 - depth;
    while (this.#stack.length > depth) this.#close();
  }

  #close(): void {
    const open = this.#stack.pop();
    if (!open) return;
    // A table cell without a paragraph, a row without a cell: what Word calls unreadable content (ECMA-376, 17.4.65).
    if (open.childless && open.name === 'w:tc') this.#out.push('<w:p/>');
    if (open.childless && open.name === 'w:tr') this.#out.push('<w:tc><w:p/></w:tc>');
    this.#out.push(`</${open.name}>`);
    for (const prefix of open.prefixes) this.#prefixes.set(prefix, (this.#prefixes.get(prefix) ?? 1) - 1);
    if (this.#stack.length === 0) this.#rootDone = true;
  }

  /** What is left of a cell's number, without what cannot be part of one: a program would refuse the whole sheet for it. */
  #number(text: string): string {
    if (/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(text)) return text;
    this.#dropped++;
    const runs = text.replace(/&\w+;/g, ' ').match(/[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g) ?? [];
    return runs.length === 1 ? (runs[0] ?? '') : '';
  }

  #text(raw: string): void {
    if (raw.length === 0) return;
    const parent = this.#stack.at(-1);
    if (!parent) {
      if (raw.trim() !== '' && raw.trim() !== '\ufeff') this.#dropped++;
      return;
    }
    if (/^\s*$/.test(raw) && !textual.test(parent.name)) {
      this.#out.push(raw);
      return;
    }
    if (!textual.test(parent.name)) {
      this.#dropped++;
      const wrap = textWrappers[parent.name];
      if (wrap)
        this.#out.push(
          ...wrap.map((tag) => `<${tag}>`),
          cleanText(raw, true),
          ...wrap.toReversed().map((tag) => `</${tag}>`),
        );
      return;
    }
    const clean = cleanText(raw, true);
    // Only characters that decoding could not make out were anything before.
    if (raw.includes('\ufffd')) this.#dropped++;
    else if (clean !== raw) this.#cleaned++;
    this.#out.push(cellValue.test(parent.name) && this.#stack.at(-2)?.numeric ? this.#number(clean) : clean);
  }
}

/** A start tag with a name the document knows but broken attributes: name and sound attributes count. */
function garbledTag(tag: string, grammar: Grammar): [string, string, string, string] | null {
  const element = garbledName.exec(tag)?.[1];
  if (!element || !grammar.has(element)) return null;
  const sound = [...tag.matchAll(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`, 'g'))].map(([whole]) => whole);
  return [tag, element, sound.join(''), tag.endsWith('/>') ? '/' : ''];
}

/** The end of a tag: a `>` outside quotes, before the next `<`. */
function tagEnd(source: string, open: number): number {
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

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Characters outside XML 1.0's Char production, and the mark that decoding leaves for bytes that were no UTF-8. */
function isForbidden(code: number): boolean {
  return (
    (code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 0xfffe || code === 0xffff || code === 0xfffd
  );
}

function hasForbidden(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (isForbidden(text.charCodeAt(index))) return true;
  return false;
}

function cleanText(text: string, content: boolean): string {
  let clean = text.replace(/&(?!(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)/g, '&amp;');
  if (content) clean = clean.replace(/\]\]>/g, ']]&gt;');
  if (!hasForbidden(clean) && !/[\ud800-\udfff]/.test(clean) && !clean.includes('&#')) return clean;
  clean = clean.replace(/&#(x?)([0-9a-fA-F]+);/g, (whole, hex: string, digits: string) => {
    const code = Number.parseInt(digits, hex ? 16 : 10);
    return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || (code < 0x10000 && isForbidden(code)) ? '' : whole;
  });
  let kept = '';
  for (const character of clean) {
    const code = character.codePointAt(0) ?? 0;
    if (!isForbidden(code) && !(code >= 0xd800 && code <= 0xdfff)) kept += character;
  }
  return kept;
}
