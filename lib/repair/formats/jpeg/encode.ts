import { Buffer } from '../../host/bytes';
import type { Layout } from './layout';
import type { Component, Frame, JpegParts } from './markers';
import { encoderTable, type HuffmanSpec, standardHuffman } from './tables';

/** One marker segment. */
function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]);
  return Buffer.concat([head, body]);
}

/** The DQT segment for tables in zigzag order. */
function quantisationSegment(tables: ReadonlyMap<number, Uint16Array>): Buffer {
  const pieces = [...tables].map(([number, table]) => {
    const wide = table.some((value) => value > 255);
    const body = Buffer.alloc(1 + (wide ? 128 : 64));
    body[0] = (wide ? 0x10 : 0) | number;
    for (const [index, value] of table.entries()) {
      if (wide) body.writeUInt16BE(value, 1 + index * 2);
      else body[1 + index] = value;
    }
    return body;
  });
  return pieces.length > 0 ? segment(0xdb, Buffer.concat(pieces)) : Buffer.alloc(0);
}

/** The DHT segment for tables by class and number. */
function huffmanSegment(
  tables: Iterable<readonly [number, { counts: readonly number[]; symbols: readonly number[] }]>,
): Buffer {
  const pieces = [...tables].map(([key, spec]) => Buffer.from([key, ...spec.counts, ...spec.symbols]));
  return pieces.length > 0 ? segment(0xc4, Buffer.concat(pieces)) : Buffer.alloc(0);
}

/** The frame header. */
export function frameSegment(frame: Frame): Buffer {
  const body = Buffer.alloc(6 + frame.components.length * 3);
  body[0] = frame.precision;
  body.writeUInt16BE(frame.height, 1);
  body.writeUInt16BE(frame.width, 3);
  body[5] = frame.components.length;
  for (const [index, component] of frame.components.entries()) {
    body.set([component.id, (component.horizontal << 4) | component.vertical, component.quantisation], 6 + index * 3);
  }
  return segment(frame.marker, body);
}

/** The DRI segment; nothing for an interval of 0. */
function restartSegment(interval: number): Buffer {
  return interval > 0 ? segment(0xdd, Buffer.from([interval >> 8, interval & 255])) : Buffer.alloc(0);
}

/** The header of one scan with all components. */
export function scanSegment(components: readonly Component[]): Buffer {
  const body = [components.length, ...components.flatMap(({ id, dc, ac }) => [id, (dc << 4) | ac]), 0, 63, 0];
  return segment(0xda, Buffer.from(body));
}

/** The header of a scan as it stood in a file, length included. */
export const keptScanSegment = (header: Buffer): Buffer => Buffer.concat([Buffer.from([0xff, 0xda]), header]);

/** The standard Huffman tables as DHT keys. */
function standardTables(components: number): [number, { counts: readonly number[]; symbols: readonly number[] }][] {
  const numbers = components > 1 ? ([0, 1] as const) : ([0] as const);
  return [0, 1].flatMap((kind) =>
    numbers.map((number) => [(kind << 4) | number, spec(kind, number)] as [number, ReturnType<typeof spec>]),
  );
}

function spec(kind: number, number: 0 | 1): { counts: readonly number[]; symbols: readonly number[] } {
  return standardHuffman[kind]?.[number] ?? { counts: [], symbols: [] };
}

const startOfImage = Buffer.from([0xff, 0xd8]);
export const endOfImage = Buffer.from([0xff, 0xd9]);

type Head = {
  quantisation: ReadonlyMap<number, Uint16Array>;
  frame: Frame;
  huffman: Parameters<typeof huffmanSegment>[0];
  interval: number;
};

/** Everything that stands before the first scan of a picture: what its own segments told of it, and its tables and frame. */
export function headSegments({ applications }: JpegParts, { quantisation, frame, huffman, interval }: Head): Buffer {
  return Buffer.concat([
    startOfImage,
    ...applications,
    quantisationSegment(quantisation),
    frameSegment(frame),
    huffmanSegment(huffman),
    restartSegment(interval),
  ]);
}

/** A picture written anew as one scan, whose data was encoded with the standard tables. */
export function writtenAnew(parts: JpegParts, quantisation: Head['quantisation'], frame: Frame, data: Buffer): Buffer {
  const components = frame.components.map((component, index) => {
    const number = index === 0 ? 0 : 1;
    return { ...component, dc: number, ac: number };
  });
  const sequential = { ...frame, marker: frame.marker === 0xc2 ? 0xc0 : frame.marker };
  const huffman = standardTables(components.length);
  return Buffer.concat([
    headSegments(parts, { quantisation, frame: sequential, huffman, interval: 0 }),
    scanSegment(components),
    data,
    endOfImage,
  ]);
}

/** Encodes MCUs one after another in picture order (ISO/IEC 10918-1, F.1.2). */
export class ScanEncoder {
  readonly #writer = new BitWriter();
  readonly #components: Uint8Array;
  readonly #predictors: Int32Array;
  readonly #dc: EncoderTable[];
  readonly #ac: EncoderTable[];

