/**
 * What codes between two clear codes gave (TIFF 6.0, section 13): the bit behind them, how many bytes, how many codes could not be, and why
 * they ended. `starts` and `bits`, if asked for, are filled with the output place and the first bit of each code.
 */
export type Run = {
  from: number;
  bit: number;
  length: number;
  bad: number;
  stop: 'clear' | 'end' | 'overrun' | 'input' | 'full';
};

const clear = 256;
const endCode = 257;
/** With the early change of section 13 the table is full with this many entries, and the next code must be a clear code. */
const full = 4095;
const prefix = new Uint16Array(4097);
const suffix = new Uint8Array(4097);
const lengths = new Uint16Array(4097);
for (let code = 0; code < 256; code++) {
  suffix[code] = code;
  lengths[code] = 1;
}

/** `count` bits (at most 16) from bit `at` on, most significant first. */
export function bitsAt(source: Uint8Array, at: number, count: number): number {
  const byte = at >>> 3;
  const word = ((source[byte] ?? 0) << 16) | ((source[byte + 1] ?? 0) << 8) | (source[byte + 2] ?? 0);
  return (word >> (24 - (at & 7) - count)) & ((1 << count) - 1);
}

/** Where each code of a run stands in the output and in the input. */
export type Codes = { places: number[]; bits: number[] };

/**
 * Decodes from just behind a clear code to the next one into `output` from `place` on. A code that cannot be stands for the last string,
 * as the width of codes depends on their number alone; more than `mostBad` of them end the run.
 */
export function decodeRun(
  source: Uint8Array,
  from: number,
  output: Uint8Array,
  place: number,
  mostBad: number,
  codes?: Codes,
): Run {
  const end = source.length * 8;
  let [bit, length, next, width, previous, bad] = [from, place, 258, 9, -1, 0];
  const done = (stop: Run['stop']): Run => ({ from, bit, length: Math.min(length, output.length) - place, bad, stop });
  for (;;) {
    if (length >= output.length) return done('full');
    if (bit + width > end) return done('input');
    let code = bitsAt(source, bit, width);
    bit += width;
    if (code === clear) return done('clear');
    if (code === endCode && end - bit < 64) return done('end');
    if (next > full) return done('overrun');
    if (code === endCode || code > next || (previous < 0 && code > 255)) {
      if (++bad > mostBad) return done('overrun');
      code = Math.max(0, previous);
    }
    codes?.places.push(length);
    codes?.bits.push(bit - width);
    const known = previous < 0 || code < next;
    const size = known ? (lengths[code] ?? 0) : (lengths[previous] ?? 0) + 1;
    let walk = known ? code : previous;
    for (let at = length + (known ? size : size - 1) - 1; at >= length; at--) {
      output[at] = suffix[walk] ?? 0;
      walk = prefix[walk] ?? 0;
    }
    const first = output[length] ?? 0;
    if (!known) output[length + size - 1] = first;
    length += size;
    if (previous >= 0 && next <= full) {
      prefix[next] = previous;
      suffix[next] = first;
      lengths[next] = (lengths[previous] ?? 0) + 1;
      next++;
    }
    previous = code;
    width = next >= 2047 ? 12 : next >= 1023 ? 11 : next >= 511 ? 10 : 9;
  }
}

/** Bits of a run that fills the table, with the clear code behind it. */
const fullRun = (511 - 257) * 9 + 512 * 10 + 1024 * 11 + (4094 - 2047) * 12;
/** Codes without fault that prove a clear code to be one. */
const provingCodes = 300;

/** The bit behind the next clear code that a sound run follows, from bit `from` on; `began` is where the broken run began. -1 without one. */
export function nextClear(source: Uint8Array, began: number, from: number): number {
  const scratch = new Uint8Array(1 << 16);
  const proven = (bit: number) => {
    const codes: Codes = { places: [], bits: [] };
    const { bad, stop } = decodeRun(source, bit, scratch, 0, 0, codes);
    if (bad > 0 || stop === 'overrun') return false;
    return codes.places.length >= provingCodes || (stop !== 'clear' && codes.places.length > 12);
  };
  // Damage that moved nothing leaves the clear code where it would have been; writers differ by a code or two.
  for (const step of [0, 12, -12, -24, 24]) {
    const bit = began + fullRun + step;
    if (bit > from && bitsAt(source, bit - 12, 12) === clear && proven(bit)) return bit;
  }
  const end = source.length * 8 - 40;
  for (let bit = from; bit < end; bit++) {
    // Eleven zero bits around a single one; the byte test passes over most places.
    if (bitsAt(source, bit, 12) === clear && proven(bit + 12)) return bit + 12;
  }
  return -1;
}
