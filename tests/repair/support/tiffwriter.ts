import { deflateSync } from 'node:zlib';

/** How a TIFF is laid out (TIFF 6.0). `pixels` are rows of packed samples, 16-bit ones in the file's own byte order. */
export type TiffLayout = {
  width: number;
  height: number;
  samples: number;
  depth: 1 | 4 | 8 | 16;
  photometric: number;
  pixels: Buffer;
  little: boolean;
  /** The directory before the picture data rather than behind it. */
  first: boolean;
  compression: 1 | 5 | 8 | 32773;
  /** LZW as it was before TIFF 6.0. */
  isOldLzw?: boolean;
  predictor?: boolean;
  rowsPerStrip: number;
  palette?: readonly number[];
  /** Each sample in strips of its own (planar configuration 2). */
  planes?: boolean;
  tile?: number;
};

/** Bits of a code when `next` is the next one to be made: the early change of TIFF 6.0, section 13. */
const codeWidth = (next: number) => (next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9);

/** The lower `count` bits of a number in the other order. */
const turned = (value: number, count: number) =>
  Array.from({ length: count }, (_, bit) => ((value >> bit) & 1) << (count - 1 - bit)).reduce((all, bit) => all | bit);

/** Codes of changing width, the most significant bits first. */
class CodeWriter {
  readonly #out: number[] = [];
  #bits = 0;
  #count = 0;

