import type { Buffer } from '../../host/bytes';
import type { PdfModel } from './model';
import { entriesOf, type PdfObject, type PdfValue, pdfArray, pdfDictionary, pdfName, pdfNumber } from './values';

/** The standard fonts of text, whose measures every reader knows (ISO 32000-1, 9.6.2.2), by their family. */
const standard = /^(Times|Helvetica|Courier)(?:-(?:Roman|Bold|Italic|Oblique|BoldItalic|BoldOblique))?$/;

/** The family of a standard font of text; null for all others. */
export const standardFamily = (name: string): string | null => standard.exec(name)?.[1] ?? null;

/** The fonts of each family, those that documents use the most first. */
const members: Readonly<Record<string, readonly string[]>> = {
  Times: ['Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic'],
  Helvetica: ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique'],
  Courier: ['Courier', 'Courier-Bold', 'Courier-Oblique', 'Courier-BoldOblique'],
};

/** A font of a document that is whole, and one of the standard ones: its family, and which glyph and letter each of its codes is. */
type Kept = {
  name: string;
  family: string;
  encoding: PdfValue | undefined;
  letters: PdfValue | undefined;
  key: string;
};

/**
 * Standard fonts for text in the usual encoding whose own font is gone. A document that uses others of them shows the family, and
 * which of it is missing; where most of them give their codes the same glyphs, so did the lost one.
 */
export class PlainFonts {
  readonly #model: PdfModel;
  readonly #made = new Map<string, PdfObject>();
  #kept: readonly Kept[] | null = null;

  constructor(model: PdfModel) {
    this.#model = model;
  }

  /** A font in the stead of one of which at most the name is left, and what its text tells: its bytes, and the standard font that is as wide. */
  get(name: string | null, runs: readonly Buffer[], member: string | null): PdfObject {
    this.#kept ??= this.#find();
    const kept = this.#kept;
    const family = commonest(kept.map((one) => one.family)) ?? 'Helvetica';
    // What is whole is not what was lost.
    const lost = members[family]?.find((member) => kept.every((one) => one.name !== member));
    const isNamed = name !== null && standard.test(name);
    const base = isNamed ? name : (member ?? lost ?? 'Helvetica');
    const shared = this.#shared();
    const isGroff = !shared && hasLigatures(runs);
    const key = `${base} ${isGroff}`;
    const known = this.#made.get(key);
    if (known) return known;
    const made = this.#model.add(
      pdfDictionary({
        Type: pdfName('Font'),
        Subtype: pdfName('Type1'),
        BaseFont: pdfName(base),
        Encoding: shared?.encoding ?? (isGroff ? groffEncoding() : pdfName('WinAnsiEncoding')),
        ...(shared?.letters ? { ToUnicode: shared.letters } : {}),
      }),
    );
    this.#made.set(key, made);
    return made;
  }

  /** The table of codes that most standard fonts of the document share, which is then that of one that lost its own; null where there is none. */
  sharedEncoding(): PdfValue | null {
    return this.#shared()?.encoding ?? null;
  }

  #shared(): Kept | null {
    this.#kept ??= this.#find();
    const kept = this.#kept;
    const shared = commonest(kept.map(({ key }) => key));
    const first = kept.find(({ key, encoding }) => key === shared && encoding && this.#model.resolve(encoding));
    return first && kept.filter(({ key }) => key === shared).length * 2 > kept.length ? first : null;
  }

  #find(): Kept[] {
    return [...this.#model.objects.values()].flatMap((object) => {
      if (this.#model.nameIn(object, 'Type') !== 'Font' || this.#model.nameIn(object, 'Subtype') !== 'Type1') return [];
      const [name = '', family] = standard.exec(this.#model.nameIn(object, 'BaseFont') ?? '') ?? [];
      if (!family) return [];
      const entries = entriesOf(object.value);
      const [encoding, letters] = [entries.get('Encoding'), entries.get('ToUnicode')];
      // A table that is gone says nothing of those of others.
      if (encoding && !this.#model.resolve(encoding)) return [];
      return [{ name, family, encoding, letters, key: this.#keyOf(encoding) }];
    });
  }

  /** What an encoding gives its codes, as text. */
  #keyOf(encoding: PdfValue | undefined): string {
    const resolved = this.#model.resolve(encoding);
    if (resolved?.kind !== 'dictionary') return JSON.stringify(resolved ?? null);
    const differences = this.#model.resolve(resolved.entries.get('Differences'));
    return JSON.stringify([resolved.entries.get('BaseEncoding'), differences]);
  }
}

/** Ligatures that tell a table of codes, and the part of them that must stand beside small letters. */
const enoughLigatures = { count: 3, share: 0.8 };

/** Whether codes that are a capital or nothing in the usual encoding (annex D.2) stand inside words, as `fi` and `fl` do in groff's. */
function hasLigatures(runs: readonly Buffer[]): boolean {
  let [count, beside] = [0, 0];
  for (const run of runs) {
    for (const [at, byte] of run.entries()) {
      if (byte !== groffLigatures.fi && byte !== groffLigatures.fl) continue;
      count++;
      const isSmall = (one: number | undefined) => one !== undefined && one >= 0x61 && one <= 0x7a;
      if (isSmall(run[at - 1]) || isSmall(run[at + 1])) beside++;
    }
  }
  return count >= enoughLigatures.count && beside >= count * enoughLigatures.share;
}

const groffLigatures = { fi: 140, fl: 141 };

/** Where the table of codes that groff writes fonts of text with (its `text.enc`) is another than the usual one. */
const groffEncoding = (): PdfValue =>
  pdfDictionary({
    Type: pdfName('Encoding'),
    BaseEncoding: pdfName('WinAnsiEncoding'),
    Differences: pdfArray(
      groffCodes.flatMap(([first, names]) => [pdfNumber(first), ...names.split(' ').map((name) => pdfName(name))]),
    ),
  });
const groffCodes: readonly (readonly [number, string])[] = [
  [39, 'quoteright'],
  [94, 'circumflex'],
  [96, 'quoteleft'],
  [126, 'tilde'],
  [127, '.notdef quotesinglbase guillemotleft guillemotright bullet florin fraction perthousand dagger daggerdbl'],
  [137, 'endash emdash .notdef fi fl .notdef .notdef dotlessi .notdef grave hungarumlaut dotaccent breve caron ring'],
  [152, 'ogonek quotedblleft quotedblright oe lslash quotedblbase OE Lslash'],
];

/** What a list holds most often. */
function commonest(list: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0] ?? null;
}
