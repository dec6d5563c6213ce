import { Buffer } from '../../host/bytes';
import type { PdfObject, PdfValue } from './values';

/** Writes a value in PDF syntax (ISO 32000-1, 7.3). */
function writeValue(value: PdfValue, keepsGenerations: boolean): Buffer {
  const pieces: Buffer[] = [];
  append(value, pieces, keepsGenerations);
  return Buffer.concat(pieces);
}

function append(value: PdfValue, pieces: Buffer[], keepsGenerations: boolean): void {
  switch (value.kind) {
    case 'null':
      pieces.push(Buffer.from('null'));
      break;
    case 'boolean':
      pieces.push(Buffer.from(String(value.value)));
      break;
    case 'number':
      pieces.push(Buffer.from(value.raw === '' || value.raw === '-' ? '0' : value.raw));
      break;
    case 'name':
      pieces.push(Buffer.from(`/${value.value}`, 'latin1'));
      break;
    case 'string':
      pieces.push(value.raw);
      break;
    case 'reference':
      pieces.push(Buffer.from(`${value.number} ${keepsGenerations ? value.generation : 0} R`));
      break;
    case 'array':
      pieces.push(Buffer.from('['));
      for (const [index, item] of value.items.entries()) {
        if (index > 0) pieces.push(Buffer.from(' '));
        append(item, pieces, keepsGenerations);
      }
      pieces.push(Buffer.from(']'));
      break;
    case 'dictionary':
      pieces.push(Buffer.from('<<'));
      for (const [key, item] of value.entries) {
        pieces.push(Buffer.from(`/${key} `, 'latin1'));
        append(item, pieces, keepsGenerations);
        pieces.push(Buffer.from('\n'));
      }
      pieces.push(Buffer.from('>>'));
      break;
  }
}

/** Whether generations stay as they are: keys of encrypted data are made of them (7.6.2). */
export const needsGenerations = (trailer: ReadonlyMap<string, PdfValue>): boolean => trailer.has('Encrypt');

/**
 * Writes a whole file with a classic cross-reference table (7.5.4). Stream lengths are set from the streams themselves. Every object begins
 * with generation 0 again, so that no
 * reference to another one leads nowhere.
 */
export function writeDocument(version: string, objects: readonly PdfObject[], trailer: Map<string, PdfValue>): Buffer {
  const pieces: Buffer[] = [Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, 'latin1')];
  let offset = pieces[0]?.length ?? 0;
  const offsets = new Map<number, { offset: number; generation: number }>();
  const push = (piece: Buffer) => {
    pieces.push(piece);
    offset += piece.length;
  };
  const keepsGenerations = needsGenerations(trailer);
  let largest = 0;
  for (const object of objects) {
    largest = Math.max(largest, object.number);
    const generation = keepsGenerations ? object.generation : 0;
    offsets.set(object.number, { offset, generation });
    push(Buffer.from(`${object.number} ${generation} obj\n`));
    if (object.stream === null) push(writeValue(object.value, keepsGenerations));
    else {
      if (object.value.kind === 'dictionary') {
        object.value.entries.set('Length', {
          kind: 'number',
          value: object.stream.length,
          raw: String(object.stream.length),
        });
      }
      push(writeValue(object.value, keepsGenerations));
      push(Buffer.from('\nstream\n'));
      push(object.stream);
      push(Buffer.from('\nendstream'));
    }
    push(Buffer.from('\nendobj\n'));
  }
  const at = offset;
  trailer.set('Size', { kind: 'number', value: largest + 1, raw: String(largest + 1) });
  push(Buffer.from(`${tableOf(offsets, largest)}trailer\n`));
  push(writeValue({ kind: 'dictionary', entries: trailer }, keepsGenerations));
  push(Buffer.from(`\nstartxref\n${at}\n%%EOF\n`));
  return Buffer.concat(pieces);
}

/** Free entries that a table has at most beside one for each object: numbers may be as far apart as damage makes them. */
const mostFree = { each: 4, least: 1000 };

/** Numbers up to the largest one that have no object, as a table in one piece lists them. */
function freeNumbers(offsets: ReadonlyMap<number, unknown>, largest: number): number[] {
  if (largest > offsets.size * mostFree.each + mostFree.least) return [0];
  return Array.from({ length: largest + 1 }, (_, number) => number).filter(
    (number) => number === 0 || !offsets.has(number),
  );
}

/**
 * A cross-reference table (7.5.4) in one piece, as that of a file never added to has to be: some readers give a file up for an object that
 * its table does not know. Each free entry names the next one.
 */
function tableOf(offsets: ReadonlyMap<number, { offset: number; generation: number }>, largest: number): string {
  const free = freeNumbers(offsets, largest);
  const next = new Map(free.map((number, index) => [number, free[index + 1] ?? 0]));
  const numbers = [...new Set([...free, ...offsets.keys()])].sort((left, right) => left - right);
  const table = ['xref\n'];
  for (let start = 0; start < numbers.length; ) {
    let stop = start + 1;
    while (stop < numbers.length && numbers[stop] === (numbers[stop - 1] ?? 0) + 1) stop++;
    table.push(`${numbers[start]} ${stop - start}\n`);
    for (const number of numbers.slice(start, stop)) {
      const entry = next.has(number) ? undefined : offsets.get(number);
      const [first, second] = entry
        ? [entry.offset, entry.generation]
        : [next.get(number) ?? 0, number === 0 ? 65_535 : 0];
      table.push(`${String(first).padStart(10, '0')} ${String(second).padStart(5, '0')} ${entry ? 'n' : 'f'} \n`);
    }
    start = stop;
  }
  return table.join('');
}

/** What a document is written anew from, whether its pages show text, be it readable or not, and whether they have fields or notes on them. */
export type PdfParts = {
  version: string;
  objects: readonly PdfObject[];
  trailer: Map<string, PdfValue>;
  showsText: boolean;
  isAnnotated: boolean;
};
