import type { Buffer } from '../../../host/bytes';
import type { Run } from './runs';

/** Rows of which the bits that fill up the last byte have to be others as told, where they are as they should be with a move undone. */
const leastRows = 6;

/**
 * The first row that moved by so many bytes in rows of bits whose last byte is filled up (TIFF 6.0, section 3: each row begins with a byte),
 * always with the same bits: as told they are so in all rows before it, and as moved from it on. Null where they are not, or in all rows as told.
 */
export function rowMovedByPads(bytes: Buffer, { at, row, rows, pad }: Run, moved: number): number | null {
  const mask = (1 << (pad ?? 0)) - 1;
  if (mask === 0) return null;
  const fill = (line: number, by: number) => (bytes[at + (line + 1) * row - 1 + by] ?? 0) & mask;
  const own = fill(0, 0);
  let [first, others] = [rows, 0];
  while (first > 0 && fill(first - 1, moved) === own) {
    first--;
    if (fill(first, 0) !== own) others++;
  }
  // The row that bytes were put into ends at its moved place as well.
  let told = 0;
  while (told < rows && fill(told, 0) === own) told++;
  return told >= first && told < rows && others >= leastRows ? told : null;
}
