/** A file with pieces of so many bytes in each other's place, in pairs by their numbers. */
export function exchanged(bytes: Buffer, pairs: readonly (readonly [number, number])[], size: number): Buffer {
  const other = Buffer.from(bytes);
  for (const [first, second] of pairs) {
    const kept = Buffer.from(other.subarray(first * size, (first + 1) * size));
    other.copyWithin(first * size, second * size, (second + 1) * size);
    kept.copy(other, second * size);
  }
  return other;
}
