import { crc32 } from '../../bytes';

/** The image header (ISO/IEC 15948, 11.2.2). */
export type PngHeader = { width: number; height: number; depth: number; colour: number; interlaced: boolean };

const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const depthsOf: Record<number, number[]> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };

/** Bytes of one row without its filter byte, and of one pixel (at least one). */
export function rowSizes(header: PngHeader): { row: number; pixel: number } {
  const bits = (channelsOf[header.colour] ?? 1) * header.depth;
  return { row: Math.ceil((header.width * bits) / 8), pixel: Math.max(1, bits >> 3) };
}

/** Reads header data; null when its values cannot be. */
export function readHeader(data: Buffer): PngHeader | null {
  if (data.length < 13) return null;
  const header = {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    depth: data[8] ?? 0,
    colour: data[9] ?? 0,
    interlaced: data[12] === 1,
  };
  const fits =
    depthsOf[header.colour]?.includes(header.depth) && data[10] === 0 && data[11] === 0 && (data[12] ?? 2) < 2;
  return fits && header.width > 0 && header.height > 0 && header.width < 1 << 24 && header.height < 1 << 24
    ? header
    : null;
}

export function writeHeader(header: PngHeader): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(header.width, 0);
  data.writeUInt32BE(header.height, 4);
  data.set([header.depth, header.colour, 0, 0, header.interlaced ? 1 : 0], 8);
  return data;
}

/**
 * Finds the header that fits the inflated rows: the length of a row shows in filter bytes from 0 to 4 at its steps, the kind of pixel
 * in how smooth the rows become. A surviving check sum of the lost header (`sum`) decides beyond doubt.
 */
export function guessHeader(
  data: Buffer,
  hasPalette: boolean,
  sum: number | null,
  complete: boolean,
): PngHeader | null {
  const steps = rowSteps(data, complete);
  let best: PngHeader | null = null;
  // Numbers that stand for colours of a lost table are no smooth picture; what is rougher than any picture is not one.
  let least = 42;
  for (const step of steps.slice(0, 6)) {
    const height = Math.floor(data.length / step);
    for (const [colour, depth] of hasPalette
      ? ([
          [3, 8],
          [3, 4],
          [3, 2],
          [3, 1],
        ] as const)
      : ([
          [6, 8],
          [2, 8],
          [0, 8],
          [4, 8],
          [2, 16],
          [6, 16],
          [0, 16],
        ] as const)) {
      const bits = (channelsOf[colour] ?? 1) * depth;
      if (((step - 1) * 8) % bits !== 0) continue;
      const header = { width: ((step - 1) * 8) / bits, height, depth, colour, interlaced: false };
      if (sum !== null && crc32(writeHeader(header), crc32(Buffer.from('IHDR'))) === sum) return header;
      const cost = roughness(data, step, bits >> 3 || 1);
      if (cost < least * 0.97) {
        least = cost;
        best = header;
      }
    }
  }
  return best;
}

/** Row lengths, filter byte included, for which (nearly) every step begins with a filter byte; divisors of the whole first. */
function rowSteps(data: Buffer, complete: boolean): number[] {
  const found: { step: number; score: number }[] = [];
  const most = Math.min(data.length >> 1, 1 << 17);
  for (let step = 3; step <= most; step++) {
    if (complete && data.length % step !== 0) continue;
    const rows = Math.floor(data.length / step);
    const checked = Math.min(rows, 400);
    let hits = 0;
    for (let row = 0; row < checked; row++) {
      if ((data[row * step] ?? 9) <= 4) hits++;
      else if (row > 8 && hits < row * 0.9) break;
    }
    if (checked >= 4 && hits >= checked * 0.98) found.push({ step, score: hits });
  }
  return found.sort((left, right) => right.score - left.score || left.step - right.step).map(({ step }) => step);
}

/** How much neighbouring pixels differ in the first rows, once filters are undone, per byte. */
function roughness(data: Buffer, step: number, pixel: number): number {
  const rows = Math.min(24, Math.floor(data.length / step));
  const plain = unfilterRows(data.subarray(0, rows * step), step - 1, pixel, rows).pixels;
  let sum = 0;
  let count = 0;
  for (let at = pixel; at < plain.length; at++) {
    sum += Math.min(64, Math.abs((plain[at] ?? 0) - (plain[at - pixel] ?? 0)));
    if (at >= step - 1) sum += Math.min(64, Math.abs((plain[at] ?? 0) - (plain[at - step + 1] ?? 0)));
    count++;
  }
  return sum / Math.max(1, count);
}

