import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import type { Advance } from './advances';
import { solveText } from './cipher';
import { makesSense } from './cipher/sense';
import {
  type CodeMap,
  codesIn,
  glyphOrder,
  plainness,
  plausibility,
  readCodeMap,
  signsFor,
  textIn,
  widthOf,
  writeCodeMap,
} from './codemaps';
import { contentsOf, FontUses } from './fontuses';
import { orderFor } from './glyphorders';
import { membersOf } from './members';
import type { PdfModel } from './model';
import { fontBelow, hasShapes, isMute, withTable } from './mutefonts';
import { inheritedValue } from './pages';
import { PlainFonts } from './plainfonts';
import { standInFont } from './standins';
import {
  entriesOf,
  nameOf,
  type PdfDictionary,
  type PdfObject,
  type PdfValue,
  pdfDictionary,
  pdfReference,
  referenceOf,
} from './values';

/** How fonts were given back to text that lost them; `shown`, `unreadable` and `told` count bytes of text: in all, without known letters, and of letters told by the language that they make sense in. */
export type FontRepair = {
  guessed: number;
  shown: number;
  unreadable: number;
  told: number;
  languages: Set<string>;
};

/** Gives every font name that page content uses, and that leads nowhere, a font: a surviving one that fits its codes, or Helvetica. */
export function repairFonts(model: PdfModel, pages: readonly PdfObject[]): FontRepair {
  const result: FontRepair = { guessed: 0, shown: 0, unreadable: 0, told: 0, languages: new Set() };
  const chosenIn = new Map<PdfObject, string[]>();
  const shown = pages.map((page) => shownWithFonts(model, page, chosenIn));
  if (shown.every((size) => size !== null)) {
    result.shown = shown.reduce((sum, size) => sum + size, 0);
    return result;
  }
  const uses = new FontUses(model);
  const spare = new FontFinder(model, uses);
  const bare = pages.filter((_, index) => shown[index] === null);
  const whole = pages.filter((_, index) => shown[index] !== null);
  const texts = textsWithoutFonts(model, bare, uses);
  result.shown += textOf(model, whole, (content) => uses.of(content));
  const chosen = new Map<string, PdfObject>();
  for (const page of bare) {
    model.job.deadline.check();
    const { resources, fonts } = fontTable(model, page);
    for (const { name, samples } of uses.on(page)) {
      const size = samples.reduce((sum, sample) => sum + sample.length, 0);
      result.shown += size;
      if (usable(model, fonts.get(name))) continue;
      const key = keyOf(fonts, name);
      const font =
        chosen.get(key) ??
        spare.find(name, {
          samples,
          all: texts.get(key) ?? samples,
          advances: uses.advances.get(name) ?? [],
          left: model.dictionary(fonts.get(name)),
        });
      chosen.set(key, font);
      noteFont(result, spare, font, size);
      fonts.set(name, pdfReference(font.number));
    }
    resources.set('Font', { kind: 'dictionary', entries: fonts });
  }
  return result;
}

/** Counts what became of the text of one font on one page. */
function noteFont(result: FontRepair, spare: FontFinder, font: PdfObject, size: number): void {
  if (spare.isGuess(font)) result.guessed++;
  const language = spare.languageOf(font);
  if (language) {
    result.told += size;
    result.languages.add(language);
  }
  if (spare.isUnknown(font)) result.unreadable += size;
}

/** A font of the document, by the object that a name leads to and the name itself. */
const keyOf = (fonts: PdfDictionary, name: string) => `${referenceOf(fonts.get(name)) ?? ''}/${name}`;

/** The text of fonts that are gone, from all pages, by the key of the font. */
function textsWithoutFonts(model: PdfModel, pages: readonly PdfObject[], uses: FontUses): Map<string, Buffer[]> {
  const texts = new Map<string, Buffer[]>();
  for (const page of pages) {
    model.job.deadline.check();
    const fonts = model.dictionary(model.dictionary(inheritedValue(model, page, 'Resources')).get('Font'));
    for (const { name, samples } of uses.on(page)) {
      if (usable(model, fonts.get(name))) continue;
      const known = texts.get(keyOf(fonts, name)) ?? [];
      if (known.length < mostRuns) texts.set(keyOf(fonts, name), known.concat(samples));
    }
  }
  return texts;
}

/** The part of a text that reads as plain letters, from which on it is taken to be in the usual encoding; chosen on the bench. */
const plainEnough = 0.7;

