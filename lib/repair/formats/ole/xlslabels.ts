import { differInOneBit } from '../../core/bits';
import type { Buffer } from '../../host/bytes';
import { type BiffRecord, biff } from './biff';
import { withoutBits, wrongBits } from './docbits';

/** Bytes of a record before the text of its cell ([MS-XLS] 2.4.148, 2.5.294): row, column, format, count of characters, and how wide these are. */
const head = 9;
const countAt = 6;
const widthAt = 8;
/** Bytes of the header of a record. */
const header = 4;

/** Texts for each of which the count is wrong that have the right one at least. */
const timesRight = 20;

/** Texts of cells with wrong bits: a workbook stream with them set right, how many letters had one, and how many counts of characters. */
export type Labels = { data: Buffer; letters: number; counts: number };

/**
 * Sets wrong bits right that texts show which stand in their cells: letters of another script inside Latin words, and counts of characters
 * that are one bit off what the length of the record says. `records` are those of the stream `data`.
 */
export function mendLabels(data: Buffer, records: readonly BiffRecord[]): Labels {
  const labels = records.filter(({ type, length, offset }) => type === biff.label && length > head && offset >= 0);
  const counts = new Map<number, number>();
  const pieces = labels.flatMap((record) => {
    const wide = record.data[widthAt] ?? 0;
    const count = (record.length - head) / (wide + 1);
    const given = record.u16(countAt);
    if (wide > 1 || !Number.isInteger(count)) return [];
    const isEarly = record.length === head - 1 + given;
    if (given !== count && !isEarly && differInOneBit(given, count))
      counts.set(record.offset + header + countAt, count);
    return wide === 1 ? [{ start: 0, end: count, offset: record.offset + header + head, narrow: false }] : [];
  });
  // Where many are, a program counts otherwise.
  if (counts.size * timesRight > labels.length) counts.clear();
  const letters = wrongBits(data, pieces);
  if (letters.length === 0 && counts.size === 0) return { data, letters: 0, counts: 0 };
  const mended = withoutBits(data, letters);
  for (const [at, count] of counts) mended.writeUInt16LE(count, at);
  return { data: mended, letters: letters.length, counts: counts.size };
}
