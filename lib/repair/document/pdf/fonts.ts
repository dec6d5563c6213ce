import type { PdfModel } from './model';
import { contentUse } from './pagecontent';
import { inheritedValue } from './pages';
import {
  entriesOf,
  nameOf,
  type PdfDictionary,
  type PdfObject,
  type PdfValue,
  pdfArray,
  pdfDictionary,
  pdfName,
  pdfNumber,
  pdfReference,
  referenceOf,
} from './values';

/** How fonts were given back to text that lost them; `shown` and `unreadable` count bytes of text, in all and without known letters. */
export type FontRepair = { replaced: number; guessed: number; shown: number; unreadable: number };

/** A mapping from character codes to text (ISO 32000-1, 9.10.3): bytes per code, and the text of each code. */
type CodeMap = { width: number; texts: Map<number, string> };

/** Gives every font name that page content uses, and that leads nowhere, a font: a surviving one that fits its codes, or Helvetica. */
export function repairFonts(model: PdfModel, pages: readonly PdfObject[]): FontRepair {
  const result: FontRepair = { replaced: 0, guessed: 0, shown: 0, unreadable: 0 };
  const chosenIn = new Map<PdfObject, string[]>();
  const shown = pages.map((page) => shownWithFonts(model, page, chosenIn));
  if (shown.every((size) => size !== null)) {
    result.shown = shown.reduce((sum, size) => sum + size, 0);
    return result;
  }
  const spare = new FontFinder(model);
  const chosen = new Map<string, PdfObject>();
  // Pages may share their content, and a hostile one names the same piece of it a hundred thousand times.
  const uses = new Map<PdfObject, Map<string, Buffer[]>>();
  const fontsIn = (content: PdfObject) => {
    const known = uses.get(content);
    if (known) return known;
    const decoded = model.decode(content);
    const use: Map<string, Buffer[]> = decoded.supported
      ? contentUse(decoded.data, model.job.limits.nesting).fonts
      : new Map();
    uses.set(content, use);
    return use;
  };
  const whole = pages.filter((_, index) => shown[index] !== null);
  result.shown += textOf(model, whole, fontsIn);
  for (const [index, page] of pages.entries()) {
    model.job.deadline.check();
    if (shown[index] !== null) continue;
    const { resources, fonts } = fontTable(model, page);
    for (const content of new Set(contentsOf(model, page))) {
      for (const [name, samples] of fontsIn(content)) {
        const size = samples.reduce((sum, sample) => sum + sample.length, 0);
        result.shown += size;
        if (usable(model, fonts.get(name))) continue;
        const key = `${referenceOf(fonts.get(name)) ?? ''}/${name}`;
        const font = chosen.get(key) ?? spare.find(name, samples);
        chosen.set(key, font);
        if (spare.isGuess(font)) result.guessed++;
        result.replaced++;
        if (spare.isStandIn(font) && plainness(Buffer.concat(samples)) < 0.7) result.unreadable += size;
        fonts.set(name, pdfReference(font.number));
      }
    }
    resources.set('Font', { kind: 'dictionary', entries: fonts });
  }
  return result;
}

/** Pages with all their fonts that are looked through to tell how much text there is. */
const mostSamples = 40;

/** About how many bytes of text pages show, told from some of them that lie evenly among all. */
function textOf(
  model: PdfModel,
  pages: readonly PdfObject[],
  fontsIn: (content: PdfObject) => ReadonlyMap<string, readonly Buffer[]>,
): number {
  const stride = Math.max(1, Math.ceil(pages.length / mostSamples));
  const samples = pages.filter((_, index) => index % stride === 0);
  let size = 0;
  for (const page of samples) {
    model.job.deadline.check();
    for (const content of new Set(contentsOf(model, page)))
      for (const texts of fontsIn(content).values()) for (const text of texts) size += text.length;
  }
  return samples.length === 0 ? 0 : Math.round((size * pages.length) / samples.length);
}

const fontChoice = /\/([^\s/<>[\](){}%]+)\s+[+-]?[\d.]+\s+Tf\b/g;

