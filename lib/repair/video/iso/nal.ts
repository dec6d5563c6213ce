/** Reads bits of a NAL unit, for slice headers and parameter sets (ISO/IEC 14496-10, 7.2 and 9.1). */
export class Bits {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    const out: number[] = [];
    // Emulation prevention (7.3.1): 00 00 03 stands for 00 00.
    for (let index = 0; index < bytes.length; index++) {
      if (index >= 2 && bytes[index] === 3 && bytes[index - 1] === 0 && bytes[index - 2] === 0) continue;
      out.push(bytes[index] ?? 0);
    }
    this.#bytes = Buffer.from(out);
  }

  take(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++, this.#at++)
      value = value * 2 + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1);
    return value;
  }

  /** ue(v) of 9.1. */
  golomb(): number {
    let zeros = 0;
    while (zeros < 32 && this.take(1) === 0) zeros++;
    return 2 ** zeros - 1 + this.take(zeros);
  }
}

/** Whether a NAL unit of H.264 can begin like this; `first` tells that it is the first slice of a picture. */
export function avcNal(head: Buffer): { slice: boolean; first: boolean; key: boolean; set: boolean } | null {
  const byte = head[0] ?? 0x80;
  const type = byte & 31;
  const reference = (byte >> 5) & 3;
  if (byte & 0x80) return null;
  if (type === 6 || type === 9) return reference === 0 ? { slice: false, first: false, key: false, set: false } : null;
  if (type === 7 || type === 8) return reference > 0 ? { slice: false, first: false, key: false, set: true } : null;
  if (type !== 1 && type !== 5) return null;
  if (type === 5 && reference === 0) return null;
  const bits = new Bits(head.subarray(1, 16));
  const block = bits.golomb();
  const kind = bits.golomb();
  const picture = bits.golomb();
  if (block > 40000 || kind > 9 || picture > 3 || (type === 5 && kind % 5 !== 2)) return null;
  return { slice: true, first: block === 0, key: type === 5, set: false };
}

/** The same for HEVC (ISO/IEC 23008-2, 7.3.1.2 and 7.3.6.1). */
export function hevcNal(head: Buffer): { slice: boolean; first: boolean; key: boolean; set: boolean } | null {
  const type = ((head[0] ?? 0x80) >> 1) & 63;
  const layer = (((head[0] ?? 0) & 1) << 5) | ((head[1] ?? 0) >> 3);
  const level = (head[1] ?? 0) & 7;
  if ((head[0] ?? 0x80) & 0x80 || layer !== 0 || level === 0) return null;
  if (type >= 32 && type <= 34) return { slice: false, first: false, key: false, set: true };
  if (type === 35 || type === 39 || type === 40) return { slice: false, first: false, key: false, set: false };
  if (type > 9 && (type < 16 || type > 21)) return null;
  if (type >= 16 && level !== 1) return null;
  return { slice: true, first: ((head[2] ?? 0) & 0x80) !== 0, key: type >= 16, set: false };
}

/** Width and height of an H.264 sequence parameter set (7.3.2.1.1), and frames a second from its VUI when told; null when it is broken. */
export function readSps(sps: Buffer): { width: number; height: number } | null {
  const bits = new Bits(sps.subarray(1));
  const profile = bits.take(8);
  bits.take(16);
  bits.golomb();
  let chroma = 1;
  if ([100, 110, 122, 244, 44, 83, 86, 118, 128].includes(profile)) {
    chroma = bits.golomb();
    if (chroma === 3) bits.take(1);
    bits.golomb();
    bits.golomb();
    bits.take(1);
    if (bits.take(1) === 1) return null;
  }
  bits.golomb();
  const order = bits.golomb();
  if (order === 0) bits.golomb();
  else if (order === 1) return null;
  bits.golomb();
  bits.take(1);
  const wide = bits.golomb() + 1;
  const high = bits.golomb() + 1;
  const frames = bits.take(1);
  if (frames === 0) bits.take(1);
  bits.take(1);
  const crop = bits.take(1) === 1 ? [bits.golomb(), bits.golomb(), bits.golomb(), bits.golomb()] : [0, 0, 0, 0];
  const unitX = chroma === 1 || chroma === 2 ? 2 : 1;
  const unitY = (chroma === 1 ? 2 : 1) * (2 - frames);
  const width = wide * 16 - ((crop[0] ?? 0) + (crop[1] ?? 0)) * unitX;
  const height = high * 16 * (2 - frames) - ((crop[2] ?? 0) + (crop[3] ?? 0)) * unitY;
  return width > 0 && height > 0 && width <= 16384 && height <= 16384 ? { width, height } : null;
}
