import type { Deadline } from '../../report';
import { decoderTable, type HuffmanSpec } from './tables';

/** Geometry of a baseline picture: blocks of each component in one MCU (ISO/IEC 10918-1, A.2), and MCUs across and down. */
export type Layout = {
  across: number;
  down: number;
  blocks: { component: number; dc: number; ac: number }[];
  components: number;
};

/** A stretch of entropy-coded data without stuffing, between restart markers; `restart` is the number of the marker before it, or null. */
export type Stretch = { data: Buffer; restart: number | null };

/** MCUs as they came out of the data, in its order, 64 coefficients per block in zigzag order; DC values are running sums. */
export type Decoded = {
  coefficients: Int16Array;
  count: number;
  /** MCU numbers at which a code or coefficient made no sense and decoding went on with the next bits. */
  errors: number[];
  /** Numbers of the first MCU of every stretch, with that stretch's restart number. */
  starts: { mcu: number; restart: number | null }[];
};

/** Takes out stuffed zeroes and splits at restart markers; other markers inside are taken for damaged data. */
export function splitStretches(bytes: Buffer, start: number, end: number): Stretch[] {
  const stretches: Stretch[] = [];
  let data = Buffer.allocUnsafe(end - start);
  let length = 0;
  let restart: number | null = null;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    const next = bytes[at + 1] ?? 0;
    if (byte === 0xff && at + 1 < end && next >= 0xd0 && next <= 0xd7) {
      stretches.push({ data: data.subarray(0, length), restart });
      data = Buffer.allocUnsafe(end - at);
      length = 0;
      restart = next - 0xd0;
      at++;
      continue;
    }
    data[length++] = byte;
    if (byte === 0xff && next === 0) at++;
  }
  stretches.push({ data: data.subarray(0, length), restart });
  return stretches;
}

class McuReader {
  readonly data: Buffer;
  position = 0;
  readonly end: number;

  constructor(data: Buffer) {
    this.data = data;
    this.end = data.length * 8;
  }

  peek(): number {
    const byte = this.position >> 3;
    const { data } = this;
    const word = ((data[byte] ?? 255) << 16) | ((data[byte + 1] ?? 255) << 8) | (data[byte + 2] ?? 255);
    return (word >> (8 - (this.position & 7))) & 0xffff;
  }

  /** Nothing is left but the ones that fill the last byte. */
  finished(): boolean {
    const left = this.end - this.position;
    return left <= 0 || (left < 8 && this.peek() >> (16 - left) === (1 << left) - 1);
  }

  bits(count: number): number {
    if (count === 0) return 0;
    const value = this.peek() >> (16 - count);
    this.position += count;
    return value;
  }

  /** One block into `out` at `at`; false when a code or the run of coefficients makes no sense. The DC value is the bare difference. */
  block(dc: Uint16Array, ac: Uint16Array, out: Int16Array, at: number): boolean {
    const first = dc[this.peek()] ?? 0;
    if (first === 0) return false;
    this.position += first >> 8;
    const size = first & 255;
    if (size > 11) return false;
    out[at] = extend(this.bits(size), size);
    for (let index = 1; index < 64; index++) {
      const entry = ac[this.peek()] ?? 0;
      if (entry === 0) return false;
      this.position += entry >> 8;
      const bits = entry & 15;
      const run = (entry >> 4) & 15;
      if (bits === 0) {
        if (run !== 15) break;
        index += 15;
        continue;
      }
      index += run;
      if (index > 63 || bits > 10) return false;
      out[at + index] = extend(this.bits(bits), bits);
    }
    return true;
  }
}