/** How often a page chooses a font to show text in, or null when one of the fonts is gone: the quick look that most documents need. */
function shownWithFonts(model: PdfModel, page: PdfObject, chosenIn: Map<PdfObject, string[]>): number | null {
  const fonts = model.dictionary(model.dictionary(inheritedValue(model, page, 'Resources')).get('Font'));
  let count = 0;
  for (const content of new Set(contentsOf(model, page))) {
    const decoded = model.decode(content);
    const names =
      chosenIn.get(content) ??
      (decoded.supported
        ? Array.from(decoded.data.toString('latin1').matchAll(fontChoice), ([, name = '']) => name)
        : []);
    chosenIn.set(content, names);
    count += names.length;
    for (const name of new Set(names)) if (!usable(model, fonts.get(name))) return null;
  }
  return count;
}

/** A font can be used when its dictionary is there, and for composite fonts the one below it too. */
function usable(model: PdfModel, value: PdfValue | undefined): boolean {
  const font = model.dictionary(value);
  if (!nameOf(model.resolve(font.get('Subtype')))) return false;
  if (nameOf(font.get('Subtype')) !== 'Type0') return true;
  const below = model.resolve(font.get('DescendantFonts'));
  return below?.kind === 'array' && model.dictionary(below.items[0]).size > 0;
}

/** The page's own resources and table of fonts; both become direct copies, as others may share the originals. */
function fontTable(model: PdfModel, page: PdfObject): { resources: PdfDictionary; fonts: PdfDictionary } {
  const shared = model.dictionary(inheritedValue(model, page, 'Resources'));
  const resources: PdfDictionary = new Map(shared);
  const fonts: PdfDictionary = new Map(model.dictionary(shared.get('Font')));
  entriesOf(page.value).set('Resources', { kind: 'dictionary', entries: resources });
  return { resources, fonts };
}

/** The content streams of a page. */
export function contentsOf(model: PdfModel, page: PdfObject): PdfObject[] {
  const contents = entriesOf(page.value).get('Contents');
  const list = model.resolve(contents);
  const references = list?.kind === 'array' ? list.items : contents ? [contents] : [];
  return references.flatMap((reference) => {
    const object = model.objects.get(referenceOf(reference) ?? -1);
    return object?.stream ? [object] : [];
  });
}

/**
 * Glyph numbers of the usual TrueType fonts, from which most programs subset without renumbering: after three special glyphs they
 * follow ASCII from the space on.
 */
const glyphOrder: CodeMap = {
  width: 2,
  texts: new Map(Array.from({ length: 95 }, (_, index) => [index + 3, String.fromCharCode(index + 32)])),
};

