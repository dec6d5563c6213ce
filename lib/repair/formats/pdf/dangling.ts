import type { Damage } from '../../report/facts/document';
import type { PdfModel } from './model';
import { entriesOf, nameOf, type PdfObject, referencedNumbers } from './values';

/** Kinds of damage after which nothing tells whether an object that is missing was ever there. */
const structural: ReadonlySet<Damage['kind']> = new Set([
  'end',
  'table.missing',
  'table.place',
  'cut',
  'object.end',
  'object.heads',
  'trailer',
] as const);

/**
 * How many objects were lost. A reference that leads nowhere is no damage by itself (7.3.10); where the table of objects is damaged too, what it
 * led to most likely is.
 */
export function lostObjects(model: PdfModel, damages: readonly Damage[]): number {
  return damages.some(({ kind }) => structural.has(kind)) ? danglingReferences(model) : 0;
}

/** How many objects are referred to by those that are written, and are not there. */
function danglingReferences(model: PdfModel): number {
  const values = [...model.objects.values()].filter(isWritten).map(({ value }) => value);
  return [...referencedNumbers(values)].filter((number) => !model.objects.has(number)).length;
}

/** Object and cross-reference streams are not written: their objects are, each on its own. */
export function isWritten(object: PdfObject): boolean {
  const type = nameOf(entriesOf(object.value).get('Type'));
  return type !== 'XRef' && type !== 'ObjStm' && object.number > 0;
}
