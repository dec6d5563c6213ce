import { areEven } from '../core/evenness';
import { Buffer } from '../host/bytes';

/** Random access to a file: fills bytes from an offset on, and how many there were. */
type Readable = { size: number; read(bytes: Uint8Array, offset: number): number };

const pieceBytes = 1 << 20;
/** Values of a byte. */
const values = 256;
/** What memory holds that was never written, and flash memory that was erased. */
const blanks: readonly number[] = [0, 0xff];

/** The byte that all of a file is, where that is one of an empty place; null as soon as another byte is met. */
export function blankByte(file: Readable): number | null {
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, file.size));
  let first: number | undefined;
  for (let at = 0; at < file.size; at += piece.length) {
    const filled = piece.subarray(0, file.read(piece, at));
    first ??= filled[0];
    if (first === undefined || !blanks.includes(first) || filled.some((byte) => byte !== first)) return null;
  }
  return first ?? null;
}

/** Places that are looked at, and the bytes at each; fewer say nothing of how often values come. */
const places = 64;
const placeBytes = 1 << 16;
const leastBytes = 1 << 14;

/**
 * True for a file whose byte values come as often as chance has them, over the whole of it: encrypted, or packed by a coder without
 * marks. Formats of ours have marks, tables or stuffed bytes.
 */
export function isEven(file: Readable): boolean {
  if (file.size < leastBytes) return false;
  const counts = new Uint32Array(values);
  const piece = Buffer.allocUnsafe(placeBytes);
  const count = Math.min(places, Math.ceil(file.size / placeBytes));
  const last = Math.max(0, file.size - placeBytes);
  for (let place = 0; place < count; place += 1) {
    const filled = piece.subarray(0, file.read(piece, count === 1 ? 0 : Math.floor((last * place) / (count - 1))));
    for (const byte of filled) counts[byte] = (counts[byte] ?? 0) + 1;
  }
  return areEven(counts);
}