  put(code: number, width: number): void {
    this.#bits = (this.#bits << width) | code;
    this.#count += width;
    for (; this.#count >= 8; this.#count -= 8) this.#out.push((this.#bits >> (this.#count - 8)) & 255);
    this.#bits &= (1 << this.#count) - 1;
  }

  end(): Buffer {
    if (this.#count > 0) this.#out.push((this.#bits << (8 - this.#count)) & 255);
    return Buffer.from(this.#out);
  }
}

/** LZW with the most significant bits first and the early change of TIFF 6.0, section 13; as it was before, both are the other way. */
export function packLzw(data: Uint8Array, isOld = false): Buffer {
  const [clear, end, first, full] = [256, 257, 258, 4094];
  const writer = new CodeWriter();
  let table = new Map<number, number>();
  let next = first;
  let previous = -1;
  const put = (code: number) => {
    const width = codeWidth(isOld ? next - 1 : next);
    writer.put(isOld ? turned(code, width) : code, width);
  };
  put(clear);
  for (const byte of data) {
    const found = previous < 0 ? byte : table.get(previous * 256 + byte);
    if (found === undefined) {
      put(previous);
      table.set(previous * 256 + byte, next++);
      if (next > full) {
        put(clear);
        table = new Map();
        next = first;
      }
    }
    previous = found ?? byte;
  }
  if (previous >= 0) put(previous);
  next++;
  put(end);
  const packed = writer.end();
  return isOld ? Buffer.from(packed.map((byte) => turned(byte, 8))) : packed;
}

function packBits(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    let run = 1;
    while (run < 128 && at + run < data.length && data[at + run] === data[at]) run++;
    if (run > 2) {
      parts.push(Buffer.from([257 - run, data[at] ?? 0]));
      at += run;
      continue;
    }
    let end = at + 1;
    while (end < data.length && end - at < 128 && !(data[end] === data[end + 1] && data[end] === data[end + 2])) end++;
    parts.push(Buffer.from([end - at - 1]), data.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}

function differences(data: Buffer, row: number, samples: number): Buffer {
  const out = Buffer.from(data);
  for (let start = 0; start < data.length; start += row)
    for (let at = Math.min(start + row, data.length) - 1; at >= start + samples; at--)
      out[at] = ((data[at] ?? 0) - (data[at - samples] ?? 0)) & 255;
  return out;
}

function pieces(page: TiffLayout): Buffer[] {
  const { width, height, samples, depth, pixels, tile, rowsPerStrip } = page;
  const row = Math.ceil((width * samples * depth) / 8);
  if (tile) {
    const list: Buffer[] = [];
    const pixel = (samples * depth) / 8;
    for (let y = 0; y < height; y += tile) {
      for (let x = 0; x < width; x += tile) {
        const data = Buffer.alloc(tile * tile * pixel);
        for (let line = 0; line < Math.min(tile, height - y); line++)
          pixels.copy(
            data,
            line * tile * pixel,
            (y + line) * row + x * pixel,
            (y + line) * row + Math.min(width, x + tile) * pixel,
          );
        list.push(data);
      }
    }
    return list;
  }
  const planes = page.planes ? samples : 1;
  return Array.from({ length: planes }, (_, plane) => {
    const own = page.planes
      ? Buffer.from(Uint8Array.from({ length: width * height }, (_value, at) => pixels[at * samples + plane] ?? 0))
      : pixels;
    const line = row / planes;
    return Array.from({ length: Math.ceil(height / rowsPerStrip) }, (_value, index) =>
      own.subarray(index * rowsPerStrip * line, Math.min(height, (index + 1) * rowsPerStrip) * line),
    );
  }).flat();
}

function packed(page: TiffLayout): Buffer[] {
  const row = page.tile ? page.tile * page.samples : (page.width * page.samples) / (page.planes ? page.samples : 1);
  return pieces(page).map((piece) => {
    const data = page.predictor ? differences(piece, row, page.planes ? 1 : page.samples) : piece;
    if (page.compression === 5) return packLzw(data, page.isOldLzw);
    if (page.compression === 8) return deflateSync(data);
    if (page.compression === 1) return data;
    // Rows are packed each on their own (TIFF 6.0, section 9).
    const lines = Array.from({ length: Math.ceil(data.length / row) }, (_, line) =>
      packBits(data.subarray(line * row, line * row + row)),
    );
    return Buffer.concat(lines);
  });
}

/** A field of a directory: tag, type (3 SHORT, 4 LONG), values. */
type Field = [tag: number, type: 3 | 4, values: number[]];

/** The fields of a page; the places of its data are zero until it is written. */
function fieldsOf(page: TiffLayout, data: readonly Buffer[]): Field[] {
  const places = data.map(() => 0);
  const lengths = data.map((piece) => piece.length);
  const strips: Field[] = [
    [273, 4, places],
    [278, 3, [page.rowsPerStrip]],
    [279, 4, lengths],
  ];
  const tiles: Field[] = [
    [322, 3, [page.tile ?? 0]],
    [323, 3, [page.tile ?? 0]],
    [324, 4, places],
    [325, 4, lengths],
  ];
  const fields: Field[] = [
    [256, 3, [page.width]],
    [257, 3, [page.height]],
    [258, 3, new Array(page.samples).fill(page.depth)],
    [259, 3, [page.compression]],
    [262, 3, [page.photometric]],
    [277, 3, [page.samples]],
    [284, 3, [page.planes ? 2 : 1]],
    ...(page.tile ? tiles : strips),
  ];
  if (page.predictor) fields.push([317, 3, [2]]);
  if (page.palette) fields.push([320, 3, [...page.palette]]);
  if (page.samples === 4) fields.push([338, 3, [2]]);
  // A directory is sorted by tag (TIFF 6.0, section 2).
  return fields.sort(([left], [right]) => left - right);
}

/** A number in the file's byte order. */
function put(little: boolean, buffer: Buffer, value: number, at: number, bytes: 2 | 4): void {
  if (bytes === 2) little ? buffer.writeUInt16LE(value, at) : buffer.writeUInt16BE(value, at);
  else little ? buffer.writeUInt32LE(value, at) : buffer.writeUInt32BE(value, at);
}

const sizeOfType = { 3: 2, 4: 4 } as const;

/** The directory at `at`, with what does not fit into its fields behind it. */
function directory(fields: readonly Field[], at: number, little: boolean): Buffer {
  const table = Buffer.alloc(2 + fields.length * 12 + 4);
  const tails: Buffer[] = [];
  let place = at + table.length;
  put(little, table, fields.length, 0, 2);
  for (const [index, [tag, type, values]] of fields.entries()) {
    const bytes = sizeOfType[type];
    const content = Buffer.alloc(Math.max(4, values.length * bytes));
    for (const [step, value] of values.entries()) put(little, content, value, step * bytes, bytes);
    put(little, table, tag, 2 + index * 12, 2);
    put(little, table, type, 4 + index * 12, 2);
    put(little, table, values.length, 6 + index * 12, 4);
    if (content.length <= 4) content.copy(table, 10 + index * 12);
    else {
      put(little, table, place, 10 + index * 12, 4);
      tails.push(content);
      place += content.length;
    }
  }
  return Buffer.concat([table, ...tails]);
}

/** Writes a TIFF with one directory for each page, in layouts that libvips does not make. */
export function writeTiffLayout(pages: readonly TiffLayout[]): Buffer {
  const little = pages[0]?.little ?? true;
  const head = Buffer.alloc(8);
  head.write(little ? 'II' : 'MM', 0, 'latin1');
  put(little, head, 42, 2, 2);
  const chunks: Buffer[] = [head];
  let size = 8;
  /** Adds data at an even place and says where. */
  const add = (data: Buffer) => {
    const at = size;
    chunks.push(data.length & 1 ? Buffer.concat([data, Buffer.alloc(1)]) : data);
    size += chunks.at(-1)?.length ?? 0;
    return at;
  };
  /** Where the place of the next directory is written. */
  let link: [Buffer, number] = [head, 4];
  for (const page of pages) {
    const data = packed(page);
    const fields = fieldsOf(page, data);
    const places = fields.find(([tag]) => tag === 273 || tag === 324)?.[2] ?? [];
    const writeData = () => {
      for (const [index, piece] of data.entries()) places[index] = add(piece);
    };
    if (!page.first) writeData();
    const at = size;
    put(little, link[0], at, link[1], 4);
    add(directory(fields, at, little));
    const index = chunks.length - 1;
    if (page.first) {
      // The places of the data are known only once it stands behind the directory.
      writeData();
      const length = chunks[index]?.length ?? 0;
      chunks[index] = Buffer.concat([directory(fields, at, little), Buffer.alloc(1)]).subarray(0, length);
    }
    link = [chunks[index] ?? head, 2 + fields.length * 12];
  }
  return Buffer.concat(chunks);
}