function extend(value: number, size: number): number {
  return size > 0 && value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

/** Decodes all stretches, at most `most` MCUs; after an error it goes on with the next bits, as Huffman codes fall into step again. */
export function decodeMcus(
  stretches: readonly Stretch[],
  layout: Layout,
  tables: ReadonlyMap<number, HuffmanSpec>,
  most: number,
  interval: number,
  deadline: Deadline,
): Decoded {
  const perMcu = layout.blocks.length * 64;
  const lookups = new Map<number, Uint16Array>();
  for (const [key, spec] of tables) lookups.set(key, decoderTable(spec));
  const none = new Uint16Array(65536);
  const blocks = layout.blocks.map((block) => ({
    component: block.component,
    dc: lookups.get(block.dc) ?? none,
    ac: lookups.get(0x10 | block.ac) ?? none,
  }));
  const coefficients = new Int16Array(most * perMcu);
  const result: Decoded = { coefficients, count: 0, errors: [], starts: [] };
  for (const stretch of stretches) {
    deadline.check();
    if (result.count >= most) break;
    result.starts.push({ mcu: result.count, restart: stretch.restart });
    const reader = new McuReader(stretch.data);
    const predictors = new Int32Array(layout.components);
    let decodedHere = 0;
    while (result.count < most && !reader.finished()) {
      // With restart markers a stretch holds no more than its interval; what is beyond is damage.
      if (interval > 0 && decodedHere >= interval) break;
      if ((result.count & 0xfff) === 0) deadline.check();
      const at = result.count * perMcu;
      const before = reader.position;
      let sound = true;
      for (const [index, block] of blocks.entries()) {
        const place = at + index * 64;
        sound = reader.block(block.dc, block.ac, coefficients, place);
        if (!sound) break;
        predictors[block.component] = (predictors[block.component] ?? 0) + (coefficients[place] ?? 0);
        coefficients[place] = Math.max(-32768, Math.min(32767, predictors[block.component] ?? 0));
      }
      if (!sound || reader.position > reader.end) {
        coefficients.fill(0, at, at + perMcu);
        if (reader.position >= reader.end) break;
        result.errors.push(result.count);
        if (reader.position <= before) reader.position = before + 1;
        if (result.errors.length > 200_000) break;
        continue;
      }
      result.count++;
      decodedHere++;
    }
  }
  return result;
}

/** Adds to the errors every MCU with a block no encoder makes: a coefficient far beyond what eight-bit samples can give. */
export function markImpossible(decoded: Decoded, layout: Layout, tables: readonly Uint16Array[]): void {
  const perMcu = layout.blocks.length * 64;
  const found: number[] = [];
  const bounds = tables.map((table) =>
    Int32Array.from(table, (step, index) => Math.ceil((index === 0 ? 1400 : 1500) / step) + 1),
  );
  for (let mcu = 0; mcu < decoded.count; mcu++) {
    if (isImpossible(decoded.coefficients, mcu * perMcu, layout, bounds)) found.push(mcu);
  }
  // A drift of brightness makes every following block impossible; only the first of such a row tells a place.
  const places = found.filter((mcu, index) => index === 0 || mcu - (found[index - 1] ?? 0) > 1 || index % 64 === 0);
  decoded.errors.push(...places);
  decoded.errors.sort((left, right) => left - right);
}

function isImpossible(coefficients: Int16Array, at: number, layout: Layout, bounds: readonly Int32Array[]): boolean {
  for (let block = 0; block < layout.blocks.length; block++) {
    const limits = bounds[layout.blocks[block]?.component ?? 0];
    for (let index = 1; index < 64; index++) {
      const value = coefficients[at + block * 64 + index] ?? 0;
      if (value !== 0 && limits && Math.abs(value) > (limits[index] ?? 0)) return true;
    }
  }
  return false;
}

/** Whether the brightness of any block lies beyond black or white, as it does when differences were lost on the way. */
export function hasDrift(decoded: Decoded, layout: Layout, tables: readonly Uint16Array[]): boolean {
  const perMcu = layout.blocks.length * 64;
  for (let mcu = 0; mcu < decoded.count; mcu++) {
    for (const [block, { component }] of layout.blocks.entries()) {
      if (Math.abs(decoded.coefficients[mcu * perMcu + block * 64] ?? 0) * (tables[component]?.[0] ?? 1) > 1300)
        return true;
    }
  }
  return false;
}
