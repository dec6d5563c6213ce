import { Buffer } from '../host/bytes';

/** Two pieces of a file, of so many bytes, that stand in each other's place. Offsets in bytes. */
export type Exchange = { first: number; second: number; size: number };

/** Sizes of the pieces that are looked for, in bytes: the usual cluster, many of which make a larger one, and the sector, which all are made of. */
export const pieceSizes: readonly number[] = [4096, 512];

/** Puts two pieces in each other's place. */
export function exchange(bytes: Buffer, { first, second, size }: Exchange): void {
  const kept = Buffer.from(bytes.subarray(first, first + size));
  bytes.copyWithin(first, second, second + size);
  kept.copy(bytes, second);
}

/** Whether a piece holds one byte alone, and so nothing that stood elsewhere. */
export function isPlain(bytes: Buffer, first: number, size: number): boolean {
  const piece = bytes.subarray(first, first + size);
  return piece.every((byte) => byte === piece[0]);
}
