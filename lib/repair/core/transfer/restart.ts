import type { Buffer } from '../../host/bytes';
import type { Pieces } from './carried';

/** Bytes by which a second beginning is looked for, places that are tried, and the least that must stand twice. */
const looked = { bytes: 64, places: 16, least: 512 };
/** Bytes that are compared at a time. */
const stretch = 1 << 16;

/**
 * The stretch of a file that is all of it, where its beginning stands in it a second time to the last byte: behind a first try that broke off,
 * as transfers leave it that begin anew, or before a second one. Null where nothing stands twice.
 */
export function onceOf(
  file: Pieces & { find(needle: Buffer, from: number): number },
): { from: number; to: number } | null {
  const needle = file.copy(0, looked.bytes);
  if (file.size < 2 * looked.least || needle.every((byte) => byte === needle[0])) return null;
  let at = 1;
  for (let tried = 0; tried < looked.places; tried++, at++) {
    at = file.find(needle, at);
    // What comes again at once is a pattern.
    if (at < looked.least) return null;
    if (file.size - at < looked.least || !isAlike(file, at, Math.min(at, file.size - at))) continue;
    return at <= file.size - at ? { from: at, to: file.size } : { from: 0, to: at };
  }
  return null;
}

/** Whether so many bytes from a place on are those of the beginning. */
function isAlike(file: Pieces, from: number, length: number): boolean {
  for (let at = 0; at < length; at += stretch) {
    const piece = Math.min(stretch, length - at);
    if (!file.copy(at, piece).equals(file.copy(from + at, piece))) return false;
  }
  return true;
}
