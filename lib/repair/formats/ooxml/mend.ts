import { cleanText, escapeText, hasForbidden, isForbidden } from './characters';
import { withoutDebris } from './debris';
import { withoutInstructions } from './fields';
import { type Grammar, impliedParents, rescueWrappers, textWrappers, usualNamespaces } from './grammar';
import { believed, hasLost, lostTagEnd, withoutLost } from './lost';
import { attribute, endTag, garbledTag, isTextual, noPrefixes, plainTag, startTag, tagEnd } from './tags';

/**
 * A part made well-formed. `dropped` counts tags and characters that made no sense and were left out, `closed` elements whose end tag
 * was missing; `ended` when the text stopped in the middle, so that nobody knows what came after.
 */
export type Mended = { xml: string; changed: boolean; dropped: number; closed: number; ended: boolean };

/** The end of an element that holds a run of text, in any of the three formats. */
const textEnd = /^<\/((?:\w+:)?t)>/;

/** Elements that hold instructions of fields (ECMA-376 part 1, 17.16.13 and 17.16.23). */
const instruction = /^(?:\w+:)?(?:delI|i)nstrText$/;

type Open = { name: string; isTextual: boolean; childless: boolean; prefixes: readonly string[]; numeric: boolean };

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

/** Declarations of the namespaces that a source uses by the prefixes of every program, and of which its own are lost. */
function missingNamespaces(source: string): string {
  const used = new Set([...source.matchAll(/[<\s](\w+):[A-Za-z]/g)].map(([, prefix = '']) => prefix));
  return [...used]
    .filter((prefix) => usualNamespaces[prefix])
    .filter((prefix) => {
      const declared = new RegExp(`xmlns:${prefix}\\s*=\\s*("[^"<\\ufffd]*"|'[^'<\\ufffd]*')`).exec(source)?.[1];
      const isStrict = declared?.startsWith('http://purl.oclc.org/ooxml/', 1);
      return !declared || (hasLost(source) && !isStrict && declared.slice(1, -1) !== usualNamespaces[prefix]);
    })
    .map((prefix) => ` xmlns:${prefix}="${usualNamespaces[prefix]}"`)
    .join('');
}

