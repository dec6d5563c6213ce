import type { PdfScan } from './scan';
import { entriesOf, nameOf, numberOf, type PdfDictionary, type PdfValue, pdfNumber, referenceOf } from './values';

/** Fonts with a width for each code from the first to the last (ISO 32000-1, 9.6.2 and 9.6.5). */
const simple = new Set(['Type1', 'MMType1', 'TrueType', 'Type3']);
/** The highest code of such a font. */
const highest = 255;

/** Sets the first or the last code of fonts that lost one of them, or have one that cannot be, by the other and the number of widths; how many those were. */
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

/** A code of a simple font; null for what can be none. */
function codeOf(value: PdfValue | undefined): number | null {
  const code = numberOf(value);
  return code !== null && Number.isInteger(code) && code >= 0 && code <= highest ? code : null;
}

/** Sets the one code that is missing beside the other, or that cannot be a code or the last of a row, where the other can; whether it was. */
function setCode(entries: PdfDictionary, widths: number): boolean {
  const [first, last] = [codeOf(entries.get('FirstChar')), codeOf(entries.get('LastChar'))];
  if (widths === 0 || (first === null && last === null)) return false;
  if (first !== null && last !== null && first <= last) return false;
  const firstTold = last === null ? -1 : last - widths + 1;
  const lastTold = first === null ? -1 : first + widths - 1;
  const canBeFirst = firstTold >= 0;
  const canBeLast = lastTold >= 0 && lastTold <= highest;
  if (canBeFirst === canBeLast) return false;
  entries.set(canBeFirst ? 'FirstChar' : 'LastChar', pdfNumber(canBeFirst ? firstTold : lastTold));
  return true;
}
