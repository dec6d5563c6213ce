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
  predictor?: boolean;
  rowsPerStrip: number;
  palette?: readonly number[];
  /** Each sample in strips of its own (planar configuration 2). */
  planes?: boolean;
  tile?: number;
};

/** LZW with the most significant bits first and the early change of section 13. */
export function packLzw(data: Uint8Array): Buffer {
  const out: number[] = [];
  let [bits, count, width] = [0, 0, 9];
  const put = (code: number) => {
    bits = (bits << width) | code;
    count += width;
    for (; count >= 8; count -= 8) out.push((bits >> (count - 8)) & 255);
    bits &= (1 << count) - 1;
  };
  let table = new Map<number, number>();
  let next = 258;
  put(256);
  let previous = -1;
  for (const byte of data) {
    const found = previous < 0 ? byte : table.get(previous * 256 + byte);
    if (found !== undefined) {
      previous = found;
      continue;
    }
    put(previous);
    table.set(previous * 256 + byte, next++);
    if (next > 4094) {
      put(256);
      table = new Map();
      [next, width] = [258, 9];
    } else width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
    previous = byte;
  }
  if (previous >= 0) put(previous);
  next++;
  width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
  put(257);
  if (count > 0) out.push((bits << (8 - count)) & 255);
  return Buffer.from(out);
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
    if (page.compression === 5) return packLzw(data);
    if (page.compression === 8) return deflateSync(data);
    if (page.compression === 1) return data;
    // Rows are packed each on their own (section 9).
    const lines = Array.from({ length: Math.ceil(data.length / row) }, (_, line) =>
      packBits(data.subarray(line * row, line * row + row)),
    );
    return Buffer.concat(lines);
  });
}

/** Writes a TIFF with one directory for each page, in layouts that libvips does not make. */
export function writeTiffLayout(pages: readonly TiffLayout[]): Buffer {
  const little = pages[0]?.little ?? true;
  const chunks: Buffer[] = [Buffer.alloc(8)];
  let size = 8;
  const add = (data: Buffer) => {
    const at = size;
    const padded = data.length & 1 ? Buffer.concat([data, Buffer.alloc(1)]) : data;
    chunks.push(padded);
    size += padded.length;
    return at;
  };
  const put = (buffer: Buffer, value: number, at: number, bytes: number) => {
    if (bytes === 2) little ? buffer.writeUInt16LE(value, at) : buffer.writeUInt16BE(value, at);
    else little ? buffer.writeUInt32LE(value, at) : buffer.writeUInt32BE(value, at);
  };
  const head = chunks[0] as Buffer;
  head.write(little ? 'II' : 'MM', 0, 'latin1');
  put(head, 42, 2, 2);
  let link: [Buffer, number] = [head, 4];
  for (const page of pages) {
    const data = packed(page);
    const fields: [number, number, number[]][] = [
      [256, 3, [page.width]],
      [257, 3, [page.height]],
      [258, 3, new Array(page.samples).fill(page.depth)],
      [259, 3, [page.compression]],
      [262, 3, [page.photometric]],
      ...(page.tile ? [] : ([[273, 4, data.map(() => 0)]] as [number, number, number[]][])),
      [277, 3, [page.samples]],
      ...(page.tile
        ? []
        : ([
            [278, 3, [page.rowsPerStrip]],
            [279, 4, data.map((piece) => piece.length)],
          ] as [number, number, number[]][])),
      [284, 3, [page.planes ? 2 : 1]],
      ...(page.predictor ? ([[317, 3, [2]]] as [number, number, number[]][]) : []),
      ...(page.palette ? ([[320, 3, [...page.palette]]] as [number, number, number[]][]) : []),
      ...(page.tile
        ? ([
            [322, 3, [page.tile]],
            [323, 3, [page.tile]],
            [324, 4, data.map(() => 0)],
            [325, 4, data.map((piece) => piece.length)],
          ] as [number, number, number[]][])
        : []),
      ...(page.samples === 4 ? ([[338, 3, [2]]] as [number, number, number[]][]) : []),
    ];
    const places = fields.find(([tag]) => tag === 273 || tag === 324)?.[2] ?? [];
    const writeData = () => {
      for (const [index, piece] of data.entries()) places[index] = add(piece);
    };
    const writeValues = (at: number) => {
      const table = Buffer.alloc(2 + fields.length * 12 + 4);
      const tails: Buffer[] = [];
      put(table, fields.length, 0, 2);
      let place = at + table.length;
      for (const [index, [tag, type, values]] of fields.entries()) {
        const bytes = type === 3 ? 2 : 4;
        const content = Buffer.alloc(Math.max(4, values.length * bytes));
        for (const [step, value] of values.entries()) put(content, value, step * bytes, bytes);
        put(table, tag, 2 + index * 12, 2);
        put(table, type, 4 + index * 12, 2);
        put(table, values.length, 6 + index * 12, 4);
        if (content.length <= 4) content.copy(table, 10 + index * 12);
        else {
          put(table, place, 10 + index * 12, 4);
          tails.push(content);
          place += content.length;
        }
      }
      return [table, ...tails];
    };
    if (!page.first) writeData();
    const at = size;
    put(link[0], at, link[1], 4);
    const length = writeValues(at).reduce((sum, part) => sum + part.length, 0);
    if (page.first) {
      // The places of the data are known only once it stands behind the directory.
      const index = chunks.length;
      add(Buffer.alloc(length));
      writeData();
      const parts = Buffer.concat([...writeValues(at), Buffer.alloc(length & 1)]);
      chunks[index] = parts;
      link = [parts, 2 + fields.length * 12];
    } else {
      const parts = Buffer.concat(writeValues(at));
      add(parts);
      const kept = chunks.at(-1) as Buffer;
      link = [kept, 2 + fields.length * 12];
    }
  }
  return Buffer.concat(chunks);
}
