import type { Damage } from '../../report/facts/document';
import type { PdfModel } from './model';
import { entriesOf, nameOf, type PdfObject, type PdfValue } from './values';

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
  const gone = new Set<number>();
  const queue: PdfValue[] = [...model.objects.values()].filter(isWritten).map(({ value }) => value);
  while (queue.length > 0) {
    const value = queue.pop();
    if (value?.kind === 'array') for (const item of value.items) queue.push(item);
    else if (value?.kind === 'dictionary') for (const item of value.entries.values()) queue.push(item);
    else if (value?.kind === 'reference' && !model.objects.has(value.number)) gone.add(value.number);
  }
  return gone.size;
}

/** Object and cross-reference streams are not written: their objects are, each on its own. */
export function isWritten(object: PdfObject): boolean {
  const type = nameOf(entriesOf(object.value).get('Type'));
  return type !== 'XRef' && type !== 'ObjStm' && object.number > 0;
}
