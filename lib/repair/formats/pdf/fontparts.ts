import type { Buffer } from '../../host/bytes';
import type { DecodedStream } from './filters';
import type { PdfModel } from './model';
import { PlainFonts, standardFamily } from './plainfonts';
import { descriptorOf } from './standins';
import {
  entriesOf,
  numberOf,
  type PdfDictionary,
  type PdfObject,
  type PdfValue,
  pdfArray,
  pdfNumber,
  pdfReference,
  referenceOf,
} from './values';

/** Codes of a simple font (ISO 32000-1, 9.6). */
const mostCodes = 256;
/** The width of glyphs of which nothing is known, in thousandths of the font size: about that of a small letter. */
const usualWidth = 500;

/**
 * Sets simple fonts right of which a part is lost: without widths readers set glyphs on top of each other, and take those for bold type
 * that is drawn twice (9.6.2.1); without its table of codes a font shows others. Tells how many there were.
 */
export function mendFontParts(model: PdfModel): number {
  const plain = new PlainFonts(model);
  let mended = 0;
  for (const object of [...model.objects.values()]) {
    if (model.nameIn(object, 'Type') !== 'Font') continue;
    mendDescriptor(model, object);
    if (!/^(?:Type1|MMType1|TrueType)$/.test(model.nameIn(object, 'Subtype') ?? '')) continue;
    const isEncoded = mendEncoding(model, object, plain);
    if (mendWidths(model, object) || isEncoded) mended++;
  }
  return mended;
}

/** A descriptor that is gone: readers do not take fonts of their own kind without one (9.7.4, 9.8), but another font instead. */
function mendDescriptor(model: PdfModel, font: PdfObject): void {
  const entries = entriesOf(font.value);
  if (!entries.has('FontDescriptor') || model.resolve(entries.get('FontDescriptor'))) return;
  const descriptor = descriptorOf(model, model.nameIn(font, 'BaseFont') ?? undefined);
  entries.set('FontDescriptor', pdfReference(descriptor.number));
}

/** A standard font whose table of codes is gone has that of most others of the document (see `PlainFonts`). */
function mendEncoding(model: PdfModel, font: PdfObject, plain: PlainFonts): boolean {
  const entries = entriesOf(font.value);
  const base = model.nameIn(font, 'BaseFont') ?? '';
  if (!entries.has('Encoding') || model.resolve(entries.get('Encoding')) || !standardFamily(base)) return false;
  const shared = plain.sharedEncoding();
  if (shared) entries.set('Encoding', shared);
  return shared !== null;
}

/** Widths that are gone, or a list of them in which something else stands, as it does where a piece of it is missing. */
function mendWidths(model: PdfModel, font: PdfObject): boolean {
  const entries = entriesOf(font.value);
  if (!entries.has('Widths')) return false;
  const list = model.resolve(entries.get('Widths'));
  const items = list?.kind === 'array' ? list.items.map((item) => numberOf(model.resolve(item))) : [];
  const isWhole = items.length > 0 && items.every((item) => item !== null);
  if (isWhole) return false;
  if (standardFamily(model.nameIn(font, 'BaseFont') ?? '')) {
    // Readers know the widths of the standard fonts by themselves (9.6.2.2).
    for (const key of ['FirstChar', 'LastChar', 'Widths']) entries.delete(key);
    return true;
  }
  entries.set('Widths', widthsFrom(model, entries, items));
  return true;
}

/** The widths before the first that is none, and for the rest what is missing in between. */
function widthsFrom(model: PdfModel, entries: PdfDictionary, items: readonly (number | null)[]): PdfValue {
  const [first, last] = ['FirstChar', 'LastChar'].map((key) => numberOf(model.resolve(entries.get(key))));
  const count = Math.min(mostCodes, Math.max(items.length, (last ?? mostCodes - 1) - (first ?? 0) + 1));
  const end = items.indexOf(null);
  const sound = (end < 0 ? items : items.slice(0, end)).filter((item) => item !== null && item > 0) as number[];
  const mean = sound.length > 0 ? Math.round(sound.reduce((sum, width) => sum + width, 0) / sound.length) : usualWidth;
  const known = end < 0 ? items : items.slice(0, end);
  if (first === null || first === undefined) entries.set('FirstChar', pdfNumber(0));
  if (last === null || last === undefined) entries.set('LastChar', pdfNumber((first ?? 0) + count - 1));
  return pdfArray(Array.from({ length: count }, (_, index) => pdfNumber(known[index] ?? mean)));
}

/** The numbers of the streams that hold programs of fonts (9.9). */
export function fontPrograms(model: PdfModel): Set<number> {
  const found = new Set<number>();
  for (const { value } of model.objects.values())
    for (const key of ['FontFile', 'FontFile2', 'FontFile3']) found.add(referenceOf(entriesOf(value).get(key)) ?? -1);
  return found;
}

/**
 * What is left of a damaged stream: of the program of a font what stands before the damage, unless all of it is as long as it says (table
 * 127). Its tables are found by their places: where these moved, readers take a font for sound that shows nothing, in the stead of another.
 */
export function leftOf(
  model: PdfModel,
  { number, value }: PdfObject,
  { data, firstError }: DecodedStream,
  programs: ReadonlySet<number>,
): Buffer {
  if (firstError === null || !programs.has(number)) return data;
  const lengths = ['Length1', 'Length2', 'Length3'].map(
    (key) => numberOf(model.resolve(entriesOf(value).get(key))) ?? 0,
  );
  const isAsLong = lengths.reduce((sum, length) => sum + length, 0) === data.length;
  return isAsLong ? data : data.subarray(0, firstError);
}
