import { bitsAt, clearCode, endCode, LzwStrings } from './strings';

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
  strings.clear();
  let [bit, length, bad] = [from, place, 0];
  const done = (stop: Run['stop']): Run => ({ from, bit, length: Math.min(length, output.length) - place, bad, stop });
  for (;;) {
    const { width } = strings;
    if (length >= output.length) return done('full');
    if (bit + width > end) return done('input');
    let code = bitsAt(source, bit, width);
    bit += width;
    if (code === clearCode) return done('clear');
    if (code === endCode && end - bit < mostBehindEnd) return done('end');
    if (strings.isFull) return done('overrun');
    if (!strings.canBe(code)) {
      if (++bad > mostBad) return done('overrun');
      code = strings.last;
    }
    codes?.places.push(length);
    codes?.bits.push(bit - width);
    const size = strings.sizeOf(code);
    strings.take(code, output, length);
    length += size;
  }
}

/** The table is made once: runs are read in trial many times. */
const strings = new LzwStrings();
/** Bits that may stand behind the end code of a strip. */
const mostBehindEnd = 64;

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
    if (bit > from && bitsAt(source, bit - 12, 12) === clearCode && proven(bit)) return bit;
  }
  const end = source.length * 8 - 40;
  for (let bit = from; bit < end; bit++) {
    // Eleven zero bits around a single one; the byte test passes over most places.
    if (bitsAt(source, bit, 12) === clearCode && proven(bit + 12)) return bit + 12;
  }
  return -1;
}
