import { hasMisspeltKey } from './keynames';
import type { PdfModel } from './model';
import { entriesOf, nameOf, type PdfDictionary, type PdfObject, pdfName } from './values';

/** Names of which an entry must have one, where no program may have its own (ISO 32000-1, 8.8, 8.6.3 and 9.6.6; table 118), by the key and by what the dictionary says that it is. */
const closed: readonly { key: string; of: RegExp; names: readonly string[] }[] = [
  { key: 'Subtype', of: /^XObject$/, names: ['Image', 'Form'] },
  {
    key: 'Encoding',
    of: /^Font$/,
    names: ['WinAnsiEncoding', 'MacRomanEncoding', 'MacExpertEncoding', 'StandardEncoding', 'Identity-H', 'Identity-V'],
  },
  { key: 'ColorSpace', of: /^XObject$/, names: ['DeviceRGB', 'DeviceGray', 'DeviceCMYK'] },
];

/** The only one of some names of which another one differs in one letter; null where there is none, or it is one of them. */
function nearest(name: string, names: readonly string[]): string | null {
  if (names.includes(name)) return null;
  const isNear = (one: string) =>
    one.length === name.length && [...one].filter((letter, at) => letter !== name[at]).length === 1;
  const [first, ...others] = names.filter(isNear);
  return first !== undefined && others.length === 0 ? first : null;
}

/** The entries of a dictionary that have a name one letter beside the only one that they can have, with that. */
function misspelt(entries: PdfDictionary): { key: string; name: string }[] {
  const isPicture = entries.has('Width') && entries.has('Height');
  const type = nameOf(entries.get('Type')) ?? (isPicture ? 'XObject' : '');
  return closed.flatMap(({ key, of, names }) => {
    const given = of.test(type) ? nameOf(entries.get(key)) : null;
    const name = given === null ? null : nearest(given, names);
    return name === null ? [] : [{ key, name }];
  });
}

/** Objects of which readers do not know what they are, by a wrong letter. */
export function misspeltObjects(model: PdfModel): PdfObject[] {
  return [...model.objects.values()].filter(
    (object) => misspelt(entriesOf(object.value)).length > 0 || hasMisspeltKey(object),
  );
}

/** Sets such names right; how many there were. */
export function spellNames(objects: Iterable<PdfObject>): number {
  let count = 0;
  for (const { value } of objects) {
    const entries = entriesOf(value);
    for (const { key, name } of misspelt(entries)) {
      entries.set(key, pdfName(name));
      count++;
    }
  }
  return count;
}
