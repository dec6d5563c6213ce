import type { PdfScan } from './scan';
import { entriesOf, nameOf, numberOf, type PdfDictionary, type PdfValue, pdfNumber, referenceOf } from './values';

/** Fonts with a width for each code from the first to the last (ISO 32000-1, 9.6.2 and 9.6.5). */
const simple = new Set(['Type1', 'MMType1', 'TrueType', 'Type3']);
/** The highest code of such a font. */
const highest = 255;

/** Sets the first or the last code of fonts that lost one of them, by the other and the number of widths; how many those were. */
export function mendFontCodes(scan: PdfScan): number {
  let mended = 0;
  for (const { value } of scan.objects.values()) {
    const entries = entriesOf(value);
    const isSimple = nameOf(entries.get('Type')) === 'Font' && simple.has(nameOf(entries.get('Subtype')) ?? '');
    if (isSimple && setCode(entries, widthsOf(entries.get('Widths'), scan))) mended++;
  }
  return mended;
}

/** How many widths a font has, directly or in an object of their own; 0 where there are none. */
function widthsOf(value: PdfValue | undefined, scan: PdfScan): number {
  const number = referenceOf(value);
  const list = number === null ? value : scan.objects.get(number)?.value;
  return list?.kind === 'array' ? list.items.length : 0;
}

/** Sets the one code that is missing beside the other, where it can be one; whether it was. */
function setCode(entries: PdfDictionary, widths: number): boolean {
  const first = numberOf(entries.get('FirstChar'));
  const last = numberOf(entries.get('LastChar'));
  if (widths === 0 || (first === null) === (last === null)) return false;
  const code = first === null ? (last ?? 0) - widths + 1 : first + widths - 1;
  if (!Number.isInteger(code) || code < 0 || code > highest) return false;
  entries.set(first === null ? 'FirstChar' : 'LastChar', pdfNumber(code));
  return true;
}
