import { Buffer } from '../../host/bytes';
import { categoryTable, mostCategory } from './tables';

/** What a lossless picture is written from: lines of samples of all components, one pixel after the other. */
export type LosslessPicture = {
  precision: number;
  width: number;
  height: number;
  components: number;
  samples: Uint16Array;
};

/**
 * Codes for every category of differences: the short ones for what is usual in photos of sensors. Counts of codes of each length, and
 * their values (ISO/IEC 10918-1, B.2.4.2).
 */
const usual = {
  counts: Buffer.from([0, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]),
  values: Buffer.from([4, 5, 6, 7, 3, 8, 2, 9, 1, 10, 0, 11, 12, 13, 14, 15, 16]),
};

/** Writes a lossless picture that foretells each sample by the one on its left (ISO/IEC 10918-1, annex H, predictor 1). */
export function writeLossless({ precision, width, height, components, samples }: LosslessPicture): Buffer {
  const table = categoryTable(usual.counts, usual.values);
  if (!table) throw new Error('The table of codes has no room for all categories.');
  const out = new BitSink();
  const line = width * components;
  const first = 1 << (precision - 1);
  for (let at = 0; at < samples.length; at++) {
    const isFirst = at % line < components;
    const before = isFirst ? at - line : at - components;
    const difference = (((samples[at] ?? 0) - (before >= 0 ? (samples[before] ?? 0) : first)) << 16) >> 16;
    const size = difference === -32_768 ? mostCategory : 32 - Math.clz32(Math.abs(difference));
    out.put(table.codes[size] ?? 0, table.lengths[size] ?? 0);
    if (size > 0 && size < mostCategory) out.put(difference < 0 ? difference + (1 << size) - 1 : difference, size);
  }
  return Buffer.concat([headerOf(precision, width, height, components), out.end(), Buffer.from([0xff, 0xd9])]);
}

function headerOf(precision: number, width: number, height: number, components: number): Buffer {
  const segment = (kind: number, body: Buffer) => {
    const head = Buffer.from([0xff, kind, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  };
  const size = Buffer.alloc(6);
  size[0] = precision;
  size.writeUInt16BE(height, 1);
  size.writeUInt16BE(width, 3);
  size[5] = components;
  const each = Array.from({ length: components }, (_, index) => index + 1);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xc4, Buffer.concat([Buffer.from([0]), usual.counts, usual.values])),
    segment(0xc3, Buffer.concat([size, Buffer.from(each.flatMap((id) => [id, 0x11, 0]))])),
    segment(0xda, Buffer.from([components, ...each.flatMap((id) => [id, 0]), 1, 0, 0])),
  ]);
}

/** Packed data, with a zero behind every byte of ones (F.1.2.3). */
class BitSink {
  #bytes = Buffer.alloc(1 << 16);
  #length = 0;
  #held = 0;
  #count = 0;

  put(value: number, count: number): void {
    this.#held = (this.#held << count) | (value & ((1 << count) - 1));
    this.#count += count;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#byte((this.#held >> this.#count) & 0xff);
      this.#held &= (1 << this.#count) - 1;
    }
  }

  #byte(byte: number): void {
    if (this.#length + 2 > this.#bytes.length) {
      const larger = Buffer.alloc(this.#bytes.length * 2);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
    if (byte === 0xff) this.#bytes[this.#length++] = 0;
  }

  /** All of it, filled up with ones. */
  end(): Buffer {
    if (this.#count > 0) this.put(0xff, 8 - this.#count);
    return this.#bytes.subarray(0, this.#length);
  }
}
