import { Buffer } from '../../../../host/bytes';
import type { Field, TiffBytes } from '../../../tiff/directory';

/** Types of fields that are written (TIFF 6.0, section 2). */
export const type = { byte: 1, text: 2, short: 3, long: 4 } as const;

/** A field to write. */
export type NewField =
  | { tag: number; type: 1 | 3 | 4; values: readonly number[] }
  | { tag: number; type: 2; text: string };

const sizes = { 1: 1, 2: 1, 3: 2, 4: 4 } as const;

/** The bytes of a directory that will stand at `offset`, with the values of its fields behind it. */
export function directoryBytes(fields: readonly NewField[], offset: number, next: number, little: boolean): Buffer {
  const sorted = [...fields].sort((left, right) => left.tag - right.tag);
  const head = Buffer.alloc(6 + sorted.length * 12);
  const behind: Buffer[] = [];
  let place = offset + head.length;
  put(head, sorted.length, 0, 2, little);
  for (const [index, field] of sorted.entries()) {
    const at = 2 + index * 12;
    const values = valuesOf(field, little);
    const count = values.length / sizes[field.type];
    put(head, field.tag, at, 2, little);
    put(head, field.type, at + 2, 2, little);
    put(head, count, at + 4, 4, little);
    if (values.length <= 4) values.copy(head, at + 8);
    else {
      put(head, place, at + 8, 4, little);
      // Values begin at even places (TIFF 6.0, section 2).
      const padded = values.length % 2 === 0 ? values : Buffer.concat([values, Buffer.alloc(1)]);
      behind.push(padded);
      place += padded.length;
    }
  }
  put(head, next, head.length - 4, 4, little);
  return Buffer.concat([head, ...behind]);
}

function valuesOf(field: NewField, little: boolean): Buffer {
  if (field.type === type.text) return Buffer.from(`${field.text}\0`, 'latin1');
  const size = sizes[field.type];
  const values = Buffer.alloc(field.values.length * size);
  for (const [index, value] of field.values.entries()) put(values, value, index * size, size, little);
  return values;
}

function put(bytes: Buffer, value: number, at: number, size: 1 | 2 | 4, little: boolean): void {
  if (little) bytes.writeUIntLE(value, at, size);
  else bytes.writeUIntBE(value, at, size);
}

/** Writes a number of 16 or 32 bits over what stands in a file. */
export function overwrite({ bytes, little }: TiffBytes, at: number, value: number, size: 2 | 4): void {
  put(bytes, value, at, size, little);
}

/** Writes one value of a field over the one that it has. */
export function overwriteValue(tiff: TiffBytes, field: Field | undefined, index: number, value: number): void {
  if (!field) return;
  const size = field.type === type.short ? 2 : 4;
  overwrite(tiff, field.at + index * size, value, size);
}