/** Undoes the row filters (9.2); `bad` counts rows whose filter byte cannot be. */
export function unfilterRows(data: Buffer, row: number, pixel: number, rows: number): { pixels: Buffer; bad: number } {
  const pixels = Buffer.alloc(row * rows);
  let bad = 0;
  for (let line = 0; line < rows; line++) {
    const from = line * (row + 1);
    const filter = data[from] ?? 0;
    if (filter > 4) bad++;
    const out = line * row;
    for (let at = 0; at < row; at++) {
      const raw = data[from + 1 + at] ?? 0;
      const left = at >= pixel ? (pixels[out + at - pixel] ?? 0) : 0;
      const up = line > 0 ? (pixels[out - row + at] ?? 0) : 0;
      let value = raw;
      if (filter === 1) value += left;
      else if (filter === 2) value += up;
      else if (filter === 3) value += (left + up) >> 1;
      else if (filter === 4) {
        const corner = line > 0 && at >= pixel ? (pixels[out - row + at - pixel] ?? 0) : 0;
        const estimate = left + up - corner;
        const [byLeft, byUp, byCorner] = [
          Math.abs(estimate - left),
          Math.abs(estimate - up),
          Math.abs(estimate - corner),
        ];
        value += byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
      }
      pixels[out + at] = value & 255;
    }
  }
  return { pixels, bad };
}

/** The seven passes of an interlaced picture: first column and row, steps across and down, and the block a pixel stands for until later passes. */
const passes = [
  [0, 0, 8, 8, 8, 8],
  [4, 0, 8, 8, 4, 8],
  [0, 4, 4, 8, 4, 4],
  [2, 0, 4, 4, 2, 4],
  [0, 2, 2, 4, 2, 2],
  [1, 0, 2, 2, 1, 2],
  [0, 1, 1, 2, 1, 1],
] as const;

/**
 * Lays out the pixels of an interlaced picture as far as its data goes: each pixel stands for the block around it until a later pass
 * refines that, so that a cut picture is coarse rather than full of holes. Samples of at least eight bits; null for smaller ones.
 */
export function deinterlace(data: Buffer, header: PngHeader): Buffer | null {
  const { row, pixel } = rowSizes(header);
  if (header.depth < 8) return null;
  const picture = Buffer.alloc(row * header.height);
  let at = 0;
  for (const [x, y, dx, dy, wide, high] of passes) {
    const across = Math.ceil((header.width - x) / dx);
    const down = Math.ceil((header.height - y) / dy);
    if (across <= 0 || down <= 0) continue;
    const lines = Math.min(down, Math.floor((data.length - at) / (across * pixel + 1)));
    if (lines <= 0) break;
    const { pixels } = unfilterRows(data.subarray(at), across * pixel, pixel, lines);
    at += lines * (across * pixel + 1);
    for (let line = 0; line < lines; line++) {
      for (let column = 0; column < across; column++) {
        const from = (line * across + column) * pixel;
        for (let v = y + line * dy; v < Math.min(header.height, y + line * dy + high); v++) {
          for (let u = x + column * dx; u < Math.min(header.width, x + column * dx + wide); u++)
            pixels.copy(picture, v * row + u * pixel, from, from + pixel);
        }
      }
    }
    if (lines < down) break;
  }
  return picture;
}

/** Inflated size of an interlaced picture: seven passes, each with its own rows (8.2). */
export function interlacedSize(header: PngHeader): number {
  return passes.reduce((sum, [x, y, dx, dy]) => {
    const width = Math.ceil((header.width - x) / dx);
    const height = Math.ceil((header.height - y) / dy);
    return width > 0 && height > 0 ? sum + (rowSizes({ ...header, width }).row + 1) * height : sum;
  }, 0);
}

/** Finds the header of an interlaced picture, whose rows do not show their length, by its surviving check sum and the size of the data. */
export function guessInterlaced(size: number, sum: number): PngHeader | null {
  const start = crc32(Buffer.from('IHDR'));
  for (const [colour, depths] of Object.entries(depthsOf)) {
    for (const depth of depths) {
      for (let width = 1; width <= 8000; width++) {
        const header = { width, height: 1, depth, colour: Number(colour), interlaced: true };
        // The size grows with the height, so halving finds the one that fits.
        let [low, high] = [1, Math.ceil((size * 8) / width) + 8];
        while (low < high) {
          header.height = (low + high) >> 1;
          if (interlacedSize(header) < size) low = header.height + 1;
          else high = header.height;
        }
        header.height = low;
        if (interlacedSize(header) === size && crc32(writeHeader(header), start) === sum) return header;
      }
    }
  }
  return null;
}
