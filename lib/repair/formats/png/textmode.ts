import { crc32 } from '../../core/sums';
import { lineFeeds, withReturns } from '../../core/transfer/returns';
import { Buffer } from '../../host/bytes';

/** Bytes that are summed up in trials for one missing CR, and for two. */
const mostSummed = { one: 400_000_000, two: 800_000_000 };

/** Puts back the CR bytes that a transfer in text mode took from CRLF pairs in a chunk, where its check sum shows their place; null when none fits. */
export function withLostReturns(type: string, data: Buffer, sum: number, missing: number): Buffer | null {
  if (missing < 1 || missing > 2) return null;
  const places = lineFeeds(data).filter((at) => data[at - 1] !== 13);
  const isTooMuch = missing === 2 && places.length * places.length * data.length > mostSummed.two;
  if (isTooMuch || places.length * data.length > mostSummed.one) return null;
  const before = crc32(Buffer.from(type, 'latin1'));
  const fits = (candidate: Buffer) => crc32(candidate, before) === sum;
  return withReturns(data, missing, { places, most: Number.POSITIVE_INFINITY }, fits);
}

/**
 * Sets one flipped bit right: the difference between two check sums depends on the place of the bit alone, so walking back from the end
 * finds it. Null when no single bit explains the difference.
 */
export function withFlippedBit(type: string, data: Buffer, sum: number): Buffer | null {
  const difference = (crc32(data, crc32(Buffer.from(type, 'latin1'))) ^ sum) >>> 0;
  if (difference === 0) return null;
  // The effect on the check sum of each bit of the last byte, moved on by one byte at a time towards the beginning.
  const effects = Array.from(
    { length: 8 },
    (_, bit) => (crc32(Buffer.from([1 << bit])) ^ crc32(Buffer.from([0]))) >>> 0,
  );
  for (let at = data.length - 1; at >= 0; at--) {
    for (let bit = 0; bit < 8; bit++) {
      const effect = effects[bit] ?? 0;
      if (effect === difference) {
        const result = Buffer.from(data);
        result[at] = (result[at] ?? 0) ^ (1 << bit);
        return result;
      }
      effects[bit] = ((effect >>> 8) ^ (steps[effect & 255] ?? 0)) >>> 0;
    }
  }
  return null;
}

/** The check sum's own table: what eight zero bits make of each low byte. */
const steps = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});