/** What begins with a `<` and is no tag (XML 1.0, 2.5 to 2.7). */
const specials = [
  { kind: 'instruction', begins: '<?', ends: '?>' },
  { kind: 'comment', begins: '<!--', ends: '-->' },
  { kind: 'text', begins: '<![CDATA[', ends: ']]>' },
] as const;

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
  /** Kinds of markup of which no end is left in the part. */
  readonly #endless = new Set<string>();
  /** Declarations that the first element gets beside its own. */
  #missing = '';

  readonly #grammar: Grammar;

  constructor(nesting: number, grammar: Grammar) {
    this.#nesting = nesting;
    this.#grammar = grammar;
  }

  run(source: string): Mended {
    this.#missing = missingNamespaces(source);
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

  /** Takes what begins with a `<` at `open`; where reading goes on. */
  #markup(source: string, open: number): number {
    const special = specials.find(({ begins }) => source.startsWith(begins, open));
    if (special) return this.#special(source, open, special);
    const next = source.indexOf('<', open + 1);
    if (hasLost(source.slice(open, next < 0 ? source.length : next))) {
      const lostEnd = lostTagEnd(source, open);
      this.#lostTag(source, source.slice(open, lostEnd), lostEnd);
      return lostEnd;
    }
    const end = tagEnd(source, open);
    if (end < 0 && this.#isSign(source, open)) {
      this.#cleaned++;
      this.#text('&lt;');
      return open + 1;
    }
    if (end < 0) return this.#drop(open + 1);
    this.#tag(source, source.slice(open, end), end);
    return end;
  }

  /** An instruction, which stays, a comment, which does not, or text that is written without escapes. */
  #special(source: string, open: number, { kind, ends }: (typeof specials)[number]): number {
    // Where none ends behind one place, none does behind a later one: each would be looked for to the end of the part.
    const end = this.#endless.has(kind) ? -1 : source.indexOf(ends, open);
    if (end < 0) {
      this.#endless.add(kind);
      return this.#drop(open + 1);
    }
    const whole = source.slice(open, end + ends.length);
    if (kind === 'text') this.#text(escapeText(whole.slice(9, -3)));
    if (kind === 'instruction') this.#instruction(whole);
    return end + ends.length;
  }

  #instruction(whole: string): void {
    const isDeclaration = whole.startsWith('<?xml ');
    const isFirst = this.#out.length === 0 && this.#pages.length === 0;
    if ((isDeclaration && !isFirst) || hasForbidden(whole)) this.#dropped++;
    else this.#out.push(isDeclaration ? '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' : whole);
  }

  /** A tag that ends at `end`; the one that most often comes, the end of the innermost element, first. */
  #tag(source: string, tag: string, end: number): void {
    const top = this.#stack.at(-1);
    if (top && tag.length === top.name.length + 3 && tag.startsWith('/', 1) && tag.startsWith(top.name, 2)) {
      this.#close();
      return;
    }
    const plain = plainTag(tag);
    if (plain) {
      this.#start(plain.element, plain.attributes, plain.isEmpty, plain.keys);
      return;
    }
    const closing = endTag.exec(tag);
    if (closing) {
      this.#end(closing[1] ?? '');
      return;
    }
    const sound = startTag.exec(tag);
    if (!sound) this.#dropped++;
    const starting = sound ?? garbledTag(tag, this.#grammar);
    if (starting) this.#start(starting[1] ?? '', starting[2] ?? '', starting[3] === '/');
    else this.#rescue(tag, source, end);
  }

  /** A tag of which bytes are not known: its name and the attributes that are whole count, where they can be believed. */
  #lostTag(source: string, tag: string, end: number): void {
    this.#dropped++;
    const [, element = '', sound = '', empty] = garbledTag(tag, this.#grammar) ?? [];
    // Where the end of a tag is lost, so is whether anything stands in the element; what text does, readers show.
    const isOpen = tag.endsWith('>') || isTextual(element) || this.#stack.length === 0;
    const attributes = element === '' || !isOpen ? null : believed(element, sound, tag);
    if (attributes === null) this.#rescue(tag, source, end);
    else this.#start(element, attributes, empty === '/');
  }

  /** Text whose start tag is gone but whose end tag stands at `at`: it gets the elements it needs. False when it is nothing of the kind. */
  #rescue(raw: string, source: string, at: number): boolean {
    const parent = this.#stack.at(-1);
    if (raw.length === 0 || !parent || parent.isTextual) return false;
    const element = textEnd.exec(source.slice(at, at + 16))?.[1];
    if (!element) return false;
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
    this.#out.push(cleanText(this.#told(text), true));
    return true;
  }

  /** Whether a `<` is the sign itself, which somebody forgot to escape: it stands in text, and no tag begins with it. */
  #isSign(source: string, open: number): boolean {
    return (this.#stack.at(-1)?.isTextual ?? false) && /[\s\d=<]/.test(source[open + 1] ?? '');
  }

  #drop(next: number): number {
    this.#dropped++;
    return next;
  }

  /** `keys` are those of attributes that are known to be sound and written in the plain way. */
  #start(element: string, given: string, empty: boolean, known: readonly string[] | null = null): void {
    const [attributes, keys] = this.#missing === '' ? [given, known] : [given + this.#missing, null];
    this.#missing = '';
    if (this.#rootDone && this.#stack.length === 0) {
      this.#dropped++;
      return;
    }
    // So deep nest only elements that lost their ends.
    if (!(this.#fits(element) || this.#imply(element)) || (!empty && this.#stack.length >= this.#nesting)) {
      this.#dropped++;
      return;
    }
    const isPlain = keys?.every((key) => this.#isDeclared(key, noPrefixes)) ?? false;
    const pairs = isPlain ? [] : this.#attributes(attributes);
    const declared = isPlain
      ? noPrefixes
      : pairs.filter(([key]) => key.startsWith('xmlns:')).map(([key]) => key.slice(6));
    if (!this.#isDeclared(element, declared)) {
      this.#dropped++;
      return;
    }
    let written = attributes;
    if (!isPlain) {
      const sound = pairs.filter(([key]) => this.#isDeclared(key, declared));
      this.#dropped += pairs.length - sound.length;
      written = sound.map(([key, value]) => ` ${key}=${cleanText(value, false)}`).join('');
    }
    const parent = this.#stack.at(-1);
    if (parent) parent.childless = false;
    this.#out.push(`<${element}${written}${empty ? '/' : ''}>`);
    if (empty) {
      if (this.#stack.length === 0) this.#rootDone = true;
      return;
    }
    for (const prefix of declared) this.#prefixes.set(prefix, (this.#prefixes.get(prefix) ?? 0) + 1);
    const numeric = cell.test(element) && !wordy.test(attributes);
    this.#stack.push({ name: element, isTextual: isTextual(element), childless: true, prefixes: declared, numeric });
  }

  /** Names and values of attributes; of several with one name the first counts. */
  #attributes(attributes: string): [string, string][] {
    const pairs = new Map<string, string>();
    for (const [, key = '', value = '""'] of attributes.matchAll(attribute)) {
      if (pairs.has(key)) this.#dropped++;
      else pairs.set(key, value);
    }
    return [...pairs];
  }

  #isDeclared(qualified: string, declared: readonly string[]): boolean {
    const colon = qualified.indexOf(':');
    if (colon < 0) return true;
    const prefix = qualified.slice(0, colon);
    return prefix === 'xmlns' || (this.#prefixes.get(prefix) ?? 0) > 0 || declared.includes(prefix);
  }

  /** Closes what must be closed for `element` to stand here; false when it fits nowhere. Before any damage nothing is judged. */
  #fits(element: string): boolean {
    if (this.#stack.length === 0) return true;
    const parents = this.#grammar.get(element);
    if (!parents) return false;
    let depth = this.#stack.length - 1;
    while (depth >= 0 && !parents.has(this.#stack[depth]?.name ?? '')) depth--;
    if (depth < 0) return false;
    this.#closed += this.#stack.length - 1 - depth;
    while (this.#stack.length - 1 > depth) this.#close();
    return true;
  }

  /** Opens what `element` stands in where only the tag of that is gone; false when it stands in nothing of the kind. */
  #imply(element: string): boolean {
    const wrappers = impliedParents[element];
    const depth = wrappers ? this.#stack.findLastIndex((open) => wrappers[open.name]) : -1;
    const missing = wrappers?.[this.#stack[depth]?.name ?? ''];
    if (!missing) return false;
    this.#closed += this.#stack.length - 1 - depth;
    while (this.#stack.length - 1 > depth) this.#close();
    this.#dropped += missing.length;
    for (const name of missing) this.#start(name, '', false);
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

  /** Text behind damage without what is none: what is left of lost words, of markup, and of instructions of fields that lost their tags. */
  #told(text: string, isInstruction = false): string {
    const clean = withoutDebris(text, this.#prefixes);
    return withoutLost(isInstruction ? clean : withoutInstructions(clean));
  }

  #text(raw: string): void {
    if (raw.length === 0) return;
    const parent = this.#stack.at(-1);
    if (!parent) {
      if (raw.trim() !== '' && raw.trim() !== '\ufeff') this.#dropped++;
      return;
    }
    if (!parent.isTextual && /^\s*$/.test(raw)) {
      this.#out.push(raw);
      return;
    }
    if (!parent.isTextual) {
      this.#dropped++;
      const wrap = textWrappers[parent.name];
      const loose = this.#told(raw);
      if (wrap && /[\p{L}\p{N}]/u.test(loose))
        this.#out.push(
          ...wrap.map((tag) => `<${tag}>`),
          cleanText(loose, true),
          ...wrap.toReversed().map((tag) => `</${tag}>`),
        );
      return;
    }
    if (hasLost(raw)) this.#dropped++;
    // Half a formula or half a number says something else, or programs refuse the sheet for it.
    if ((parent.name === 'f' || cellValue.test(parent.name)) && hasLost(raw)) return;
    const isInstruction = instruction.test(parent.name);
    const clean = cleanText(this.#dropped > 0 ? this.#told(raw, isInstruction) : raw, true);
    // Only characters that decoding could not make out were anything before.
    if (raw.includes('\ufffd')) this.#dropped++;
    else if (clean !== raw) this.#cleaned++;
    this.#out.push(cellValue.test(parent.name) && this.#stack.at(-2)?.numeric ? this.#number(clean) : clean);
  }
}