/** A ToUnicode stream for a map. */
function writeCodeMap(map: CodeMap): Buffer {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const digits = map.width * 2;
  const lines = [...map.texts].map(
    ([code, text]) => `<${hex(code, digits)}> <${[...text].map((letter) => hex(letter.charCodeAt(0), 4)).join('')}>`,
  );
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at += 100) {
    const block = lines.slice(at, at + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return Buffer.from(
    `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Recovered def\n/CMapType 2 def\n1 begincodespacerange\n<${hex(0, digits)}> <${'f'.repeat(digits)}>\nendcodespacerange\n${blocks.join('\n')}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n`,
  );
}

class FontFinder {
  readonly #model: PdfModel;
  readonly #named = new Map<string, PdfObject>();
  readonly #maps: { map: CodeMap; stream: PdfObject; font: PdfObject | null }[] = [];
  readonly #taken = new Set<PdfObject>();
  readonly #guesses = new Set<PdfObject>();
  #plain: PdfObject | null = null;
  #byGlyph: PdfObject | null = null;

  constructor(model: PdfModel) {
    this.#model = model;
    for (const object of model.objects.values()) {
      this.#rememberNames(object);
      if (!object.stream) continue;
      const dictionary = entriesOf(object.value);
      if (dictionary.has('Subtype') || dictionary.has('Length1')) continue;
      const decoded = model.decode(object);
      if (!decoded.supported || !decoded.data.includes('begincmap')) continue;
      this.#maps.push({ map: readCodeMap(decoded.data.toString('latin1')), stream: object, font: this.#owner(object) });
    }
  }

  /** Names that surviving resources give to fonts: the same name means the same font in most documents. */
  #rememberNames(object: PdfObject): void {
    const dictionary = entriesOf(object.value);
    const tables = [dictionary.get('Font'), entriesOf(this.#model.resolve(dictionary.get('Resources'))).get('Font')];
    for (const table of tables) {
      for (const [name, value] of this.#model.dictionary(table)) {
        const font = this.#model.objects.get(referenceOf(value) ?? -1);
        if (font && usable(this.#model, value)) this.#named.set(name, font);
      }
    }
    // A table of fonts that stands alone: every value is a font.
    if (dictionary.size === 0 || dictionary.has('Type') || object.stream) return;
    for (const [name, value] of dictionary) {
      const font = this.#model.objects.get(referenceOf(value) ?? -1);
      if (font && this.#model.nameIn(font, 'Type') === 'Font' && !/^DescendantFonts$/.test(name))
        this.#named.set(name, font);
    }
  }

  #owner(stream: PdfObject): PdfObject | null {
    for (const object of this.#model.objects.values()) {
      if (referenceOf(entriesOf(object.value).get('ToUnicode')) === stream.number && usable(this.#model, object.value))
        return object;
    }
    return null;
  }

  /** Whether the font was chosen by its codes or is a stand-in, rather than found by its name. */
  isGuess(font: PdfObject): boolean {
    return this.#guesses.has(font);
  }

  /** Whether the font is the stand-in whose letters follow the usual one-byte encoding. */
  isStandIn(font: PdfObject): boolean {
    return font === this.#plain;
  }

  find(name: string, samples: readonly Buffer[]): PdfObject {
    const named = this.#named.get(name);
    if (named) return named;
    const bytes = Buffer.concat(samples.slice(0, 400));
    const best = this.#maps
      .filter(({ stream }) => !this.#taken.has(stream))
      .map((candidate) => ({ ...candidate, score: plausibility(candidate.map, bytes) }))
      .sort((left, right) => right.score - left.score)[0];
    const plain = plainness(bytes);
    const glyphs = plausibility(glyphOrder, bytes);
    if (glyphs > 0.9 && glyphs > plain && glyphs >= (best?.score ?? 0)) {
      this.#byGlyph ??= this.#build(glyphOrder, this.#model.add(pdfDictionary({}), writeCodeMap(glyphOrder)));
      this.#guesses.add(this.#byGlyph);
      return this.#byGlyph;
    }
    if (best && best.score > 0.85 && best.score >= plain) {
      this.#taken.add(best.stream);
      const font = best.font ?? this.#build(best.map, best.stream);
      this.#guesses.add(font);
      return font;
    }
    this.#plain ??= this.#model.add(
      pdfDictionary({
        Type: pdfName('Font'),
        Subtype: pdfName('Type1'),
        BaseFont: pdfName('Helvetica'),
        Encoding: pdfName('WinAnsiEncoding'),
      }),
    );
    this.#guesses.add(this.#plain);
    return this.#plain;
  }

  /** A font around a code map that lost its own: its glyphs are a stand-in's, its text is right. */
  #build(map: CodeMap, stream: PdfObject): PdfObject {
    const mapping = pdfReference(stream.number);
    if (map.width === 1) {
      return this.#model.add(
        pdfDictionary({
          Type: pdfName('Font'),
          Subtype: pdfName('Type1'),
          BaseFont: pdfName('Helvetica'),
          Encoding: pdfName('WinAnsiEncoding'),
          ToUnicode: mapping,
        }),
      );
    }
    const system = pdfDictionary({
      Registry: { kind: 'string', raw: Buffer.from('(Adobe)') },
      Ordering: { kind: 'string', raw: Buffer.from('(Identity)') },
      Supplement: pdfNumber(0),
    });
    const descriptor = this.#model.add(
      pdfDictionary({
        Type: pdfName('FontDescriptor'),
        FontName: pdfName('Helvetica'),
        Flags: pdfNumber(32),
        FontBBox: pdfArray([-166, -225, 1000, 931].map((edge) => pdfNumber(edge))),
        ItalicAngle: pdfNumber(0),
        Ascent: pdfNumber(718),
        Descent: pdfNumber(-207),
        CapHeight: pdfNumber(718),
        StemV: pdfNumber(88),
      }),
    );
    const below = this.#model.add(
      pdfDictionary({
        Type: pdfName('Font'),
        Subtype: pdfName('CIDFontType2'),
        BaseFont: pdfName('Helvetica'),
        CIDSystemInfo: system,
        FontDescriptor: pdfReference(descriptor.number),
        DW: pdfNumber(550),
      }),
    );
    return this.#model.add(
      pdfDictionary({
        Type: pdfName('Font'),
        Subtype: pdfName('Type0'),
        BaseFont: pdfName('Helvetica'),
        Encoding: pdfName('Identity-H'),
        DescendantFonts: pdfArray([pdfReference(below.number)]),
        ToUnicode: mapping,
      }),
    );
  }
}

/** Reads the single codes and ranges of a ToUnicode stream. */
function readCodeMap(text: string): CodeMap {
  const map: CodeMap = { width: 1, texts: new Map() };
  const decode = (hex: string) => {
    const padded = hex.length % 4 ? hex.padStart(hex.length + 4 - (hex.length % 4), '0') : hex;
    return Buffer.from(padded, 'hex').swap16().toString('utf16le');
  };
  const space = /begincodespacerange\s*<([0-9a-fA-F]+)>/.exec(text)?.[1];
  map.width = Math.max(1, Math.ceil((space?.length ?? 2) / 2));
  for (const [, body = ''] of text.matchAll(/beginbfchar([\s\S]*?)(?:endbfchar|$)/g)) {
    for (const [, code = '', value = ''] of body.matchAll(/<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>/g))
      map.texts.set(Number.parseInt(code, 16), decode(value));
  }
  for (const [, body = ''] of text.matchAll(/beginbfrange([\s\S]*?)(?:endbfrange|$)/g)) {
    for (const [, low = '', high = '', value, list] of body.matchAll(
      /<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>\s*(?:<([0-9a-fA-F]+)>|\[([^\]]*)\])/g,
    )) {
      const first = Number.parseInt(low, 16);
      const last = Math.min(Number.parseInt(high, 16), first + 65535);
      const items = list?.match(/[0-9a-fA-F]+/g);
      const base = value ? decode(value) : '';
      for (let code = first; code <= last; code++) {
        const item = items?.[code - first];
        const tail = base.charCodeAt(base.length - 1) + (code - first);
        map.texts.set(code, item ? decode(item) : base.slice(0, -1) + String.fromCharCode(tail));
      }
    }
  }
  return map;
}

