import { Buffer } from '../../host/bytes';
import { bitsAt, clearCode, endCode, isOldLzw, LzwStrings, oldBitsAt } from './strings';

/** What an LZW strip gave (TIFF 6.0, section 13): its bytes, where its codes end in the input, whether all of them made sense, and whether the end code came. */
export type LzwResult = {
  data: Buffer;
  end: number;
  complete: boolean;
  ended: boolean;
  /** Bytes that came before the first code that cannot be; -1 without one. */
  spoilt: number;
};

/** Bytes that may stand between the last code of a full strip and its end: the end code, a clear code before it, and padding. */
const slack = 8;

/** Bytes that are set aside for a strip at first, and for each byte of what is packed: lists may name small ones without end, and what is held is more than what is used. */
const firstRoom = 1 << 16;
const roomForByte = 4;

/**
 * Decodes one LZW strip, tolerating a cut end. At most `most` bytes come out. Codes keep in step behind a
 * wrong one, as their width depends on their number alone: where the strip has its own end, a code that cannot be stands for the last string.
 */
export function decodeLzw(source: Buffer, start: number, most: number): LzwResult {
  // What is searched in a whole file is of the usual kind.
  const isOld = start === 0 && isOldLzw(source);
  const [strings, read] = isOld ? [oldStrings, oldBitsAt] : [usualStrings, bitsAt];
  strings.clear();
  const end = source.length * 8;
  // The end of what is searched in a whole file is not known, so there the first wrong code ends the strip.
  const isBounded = start === 0;
  // Most strips are far smaller than the most that is allowed, and there may be thousands of them.
  let output = Buffer.allocUnsafe(Math.min(most, firstRoom, source.length * roomForByte));
  let [bit, length, bad, spoilt] = [start * 8, 0, 0, -1];
  const behind = () => (bit + 7) >>> 3;
  const done = (complete: boolean, ended: boolean): LzwResult => ({
    data: output.subarray(0, length),
    end: behind(),
    complete,
    ended,
    spoilt,
  });
  while (length < most) {
    const { width } = strings;
    if (bit + width > end) {
      bit = Math.max(bit, end);
      return done(false, false);
    }
    let code = read(source, bit, width);
    bit += width;
    if (code === endCode && (!isBounded || source.length - behind() <= slack || bad === 0))
      return done(bad === 0, true);
    if (code === clearCode) {
      strings.clear();
      continue;
    }
    if (!strings.canBe(code)) {
      if (!isBounded) return done(false, false);
      if (bad++ === 0) spoilt = length;
      code = strings.last;
    }
    const next = Math.min(most, length + strings.sizeOf(code));
    if (next > output.length) output = Buffer.concat([output], Math.min(most, Math.max(next, output.length * 2)));
    strings.take(code, output, length);
    length = next;
  }
  // A strip that is full ends with the end code, which a clear code may precede; much more data means that codes were misread.
  return done(bad === 0 && (source.length - behind() <= slack || !isBounded), false);
}

/** The tables are made once: strips may be thousands. */
const usualStrings = new LzwStrings();
const oldStrings = new LzwStrings(0);