/** Pieces of text that are kept of a font that is gone. */
const mostRuns = 3000;
/** Effort for telling letters by the language, in units, for all fonts. */
const tellingEffort = 3000;

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

/** The kinds of fonts that text can be set in (table 108): of one that breaks off within its kind, readers make nothing or anything. */
const fontTypes: ReadonlySet<string | null> = new Set(['Type0', 'Type1', 'MMType1', 'Type3', 'TrueType']);

/** A font can be used when its dictionary is there, and for composite fonts the one below it too, and something tells its letters. */
function usable(model: PdfModel, value: PdfValue | undefined): boolean {
  const font = model.dictionary(value);
  if (!fontTypes.has(nameOf(model.resolve(font.get('Subtype'))))) return false;
  return fontBelow(model, font).size > 0 && !isMute(model, font);
}

/** The page's own resources and table of fonts; both become direct copies, as others may share the originals. */
function fontTable(model: PdfModel, page: PdfObject): { resources: PdfDictionary; fonts: PdfDictionary } {
  const shared = model.dictionary(inheritedValue(model, page, 'Resources'));
  const resources: PdfDictionary = new Map(shared);
  const fonts: PdfDictionary = new Map(model.dictionary(shared.get('Font')));
  entriesOf(page.value).set('Resources', { kind: 'dictionary', entries: resources });
  return { resources, fonts };
}

/** How plausible text in the usual order of glyphs must be, alone and where another font keeps to it; chosen on the bench. */
const glyphsEnough = { alone: 0.9, kept: 0.4 };

/** Text whose font is gone, of the page at hand and of the document, how far strings of it reach, and what is left of the font's dictionary. */
type LostText = {
  samples: readonly Buffer[];
  all: readonly Buffer[];
  advances: readonly Advance[];
  left: PdfDictionary;
};

class FontFinder {
  readonly #model: PdfModel;
  readonly #named = new Map<string, PdfObject>();
  readonly #maps: { map: CodeMap; stream: PdfObject; font: PdfObject | null }[] = [];
  readonly #taken = new Set<PdfObject>();
  readonly #guesses = new Set<PdfObject>();
  readonly #languages = new Map<PdfObject, string>();
  readonly #telling: Effort;
  readonly #plain: PlainFonts;
  readonly #unknown = new Set<PdfObject>();
  readonly #uses: FontUses;
  #members: ReadonlyMap<string, string> | null = null;
  readonly #byGlyph = new Map<string, PdfObject>();