/** The share of codes that a map knows, lowered when the text they give looks like no writing. */
function plausibility(map: CodeMap, bytes: Buffer): number {
  if (bytes.length === 0 || map.texts.size === 0) return 0;
  let known = 0;
  let text = '';
  const total = Math.floor(bytes.length / map.width);
  for (let at = 0; at + map.width <= bytes.length; at += map.width) {
    const value = map.texts.get(bytes.readUIntBE(at, Math.min(4, map.width)));
    if (value === undefined) continue;
    known++;
    text += value;
  }
  const letters = text.match(/[\p{L}\p{N}\s.,;:'"()-]/gu)?.length ?? 0;
  return (known / Math.max(1, total)) * (letters / Math.max(1, text.length)) * (0.6 + 0.5 * letterFit(text));
}

/** Letters of European writing per thousand, a to z, over several languages. */
const usualLetters = [
  81, 15, 31, 43, 140, 15, 18, 32, 76, 4, 6, 44, 27, 76, 68, 25, 6, 68, 68, 74, 34, 11, 13, 4, 12, 4,
];

/** How near the letters of a text come to how often letters are used: 1 near, 0 far or mixed up, 0.75 for short or other scripts. */
function letterFit(text: string): number {
  const counts = new Array<number>(26).fill(0);
  let total = 0;
  for (const letter of text.toLowerCase()) {
    const index = letter.charCodeAt(0) - 97;
    if (index < 0 || index > 25) continue;
    counts[index] = (counts[index] ?? 0) + 1;
    total++;
  }
  if (total < 40 || total < text.length * 0.3) return 0.75;
  let [dot, own, usual] = [0, 0, 0];
  for (const [index, count] of counts.entries()) {
    const wanted = usualLetters[index] ?? 0;
    dot += count * wanted;
    own += count * count;
    usual += wanted * wanted;
  }
  return Math.max(0, (dot / Math.sqrt(own * usual) - 0.5) * 2);
}

/** How near the share of vowels among letters is to that of European writing: 1 near, 0 far. */
function vowelFit(text: string): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 20) return 0;
  const vowels = text.match(/[aeiouyäöüáéíóúàèìòù]/giu)?.length ?? 0;
  return Math.max(0, 1 - Math.abs(vowels / letters - 0.4) * 4);
}

/** The share of bytes that are printable in the usual one-byte encoding. */
function plainness(bytes: Buffer): number {
  if (bytes.length === 0) return 1;
  let printable = 0;
  for (const byte of bytes) if (byte >= 32 && byte < 127) printable++;
  const text = bytes.toString('latin1').replace(/[^\x20-\x7e]/g, '');
  return (printable / bytes.length) * (1 + 0.1 * vowelFit(text));
}
