/** How many bits of a byte are set, by its value. */
export const ones = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** Whether whole numbers of at most 32 bits differ in exactly one. */
export const differInOneBit = (one: number, other: number): boolean => {
  const bits = one ^ other;
  return bits !== 0 && (bits & (bits - 1)) === 0;
};
