import type { PdfModel } from './model';
import { entriesOf, type PdfObject, type PdfValue, pdfDictionary, pdfName } from './values';

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

  has(font: PdfObject): boolean {
    return [...this.#made.values()].includes(font);
  }

  /** A font in the stead of one of which at most the name is left. */
  get(name: string | null): PdfObject {
    this.#kept ??= this.#find();
    const kept = this.#kept;
    const family = commonest(kept.map((one) => one.family)) ?? 'Helvetica';
    // What is whole is not what was lost.
    const lost = members[family]?.find((member) => kept.every((one) => one.name !== member));
    const base = name !== null && standard.test(name) ? name : (lost ?? 'Helvetica');
    const known = this.#made.get(base);
    if (known) return known;
    const shared = this.#shared();
    const made = this.#model.add(
      pdfDictionary({
        Type: pdfName('Font'),
        Subtype: pdfName('Type1'),
        BaseFont: pdfName(base),
        Encoding: shared?.encoding ?? pdfName('WinAnsiEncoding'),
        ...(shared?.letters ? { ToUnicode: shared.letters } : {}),
      }),
    );
    this.#made.set(base, made);
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

/** What a list holds most often. */
function commonest(list: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0] ?? null;
}
