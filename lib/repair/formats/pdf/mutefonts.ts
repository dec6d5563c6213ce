import type { PdfModel } from './model';
import { nameOf, type PdfDictionary, type PdfObject, type PdfValue, pdfReference, referenceOf } from './values';

/** The name of a font of which a file holds some glyphs only (ISO 32000-1, 9.9.2), numbered as it pleases the program that took them. */
const subsetName = /^[A-Z]{6}\+/;

const isThere = (model: PdfModel, value: PdfValue | undefined): boolean =>
  Boolean(model.objects.get(referenceOf(value) ?? -1)?.stream);

/** The font below a composite one, which holds its glyphs (9.7); of any other the font itself. */
export function fontBelow(model: PdfModel, font: PdfDictionary): PdfDictionary {
  if (nameOf(font.get('Subtype')) !== 'Type0') return font;
  const list = model.resolve(font.get('DescendantFonts'));
  return model.dictionary(list?.kind === 'array' ? list.items[0] : undefined);
}

/**
 * Whether nothing tells the letters of a subset any more: the table of them that it refers to is gone, or its shapes are and it never had one, and
 * no encoding names its glyphs. Their numbers are no letters, though readers take them for such.
 */
export function isMute(model: PdfModel, font: PdfDictionary): boolean {
  if (!subsetName.test(nameOf(model.resolve(font.get('BaseFont'))) ?? '')) return false;
  if (isThere(model, font.get('ToUnicode')) || nameOf(font.get('Subtype')) === 'Type3') return false;
  if (!font.has('ToUnicode') && hasShapes(model, font)) return false;
  const encoding = model.resolve(font.get('Encoding'));
  if (nameOf(font.get('Subtype')) === 'Type0') return (nameOf(encoding) ?? '').startsWith('Identity');
  return encoding?.kind !== 'name' && encoding?.kind !== 'dictionary';
}

/** Whether the shapes of a font's glyphs are there (9.9), so that pages look right whatever their letters are. */
export function hasShapes(model: PdfModel, font: PdfDictionary): boolean {
  const descriptor = model.dictionary(fontBelow(model, font).get('FontDescriptor'));
  return ['FontFile', 'FontFile2', 'FontFile3'].some((key) => isThere(model, descriptor.get(key)));
}

/** A font with its own shapes, whose letters a table tells. */
export function withTable(model: PdfModel, font: PdfDictionary, table: PdfObject): PdfObject {
  return model.add({ kind: 'dictionary', entries: new Map(font).set('ToUnicode', pdfReference(table.number)) });
}
