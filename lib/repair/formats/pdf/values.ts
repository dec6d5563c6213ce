import type { Buffer } from '../../host/bytes';
/** A PDF object (ISO 32000-1, 7.3). Numbers and strings keep the bytes they were written with, so that nothing changes on the way out. */
export type PdfValue =
  | { kind: 'null' }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'number'; value: number; raw: string }
  | { kind: 'name'; value: string }
  | { kind: 'string'; raw: Buffer }
  | { kind: 'reference'; number: number; generation: number }
  | { kind: 'array'; items: PdfValue[] }
  | { kind: 'dictionary'; entries: Map<string, PdfValue> };

export type PdfDictionary = Map<string, PdfValue>;

/** What can be wrong with an object: it breaks off, something stands in it that is no value, or a mark or the length of its data is not what it should be. */
export type PdfFlaw = 'cut' | 'syntax' | 'endobj' | 'stream' | 'endstream' | 'length';

/** An indirect object as found in the file: where it begins, and the undecoded bytes of its stream, if it is one. */
export type PdfObject = {
  number: number;
  generation: number;
  value: PdfValue;
  stream: Buffer | null;
  offset: number;
  flaws: PdfFlaw[];
};

export const pdfNull: PdfValue = { kind: 'null' };

export function pdfName(value: string): PdfValue {
  return { kind: 'name', value };
}

export function pdfNumber(value: number): PdfValue {
  return { kind: 'number', value, raw: String(value) };
}

export function pdfReference(number: number, generation = 0): PdfValue {
  return { kind: 'reference', number, generation };
}

export function pdfArray(items: PdfValue[]): PdfValue {
  return { kind: 'array', items };
}

export function pdfDictionary(entries: Record<string, PdfValue>): PdfValue {
  return { kind: 'dictionary', entries: new Map(Object.entries(entries)) };
}

/** The entries of a dictionary, or an empty map for anything else. */
export function entriesOf(value: PdfValue | undefined): PdfDictionary {
  return value?.kind === 'dictionary' ? value.entries : new Map();
}

/** The name a value is, without its slash, or null. */
export function nameOf(value: PdfValue | undefined): string | null {
  return value?.kind === 'name' ? value.value : null;
}

/** The number a value is, or null. */
export function numberOf(value: PdfValue | undefined): number | null {
  return value?.kind === 'number' ? value.value : null;
}

/** The number of the object a value refers to, or null. */
export function referenceOf(value: PdfValue | undefined): number | null {
  return value?.kind === 'reference' ? value.number : null;
}

/** The largest number of an object that readers must take (ISO 32000-1, annex C, table C.1); larger ones are what damage made. */
export const mostObjectNumber = 8_388_607;

/** The numbers of all objects that values refer to. */
export function referencedNumbers(values: Iterable<PdfValue>): Set<number> {
  const numbers = new Set<number>();
  const queue = [...values];
  while (queue.length > 0) {
    const value = queue.pop();
    if (value?.kind === 'array') for (const item of value.items) queue.push(item);
    else if (value?.kind === 'dictionary') for (const item of value.entries.values()) queue.push(item);
    else if (value?.kind === 'reference') numbers.add(value.number);
  }
  return numbers;
}
