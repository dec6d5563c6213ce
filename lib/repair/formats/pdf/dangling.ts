import type { Damage } from '../../report/facts/document';
import type { PdfModel } from './model';
import { entriesOf, nameOf, type PdfObject, type PdfValue, pdfNull, referencedNumbers, referenceOf } from './values';

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

/** Lists that readers go through item by item, of which one may be missing; in others the place of an item says what it is. */
const loose: ReadonlySet<string> = new Set(['Annots', 'Contents', 'Fields', 'Kids']);

/**
 * Takes out what refers to objects that are not there: such a reference is null, and an entry that is null is none (7.3.10, 7.3.7), but
 * strict readers complain of each. New objects have their numbers by then.
 */
export function dropDangling(model: PdfModel): void {
  const isGone = (value: PdfValue) => value.kind === 'reference' && !leads(model, value);
  const queue: PdfValue[] = [...model.objects.values()].filter(isWritten).map(({ value }) => value);
  for (let value = queue.pop(); value; value = queue.pop()) {
    if (value.kind === 'array') {
      value.items = value.items.map((item) => (isGone(item) ? pdfNull : item));
      for (const item of value.items) queue.push(item);
    }
    if (value.kind !== 'dictionary') continue;
    for (const [key, item] of value.entries) {
      if (isGone(item)) value.entries.delete(key);
      else if (item.kind === 'array' && loose.has(key)) item.items = item.items.filter((one) => !isGone(one));
    }
    for (const item of value.entries.values()) queue.push(item);
  }
}

function leads(model: PdfModel, value: PdfValue): boolean {
  const object = model.objects.get(referenceOf(value) ?? -1);
  return object !== undefined && isWritten(object);
}
