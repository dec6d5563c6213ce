/** Blocks of characters that are less than this share of the most used one are odd in a text. */
const common = 0.5;
/** A block of characters, by which scripts are told (The Unicode Standard, 2.8): so many bits of a code lie within one. */
const blockBits = 8;
/** Blocks of signs that all scripts use: Latin letters with spaces and figures, and general punctuation. */
const ofAll: ReadonlySet<number> = new Set([0x00, 0x20]);

/**
 * Characters of a text from blocks that it hardly uses beside the one that it uses most. Text that stands by a byte off its place reads as
 * characters of many blocks, each of which counts as a word or makes others shorter, so that words alone do not tell where it begins to be in
 * its place. Of one text in several readings this tells the better one; as such it tells nothing, since texts may be in several scripts.
 */
export function oddLetters(text: string): number {
  const counts = new Uint32Array(1 << blockBits);
  let most = 0;
  for (let at = 0; at < text.length; at++) {
    const block = text.charCodeAt(at) >> blockBits;
    const count = (counts[block] ?? 0) + 1;
    counts[block] = count;
    most = Math.max(most, count);
  }
  let odd = 0;
  for (const [block, count] of counts.entries()) if (!ofAll.has(block) && count < most * common) odd += count;
  return odd;
}