  /** With the standard tables, unless others are given, by class and number as the layout tells them. */
  constructor(layout: Layout, tables?: ReadonlyMap<number, HuffmanSpec>) {
    this.#components = Uint8Array.from(layout.blocks, ({ component }) => component);
    this.#predictors = new Int32Array(layout.components);
    const codes = (kind: number) =>
      layout.blocks.map(({ component, dc, ac }) => {
        const own = tables?.get((kind << 4) | (kind === 0 ? dc : ac));
        return encoderTable(own ?? spec(kind, component === 0 ? 0 : 1));
      });
    this.#dc = codes(0);
    this.#ac = codes(1);
  }

  /**
   * Adds one MCU: 64 coefficients per block in zigzag order; DC values are absolute and become differences here. False when a table has no
   * code for it, with which the data is spoilt; with `mayDrop` detail that there is no code for is left out.
   */
  add(coefficients: Int16Array, mayDrop = false): boolean {
    const predictors = this.#predictors;
    const writer = this.#writer;
    for (let index = 0; index < this.#components.length; index++) {
      const at = index * 64;
      const component = this.#components[index] ?? 0;
      const dc = this.#dc[index];
      const ac = this.#ac[index];
      if (!dc || !ac) return false;
      const difference = clamp((coefficients[at] ?? 0) - (predictors[component] ?? 0), 2047);
      predictors[component] = (predictors[component] ?? 0) + difference;
      if (!put(writer, dc, bitLength(difference), difference)) return false;
      let run = 0;
      for (let place = 1; place < 64; place++) {
        const coefficient = coefficients[at + place] ?? 0;
        if (coefficient === 0) {
          run++;
          continue;
        }
        const value = clamp(coefficient, 1023);
        if (mayDrop && !(ac.length[((run & 15) << 4) | bitLength(value)] && (run < 16 || ac.length[0xf0]))) {
          run++;
          continue;
        }
        for (; run > 15; run -= 16) if (!put(writer, ac, 0xf0, 0)) return false;
        if (!put(writer, ac, (run << 4) | bitLength(value), value)) return false;
        run = 0;
      }
      if (run > 0 && !put(writer, ac, 0, 0)) return false;
    }
    return true;
  }

  /** Adds MCUs as they are coded in other data, from one bit to before another, which leave the given DC values behind. */
  copy(data: Uint8Array, from: number, to: number, sums: ArrayLike<number>, first: number): void {
    this.#writer.copy(data, from, to);
    for (let index = 0; index < this.#predictors.length; index++) this.#predictors[index] = sums[first + index] ?? 0;
  }

  /** The finished data, its last byte filled with ones. */
  finish(): Buffer {
    return this.#writer.finish();
  }
}

type EncoderTable = ReturnType<typeof encoderTable>;

/** Writes a symbol and behind it the bits of the value whose size its low half tells; false when there is no code for it. */
function put(writer: BitWriter, table: EncoderTable, symbol: number, value: number): boolean {
  const length = table.length[symbol] ?? 0;
  if (length === 0) return false;
  writer.put(table.code[symbol] ?? 0, length);
  const size = symbol & 15;
  if (size > 0) writer.put(value < 0 ? value - 1 + (1 << size) : value, size);
  return true;
}

function clamp(value: number, most: number): number {
  if (value > most) return most;
  if (value < -most) return -most;
  return value;
}

function bitLength(value: number): number {
  return 32 - Math.clz32(value < 0 ? -value : value);
}

class BitWriter {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #length = 0;
  #word = 0;
  #count = 0;

  put(value: number, count: number): void {
    // At most 7 bits wait and at most 16 come, so that 24 bits hold them.
    this.#word = (this.#word << count) | value;
    this.#count += count;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#byte((this.#word >> this.#count) & 255);
    }
    this.#word &= 255;
  }

  /** Adds bits of other data, as they are. */
  copy(data: Uint8Array, from: number, to: number): void {
    let at = from;
    for (; at + 8 <= to; at += 8) {
      const byte = at >>> 3;
      const pair = ((data[byte] ?? 255) << 8) | (data[byte + 1] ?? 255);
      this.put((pair >> (8 - (at & 7))) & 255, 8);
    }
    for (; at < to; at++) this.put(((data[at >>> 3] ?? 255) >> (7 - (at & 7))) & 1, 1);
  }

  #byte(value: number): void {
    if (this.#length + 2 > this.#bytes.length) {
      const bigger = Buffer.allocUnsafe(this.#bytes.length * 2);
      this.#bytes.copy(bigger);
      this.#bytes = bigger;
    }
    this.#bytes[this.#length++] = value;
    if (value === 0xff) this.#bytes[this.#length++] = 0;
  }

  finish(): Buffer {
    if (this.#count > 0) this.put((1 << (8 - this.#count)) - 1, 8 - this.#count);
    return this.#bytes.subarray(0, this.#length);
  }
}
