/** A seeded generator (mulberry32) of numbers from 0 up to 1, so that every damaged file can be made again. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

/** `count` random bytes. */
export function randomBytes(random: () => number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let index = 0; index < count; index++) bytes[index] = Math.floor(random() * 256);
  return bytes;
}
