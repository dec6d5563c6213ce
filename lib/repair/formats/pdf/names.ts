import type { EngineJob } from '../../report';
import { likelyFilter } from './filters';
import { type PdfScan, unpackObjects } from './scan';
import { entriesOf, nameOf, type PdfDictionary, type PdfValue, pdfName } from './values';

/** Names that lead a reader through a document (ISO 32000-1, 7.3.8, 7.5, 7.7, 9), long enough not to be mistaken for others. */
const standing = new Set(
  'Type Subtype Parent Kids Count Contents Resources MediaBox CropBox Font BaseFont Encoding DescendantFonts ToUnicode FontDescriptor FontName FontBBox FontFile FontFile2 FontFile3 FirstChar LastChar Widths CIDSystemInfo Registry Ordering Supplement CIDToGIDMap Length Length1 Filter DecodeParms Predictor Columns Colors Root Info Size Pages Prev Index First XObject ProcSet ExtGState ColorSpace Pattern Shading BBox Matrix Width Height BitsPerComponent Rotate Differences BaseEncoding Page Catalog Type0 Type1 TrueType CIDFontType0 CIDFontType2 Identity-H WinAnsiEncoding MacRomanEncoding StandardEncoding FlateDecode DCTDecode ASCII85Decode ASCIIHexDecode LZWDecode ObjStm XRef Form Image Metadata'.split(
    ' ',
  ),
);

/** Gives names that differ from a standing one by a single bit their right form, throughout the objects; how many those were. */
export function correctNames(scan: PdfScan, job: EngineJob): number {
  let corrected = 0;
  const right = (name: string): string | null => {
    if (name.length < 4 || standing.has(name)) return null;
    const filter = likelyFilter(name);
    if (filter) return filter;
    for (const one of standing) if (one.length === name.length && differsByOneBit(one, name)) return one;
    return null;
  };
  const visit = (value: PdfValue, depth: number): void => {
    if (depth > job.limits.nesting) return;
    if (value.kind === 'array') {
      for (const item of value.items) visit(item, depth + 1);
      corrected += correctFilters(value);
    }
    if (value.kind !== 'dictionary') return;
    for (const [key, item] of [...value.entries]) {
      visit(item, depth + 1);
      const name = nameOf(item);
      const rightName = name === null ? null : right(name);
      if (rightName) {
        value.entries.set(key, pdfName(rightName));
        corrected++;
      }
      const rightKey = right(key);
      if (rightKey && !value.entries.has(rightKey)) {
        rename(value.entries, key, rightKey);
        corrected++;
      }
    }
  };
  for (const object of [...scan.objects.values()]) {
    const type = nameOf(entriesOf(object.value).get('Type'));
    visit(object.value, 0);
    const isBundle = nameOf(entriesOf(object.value).get('Type')) === 'ObjStm' && object.stream !== null;
    if (isBundle && type !== 'ObjStm') unpackObjects(object, scan, job.limits, job.deadline, job.limits.inflatedBytes);
  }
  return corrected;
}

/** Sets the names of filters in a list right; how many those were. */
function correctFilters(list: Extract<PdfValue, { kind: 'array' }>): number {
  let corrected = 0;
  for (const [index, item] of list.items.entries()) {
    const filter = likelyFilter(nameOf(item) ?? '');
    if (!filter) continue;
    list.items[index] = pdfName(filter);
    corrected++;
  }
  return corrected;
}

function rename(entries: PdfDictionary, from: string, to: string): void {
  const value = entries.get(from);
  entries.delete(from);
  if (value) entries.set(to, value);
}

function differsByOneBit(left: string, right: string): boolean {
  let differing = 0;
  for (let at = 0; at < left.length; at++) {
    const bits = left.charCodeAt(at) ^ right.charCodeAt(at);
    if (bits === 0) continue;
    // A power of two is a single bit.
    if (++differing > 1 || (bits & (bits - 1)) !== 0) return false;
  }
  return differing === 1;
}
