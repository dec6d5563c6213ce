import type { Buffer } from '../../host/bytes';
import { type Advance, readAdvances } from './advances';
import type { PdfModel } from './model';
import { contentUse } from './pagecontent';
import { entriesOf, type PdfObject, referenceOf } from './values';

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

/** Which fonts content uses, with samples of text. Pages may share their content, and a hostile one names the same piece of it a hundred thousand times. */
export class FontUses {
  /** How far strings in each font reach, by the name that pages give it. */
  readonly advances = new Map<string, Advance[]>();
  readonly #model: PdfModel;
  readonly #known = new Map<PdfObject, Map<string, Buffer[]>>();

  constructor(model: PdfModel) {
    this.#model = model;
  }

  of(content: PdfObject): Map<string, Buffer[]> {
    const known = this.#known.get(content);
    if (known) return known;
    const decoded = this.#model.decode(content);
    const use: Map<string, Buffer[]> = decoded.supported
      ? contentUse(decoded.data, this.#model.job.limits.nesting).fonts
      : new Map();
    if (decoded.supported) readAdvances(decoded.data.toString('latin1'), this.advances);
    this.#known.set(content, use);
    return use;
  }

  *on(page: PdfObject): Generator<{ name: string; samples: Buffer[] }> {
    for (const content of new Set(contentsOf(this.#model, page)))
      for (const [name, samples] of this.of(content)) yield { name, samples };
  }
}
