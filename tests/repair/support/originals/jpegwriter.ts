import { encoderTable, standardHuffman, standardQuantisation, zigzag } from '../../../../lib/repair/codecs/jpeg/tables';

/**
 * What a camera's encoder may choose; `restart` is the interval in MCUs, 0 for none. Sampling factors are those of the luminance.
 * With `likeSamsung` last bytes are filled with zeroes, and a restart marker stands behind the last interval as well.
 */
export type WriterOptions = {
  quality: number;
  horizontal: 1 | 2;
  vertical: 1 | 2;
  restart: number;
  likeSamsung?: boolean;
  /** Whole segments that go between SOI and the tables. */
  segments: Buffer[];
};

const cosines = Float64Array.from({ length: 64 }, (_, index) => {
  const [frequency, place] = [index >> 3, index & 7];
  return (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * place + 1) * frequency * Math.PI) / 16);
});

/** One marker segment with its length (ISO/IEC 10918-1, B.1.1.4). */
export function segmentOf(marker: number, body: Buffer | number[]): Buffer {
  const data = Buffer.from(body);
  return Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]), data]);
}

/** Planes Y, Cb and Cr of interleaved RGB, chrominance taken together by the sampling factors; edges are repeated to whole MCUs. */
function planesOf(rgb: Buffer, width: number, height: number, across: number, down: number, h: number, v: number) {
  const wide = across * 8 * h;
  const tall = down * 8 * v;
  const luma = new Float32Array(wide * tall);
  const chroma = [new Float32Array((wide / h) * (tall / v)), new Float32Array((wide / h) * (tall / v))];
  for (let y = 0; y < tall; y++) {
    for (let x = 0; x < wide; x++) {
      const at = (Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 3;
      const [r, g, b] = [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0];
      const light = 0.299 * r + 0.587 * g + 0.114 * b;
      luma[y * wide + x] = light - 128;
      const place = Math.floor(y / v) * (wide / h) + Math.floor(x / h);
      for (const [index, plane] of chroma.entries())
        plane[place] = (plane[place] ?? 0) + (index === 0 ? (b - light) / 1.772 : (r - light) / 1.402) / (h * v);
    }
  }
  return [
    { samples: luma, stride: wide, h, v },
    ...chroma.map((samples) => ({ samples, stride: wide / h, h: 1, v: 1 })),
  ];
}

/** Forward DCT and quantisation of one block, in zigzag order. */
function blockOf(samples: Float32Array, stride: number, left: number, top: number, table: Uint16Array): Int16Array {
  const rows = new Float64Array(64);
  const result = new Int16Array(64);
  for (let y = 0; y < 8; y++) {
    for (let u = 0; u < 8; u++) {
      let sum = 0;
      for (let x = 0; x < 8; x++) sum += (samples[(top + y) * stride + left + x] ?? 0) * (cosines[u * 8 + x] ?? 0);
      rows[y * 8 + u] = sum;
    }
  }
  for (const [index, place] of zigzag.entries()) {
    let sum = 0;
    for (let y = 0; y < 8; y++) sum += (rows[y * 8 + (place & 7)] ?? 0) * (cosines[(place >> 3) * 8 + y] ?? 0);
    result[index] = Math.round(sum / (table[index] ?? 1));
  }
  return result;
}

class Bits {
  readonly bytes: number[] = [];
  #word = 0;
  #count = 0;

  put(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      this.#word = (this.#word << 1) | ((value >> bit) & 1);
      if (++this.#count < 8) continue;
      this.bytes.push(this.#word);
      if (this.#word === 255) this.bytes.push(0);
      this.#word = 0;
      this.#count = 0;
    }
  }

  /** Fills the last byte with ones (F.1.2.3), or with zeroes. */
  align(bit = 1): void {
    while (this.#count > 0) this.put(bit, 1);
  }
}

type Codes = ReturnType<typeof encoderTable>;

function putBlock(bits: Bits, block: Int16Array, before: number, dc: Codes, ac: Codes): void {
  const number = (symbol: Codes, high: number, value: number) => {
    const size = 32 - Math.clz32(Math.abs(value));
    const key = (high << 4) | size;
    bits.put(symbol.code[key] ?? 0, symbol.length[key] ?? 0);
    bits.put(value < 0 ? value - 1 + (1 << size) : value, size);
  };
  number(dc, 0, (block[0] ?? 0) - before);
  let run = 0;
  for (let index = 1; index < 64; index++) {
    const value = block[index] ?? 0;
    if (value === 0) {
      run++;
      continue;
    }
    for (; run > 15; run -= 16) bits.put(ac.code[0xf0] ?? 0, ac.length[0xf0] ?? 0);
    number(ac, run, value);
    run = 0;
  }
  if (run > 0) bits.put(ac.code[0] ?? 0, ac.length[0] ?? 0);
}

/** Writes a baseline JPEG as a camera does, with what libvips cannot: any sampling and restart markers. */
export function writeJpeg(rgb: Buffer, width: number, height: number, options: WriterOptions): Buffer {
  const { horizontal: h, vertical: v, restart } = options;
  const across = Math.ceil(width / (8 * h));
  const down = Math.ceil(height / (8 * v));
  const tables = [standardQuantisation(options.quality, false), standardQuantisation(options.quality, true)];
  const planes = planesOf(rgb, width, height, across, down, h, v);
  const codes = [0, 1].map((kind) =>
    [0, 1].map((number) => encoderTable(standardHuffman[kind]?.[number] ?? { counts: [], symbols: [] })),
  );
  const bits = new Bits();
  const predictors = [0, 0, 0];
  const endInterval = (mcu: number) => {
    bits.align(options.likeSamsung ? 0 : 1);
    bits.bytes.push(0xff, 0xd0 + ((mcu / restart - 1) % 8));
    predictors.fill(0);
  };
  for (let mcu = 0; mcu < across * down; mcu++) {
    if (restart > 0 && mcu > 0 && mcu % restart === 0) endInterval(mcu);
    for (const [index, plane] of planes.entries()) {
      const chroma = Math.min(index, 1);
      const [dc, ac] = [codes[0]?.[chroma], codes[1]?.[chroma]];
      if (!dc || !ac) continue;
      for (let y = 0; y < plane.v; y++) {
        for (let x = 0; x < plane.h; x++) {
          const left = ((mcu % across) * plane.h + x) * 8;
          const top = (Math.floor(mcu / across) * plane.v + y) * 8;
          const block = blockOf(plane.samples, plane.stride, left, top, tables[chroma] ?? new Uint16Array(64).fill(1));
          putBlock(bits, block, predictors[index] ?? 0, dc, ac);
          predictors[index] = block[0] ?? 0;
        }
      }
    }
  }
  if (restart > 0 && options.likeSamsung) endInterval(across * down);
  bits.align(options.likeSamsung ? 0 : 1);
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, (h << 4) | v, 0, 2, 0x11, 1, 3, 0x11, 1];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...options.segments,
    ...tables.map((table, number) => segmentOf(0xdb, [number, ...table])),
    segmentOf(0xc0, frame),
    ...standardHuffman.flatMap((pair, kind) =>
      pair.map((spec, number) => segmentOf(0xc4, [(kind << 4) | number, ...spec.counts, ...spec.symbols])),
    ),
    ...(restart > 0 ? [segmentOf(0xdd, [restart >> 8, restart & 255])] : []),
    segmentOf(0xda, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]),
    Buffer.from(bits.bytes),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** An EXIF segment (CIPA DC-008) with maker, size of the picture and a small JPEG as its preview, as every camera writes. */
export function exifSegment(width: number, height: number, preview: Buffer): Buffer {
  const text = Buffer.from('Mendara Test Camera\0');
  const entries = (list: [number, number, number, number][], next: number) => {
    const directory = Buffer.alloc(2 + list.length * 12 + 4);
    directory.writeUInt16LE(list.length, 0);
    for (const [index, [tag, type, count, value]] of list.entries()) {
      directory.writeUInt16LE(tag, 2 + index * 12);
      directory.writeUInt16LE(type, 4 + index * 12);
      directory.writeUInt32LE(count, 6 + index * 12);
      directory.writeUInt32LE(value, 10 + index * 12);
    }
    directory.writeUInt32LE(next, 2 + list.length * 12);
    return directory;
  };
  const textAt = 8 + 30;
  const exifAt = textAt + text.length;
  const previewAt = exifAt + 30 + 42;
  return segmentOf(
    0xe1,
    Buffer.concat([
      Buffer.from('Exif\0\0II*\0\x08\0\0\0', 'latin1'),
      entries(
        [
          [0x010f, 2, text.length, textAt],
          [0x8769, 4, 1, exifAt],
        ],
        exifAt + 30,
      ),
      text,
      entries(
        [
          [0xa002, 4, 1, width],
          [0xa003, 4, 1, height],
        ],
        0,
      ),
      entries(
        [
          [0x0103, 3, 1, 6],
          [0x0201, 4, 1, previewAt],
          [0x0202, 4, 1, preview.length],
        ],
        0,
      ),
      preview,
    ]),
  );
}
