import type { Buffer } from '../../host/bytes';
import type { PdfObject } from './values';

/** Zeroes that no writer puts between two values, and bytes of an object that are looked through for them. */
const zeroes = new Uint8Array(64);
const mostBytes = 1 << 20;

/**
 * How many objects lost values to zeroes: to a reader these are white space (ISO 32000-1, 7.2.3), so that an object over which some were written
 * reads as one of fewer values, but for the names that begin or end in them. Such a list of letters names others than it did.
 */
export function tornObjects(bytes: Buffer, objects: Iterable<PdfObject>): number {
  let count = 0;
  for (const { offset, flaws } of objects) {
    if (!flaws.includes('syntax') || offset >= bytes.length) continue;
    const text = bytes.subarray(offset, offset + mostBytes);
    const ends = ['endobj', 'stream'].map((word) => text.indexOf(word)).filter((at) => at >= 0);
    const end = ends.length > 0 ? Math.min(...ends) : text.length;
    const at = text.indexOf(zeroes);
    if (at >= 0 && at < end) count++;
  }
  return count;
}
