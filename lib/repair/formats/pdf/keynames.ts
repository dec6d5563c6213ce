import { byName } from '../../core/named';
import { entriesOf, nameOf, type PdfDictionary, type PdfObject } from './values';

const words = (text: string): readonly string[] => text.split(' ');
/** Entries of all streams (ISO 32000-1, table 5). */
const ofStreams = 'Length Filter DecodeParms FFilter FDecodeParms';
/** Entries of pictures and forms (ISO 32000-1, tables 89 and 95). */
const ofImages = `${ofStreams} Width Height ColorSpace BitsPerComponent Intent ImageMask Mask Decode Interpolate Alternates SMask SMaskInData StructParent Metadata`;
const ofForms = `${ofStreams} FormType Matrix Resources Group Metadata PieceInfo LastModified StructParent StructParents`;

/** Entries of dictionaries by what these say that they are, as far as readers go by them (ISO 32000-1, tables 30, 111, 114, 117, 121 and 122). */
const keysOf: Readonly<Record<string, readonly string[]>> = byName({
  Page: words(
    'Parent LastModified Resources MediaBox CropBox BleedBox TrimBox ArtBox Contents Rotate Group Thumb Trans Annots Metadata PieceInfo StructParents UserUnit',
  ),
  Pages: words('Parent Count Resources MediaBox CropBox Rotate'),
  Font: words(
    'Subtype BaseFont FirstChar LastChar Widths FontDescriptor Encoding ToUnicode DescendantFonts CIDSystemInfo CIDToGIDMap FontBBox FontMatrix CharProcs Resources',
  ),
  FontDescriptor: words(
    'FontName FontFamily FontStretch FontWeight Flags FontBBox ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth FontFile FontFile2 FontFile3 CharSet Style CIDSet',
  ),
  XObject: words(`Subtype ${ofImages} ${ofForms}`),
  Stream: words(ofStreams),
  Resources: words('ExtGState ColorSpace Pattern Shading XObject ProcSet Properties'),
});

/** Letters of a name from which on it is not one letter beside another one by chance. */
const leastLetters = 5;

/** A dictionary and what it is. */
type Kinded = { entries: PdfDictionary; kind: string };

/** What a dictionary is: what it says, or what its entries can only belong to. */
function kindOf(entries: PdfDictionary): string {
  const said = nameOf(entries.get('Type'));
  if (said !== null) return said;
  if (entries.has('Width') && entries.has('BitsPerComponent')) return 'XObject';
  return entries.has('ProcSet') || entries.has('ExtGState') || entries.has('XObject') ? 'Resources' : '';
}

const isBeside = (one: string, other: string): boolean =>
  one.length === other.length && [...one].filter((letter, at) => letter !== other[at]).length === 1;

/** Entries whose names are one letter beside the only one of their dictionary that is missing there, and that one. */
function misspeltKeys({ entries, kind }: Kinded): { key: string; right: string }[] {
  const known = keysOf[kind] ?? [];
  return [...entries.keys()].flatMap((key) => {
    if (key.length < leastLetters || known.includes(key)) return [];
    const [right, ...others] = known.filter((one) => isBeside(one, key));
    return right === undefined || others.length > 0 || entries.has(right) ? [] : [{ key, right }];
  });
}

/** The dictionaries of an object whose entries have names of their own: it itself, and its resources where they stand in it. */
function dictionariesOf({ value, stream }: PdfObject): Kinded[] {
  const entries = entriesOf(value);
  // Content of pages, and data of fonts, do not say what they are.
  const one = { entries, kind: kindOf(entries) || (stream ? 'Stream' : '') };
  const resources = entries.get('Resources');
  return resources?.kind === 'dictionary' ? [one, { entries: resources.entries, kind: 'Resources' }] : [one];
}

/** Whether readers pass over an entry of an object by a wrong letter in its name. */
export const hasMisspeltKey = (object: PdfObject): boolean =>
  dictionariesOf(object).some((one) => misspeltKeys(one).length > 0);

/** Sets such names right; how many there were. */
export function spellKeys(objects: Iterable<PdfObject>): number {
  let count = 0;
  for (const object of objects)
    for (const one of dictionariesOf(object))
      for (const { key, right } of misspeltKeys(one)) {
        const item = one.entries.get(key);
        one.entries.delete(key);
        if (item) one.entries.set(right, item);
        count++;
      }
  return count;
}
