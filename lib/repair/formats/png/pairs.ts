import { crc32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';

/** Longest part, in bytes, that is searched for two wrong bits: of longer ones more than some thirty pairs fit by chance. */
const mostBytes = 65_536;
/** The same where nothing but the rows tells the pairs apart, and as often as reading stops. */
export const mostBytesByRows = 33_000;
/** Places of the table in which effects are looked up: a power of two, so that it is at most half full. */
const mostPlaces = 1 << 20;
/** Spreads effects over the table (Knuth, The Art of Computer Programming, 6.4: the golden ratio). */
const spreading = 0x9e3779b1;

/** The check sum's own table: what eight zero bits make of each low byte. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/**
 * All pairs of bits whose change gives data of a chunk the wanted check sum (over type and data): the sum is linear, so the
 * effects of both must add up to the difference. About one pair in a part of 8 kB fits by chance beside the true one.
 */
export function flippedPairs(type: string, data: Uint8Array, sum: number): [number, number][] {
  if (data.length > mostBytes) return [];
  const difference = (crc32(data, crc32(Buffer.from(type, 'latin1'))) ^ sum) >>> 0;
  const effects = new Uint32Array(data.length * 8);
  for (let bit = 0; bit < 8; bit++) {
    let effect = (crc32(Buffer.from([1 << bit])) ^ crc32(Buffer.from([0]))) >>> 0;
    for (let at = data.length - 1; at >= 0; at--) {
      effects[at * 8 + bit] = effect;
      effect = ((effect >>> 8) ^ (table[effect & 255] ?? 0)) >>> 0;
    }
  }
  const places = new Int32Array(mostPlaces);
  const placeOf = (effect: number) => (Math.imul(effect, spreading) >>> 0) % mostPlaces;
  effects.forEach((effect, bit) => {
    let place = placeOf(effect);
    while (places[place] !== 0) place = (place + 1) % mostPlaces;
    places[place] = bit + 1;
  });
  const pairs: [number, number][] = [];
  effects.forEach((effect, bit) => {
    const wanted = (difference ^ effect) >>> 0;
    for (let place = placeOf(wanted); places[place] !== 0; place = (place + 1) % mostPlaces) {
      const other = (places[place] ?? 0) - 1;
      if (effects[other] === wanted && other > bit) pairs.push([bit, other]);
    }
  });
  return pairs;
}