  constructor(model: PdfModel, uses: FontUses) {
    this.#model = model;
    this.#uses = uses;
    this.#plain = new PlainFonts(model);
    this.#telling = model.job.deadline.effort.share(tellingEffort);
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
      if (!font || !usable(this.#model, value)) continue;
      if (this.#model.nameIn(font, 'Type') === 'Font' && !/^DescendantFonts$/.test(name)) this.#named.set(name, font);
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

  /** Whether nobody can tell the letters of the font. */
  isUnknown(font: PdfObject): boolean {
    return this.#unknown.has(font);
  }

  /** The language by which the letters of a font were told; null where they were not. */
  languageOf(font: PdfObject): string | null {
    return this.#languages.get(font) ?? null;
  }

  /** A font for text in one that is gone. */
  find(name: string, text: LostText): PdfObject {
    const named = this.#named.get(name);
    // What its own letters say counts for more than the same name.
    if (named && !text.left.has('ToUnicode') && this.#fits(named, text.all)) return named;
    if (hasShapes(this.#model, text.left)) return this.#given(text.left, text.all);
    const font = this.#withLetters(text.left, text.advances) ?? this.#guess(name, text);
    this.#guesses.add(font);
    return font;
  }

  /** A font that lost its table of letters alone, with one by the usual order of glyphs or the language of its text. */
  #given(left: PdfDictionary, all: readonly Buffer[]): PdfObject {
    const isOrdered = widthOf(all) === 2 && makesSense(textIn(glyphOrder, all), true) === true;
    const solved = isOrdered ? null : this.#solved(all);
    const map = isOrdered ? orderFor(all) : (solved?.map ?? signsFor(all));
    const font = withTable(this.#model, left, this.#table(map));
    if (solved) this.#languages.set(font, solved.language);
    else if (!isOrdered) this.#unknown.add(font);
    return font;
  }

  /** Whether text makes sense in a font of the document that has the same name on another page, as far as one can tell. */
  #fits(font: PdfObject, all: readonly Buffer[]): boolean {
    const map = this.#maps.find(({ font: owner }) => owner === font)?.map;
    return !map || makesSense(textIn(map, all), true) !== false;
  }

  /** A font around the letters of its own (9.10.3), where nothing else is left of it; null where they are gone, too. */
  #withLetters(left: PdfDictionary, advances: readonly Advance[]): PdfObject | null {
    const own = this.#maps.find(({ stream }) => stream.number === referenceOf(left.get('ToUnicode')));
    return own ? standInFont(this.#model, own.map, own.stream, advances) : null;
  }

  #guess(name: string, { samples, all, advances, left }: LostText): PdfObject {
    const bytes = Buffer.concat(samples.slice(0, 400));
    const best = this.#likeliestMap(bytes, all);
    const plain = plainness(bytes);
    const glyphs = plausibility(glyphOrder, bytes);
    // Codes of two bytes are no letters of one, and where one font of a document keeps to the usual order, so do others.
    const isKept = this.#byGlyph.size > 0 && widthOf(samples) === 2;
    const isOrdered = glyphs > (isKept ? glyphsEnough.kept : glyphsEnough.alone) && (isKept || glyphs > plain);
    if (isOrdered && glyphs >= (best?.score ?? 0) && makesSense(textIn(glyphOrder, all)) !== false)
      return this.#ordered(name, all, advances);
    if (best && best.score > 0.85 && best.score >= plain) {
      this.#taken.add(best.stream);
      return best.font ?? standInFont(this.#model, best.map, best.stream, advances);
    }
    const isPlain = plain >= plainEnough && makesSense(all.map((run) => run.toString('latin1')).join(' ')) !== false;
    return isPlain
      ? this.#plain.get(nameOf(this.#model.resolve(left.get('BaseFont'))), all, this.#memberOf(name))
      : (this.#tell(all, advances) ?? this.#untold(all, advances));
  }

  /** The map that is left over and fits the codes best. What it makes of them must be writing, as maps of subsets know the same codes. */
  #likeliestMap(bytes: Buffer, all: readonly Buffer[]) {
    return this.#maps
      .filter(({ stream }) => !this.#taken.has(stream))
      .map((candidate) => ({ ...candidate, score: plausibility(candidate.map, bytes) }))
      .filter(({ map, score }) => score > 0 && makesSense(textIn(map, all), true) !== false)
      .sort((left, right) => right.score - left.score)[0];
  }

  /** The standard font that is as wide as text under a name reaches; all pages were looked through by then. */
  #memberOf(name: string): string | null {
    this.#members ??= membersOf(this.#uses.advances);
    return this.#members.get(name) ?? null;
  }

  /** A font whose glyphs are in the usual order. */
  #ordered(name: string, all: readonly Buffer[], advances: readonly Advance[]): PdfObject {
    const known = this.#byGlyph.get(name);
    if (known) return known;
    const font = this.#standIn(orderFor(all), advances);
    this.#byGlyph.set(name, font);
    return font;
  }

  /** A font for text of which nobody can tell what it says: each code is the sign for a letter that is not known. */
  #untold(all: readonly Buffer[], advances: readonly Advance[]): PdfObject {
    const font = this.#standIn(signsFor(all), advances);
    this.#unknown.add(font);
    return font;
  }

  /** A font whose letters are told by the language of its text; null where it makes sense in none. */
  #tell(all: readonly Buffer[], advances: readonly Advance[]): PdfObject | null {
    const solved = this.#solved(all);
    if (!solved) return null;
    const font = this.#standIn(solved.map, advances);
    this.#languages.set(font, solved.language);
    return font;
  }

  #standIn(map: CodeMap, advances: readonly Advance[]): PdfObject {
    return standInFont(this.#model, map, this.#table(map), advances);
  }

  #table(map: CodeMap): PdfObject {
    return this.#model.add(pdfDictionary({}), writeCodeMap(map));
  }

  #solved(all: readonly Buffer[]): { map: CodeMap; language: string } | null {
    const width = widthOf(all);
    const codes = all.map((run) => codesIn(run, width));
    const solved = solveText(codes, this.#telling);
    return solved && { map: { width, texts: solved.texts }, language: solved.language };
  }
}
