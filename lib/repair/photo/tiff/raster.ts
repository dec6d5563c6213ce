import { deflateSync } from 'node:zlib';
import type { Deadline } from '../../report';
import type { KeptField } from './layout';

/** A picture as rows of interleaved samples, in the byte order of little-endian files when samples have 16 bits. */
export type Raster = {
  width: number;
  height: number;
  samples: number;
  depth: number;
  photometric: number;
  data: Buffer;
  /** Fields that are carried over as they were. */
  kept?: readonly KeptField[];
};

/** Undoes horizontal differencing (TIFF 6.0, section 14) in rows of 8-bit samples, or 16-bit ones in the given order. */
export function undoPredictor(data: Buffer, row: number, samples: number, depth: number, little: boolean): void {
  const step = depth === 16 ? samples * 2 : samples;
  for (let start = 0; start < data.length; start += row) {
    const end = Math.min(start + row, data.length);
    if (depth === 16) {
      for (let at = start + step; at + 1 < end; at += 2) {
        const value = little
          ? data.readUInt16LE(at) + data.readUInt16LE(at - step)
          : data.readUInt16BE(at) + data.readUInt16BE(at - step);
        if (little) data.writeUInt16LE(value & 0xffff, at);
        else data.writeUInt16BE(value & 0xffff, at);
      }
    } else for (let at = start + step; at < end; at++) data[at] = ((data[at] ?? 0) + (data[at - step] ?? 0)) & 255;
  }
}

/** Writes rasters as the pages of a little-endian TIFF with Deflate strips of about 64 kB. */
export function writeTiff(pages: readonly Raster[]): Buffer {
  const parts: Buffer[] = [Buffer.from('49492a0000000000', 'hex')];
  let size = 8;
  let link: { buffer: Buffer; at: number } = { buffer: parts[0] as Buffer, at: 4 };
  for (const page of pages) {
    const { strips, directory, offset, next } = writePage(page, size);
    link.buffer.writeUInt32LE(offset, link.at);
    link = { buffer: directory, at: next };
    for (const part of [...strips, directory]) {
      parts.push(part);
      size += part.length;
    }
  }
  return Buffer.concat(parts);
}

function writePage(
  raster: Raster,
  start: number,
): { strips: Buffer[]; directory: Buffer; offset: number; next: number } {
  const row = Math.ceil((raster.width * raster.samples * raster.depth) / 8);
  const rowsPerStrip = Math.max(1, Math.floor(65536 / row));
  const strips: Buffer[] = [];
  for (let line = 0; line < raster.height; line += rowsPerStrip) {
    strips.push(deflateSync(raster.data.subarray(line * row, Math.min(raster.height, line + rowsPerStrip) * row)));
  }
  const extra = raster.samples === 2 || raster.samples === 4;
  const fields: [number, number, number[]][] = [
    [256, 4, [raster.width]],
    [257, 4, [raster.height]],
    [258, 3, new Array(raster.samples).fill(raster.depth)],
    [259, 3, [8]],
    [262, 3, [raster.photometric]],
    [273, 4, []],
    [277, 3, [raster.samples]],
    [278, 4, [rowsPerStrip]],
    [279, 4, strips.map((strip) => strip.length)],
    [284, 3, [1]],
  ];
  const kept = (raster.kept ?? []).filter(({ tag }) => !fields.some(([number]) => number === tag));
  for (const { tag, type, values } of kept) fields.push([tag, type, values]);
  if (extra && raster.photometric !== 5 && !kept.some(({ tag }) => tag === 338)) fields.push([338, 3, [2]]);
  fields.sort(([left], [right]) => left - right);
  let offset = start;
  const offsets: number[] = [];
  for (const strip of strips) {
    offsets.push(offset);
    offset += strip.length;
  }
  const pad = Buffer.alloc(offset & 1);
  offset += pad.length;
  const stripField = fields.find(([number]) => number === 273);
  if (stripField) stripField[2] = offsets;
  const directory = writeDirectory(fields, offset);
  const padded = directory.length & 1 ? Buffer.concat([directory, Buffer.alloc(1)]) : directory;
  return { strips: [...strips, pad], directory: padded, offset, next: 2 + fields.length * 12 };
}

function writeDirectory(fields: readonly [number, number, number[]][], offset: number): Buffer {
  const head = Buffer.alloc(2 + fields.length * 12 + 4);
  head.writeUInt16LE(fields.length, 0);
  const tails: Buffer[] = [];
  let place = offset + head.length;
  for (const [index, [number, type, values]] of fields.entries()) {
    const at = 2 + index * 12;
    const size = type === 3 || type === 8 ? 2 : type === 1 || type === 2 || type === 6 || type === 7 ? 1 : 4;
    const data = Buffer.alloc(Math.max(4, values.length * size));
    for (const [step, value] of values.entries()) {
      if (size === 1) data[step] = value;
      else if (size === 2) data.writeUInt16LE(value & 0xffff, step * 2);
      else data.writeUInt32LE(value >>> 0, step * 4);
    }
    head.writeUInt16LE(number, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(type === 5 || type === 10 ? values.length >> 1 : values.length, at + 4);
    if (data.length <= 4) data.copy(head, at + 8);
    else {
      head.writeUInt32LE(place, at + 8);
      tails.push(data);
      place += data.length;
    }
  }
  return Buffer.concat([head, ...tails]);
}

/** The mean difference of samples `lag` bytes apart, round the clock of a byte, over about `samples` of them. */
function difference(data: Buffer, lag: number, samples: number): number {
  const step = Math.max(1, Math.floor((data.length - lag) / samples));
  let sum = 0;
  let count = 0;
  for (let at = lag; at < data.length; at += step) {
    const gap = Math.abs((data[at] ?? 0) - (data[at - lag] ?? 0));
    sum += gap > 128 ? 256 - gap : gap;
    count++;
  }
  return count > 0 ? sum / count : Number.POSITIVE_INFINITY;
}

/**
 * Finds width, samples and differencing of rows that lost their description: rows resemble the one above, whether they hold samples or
 * their differences. `strip` is a length that rows must divide, 0 when unknown.
 */
export function guessShape(
  data: Buffer,
  strip: number,
  predicted: boolean,
  deadline: Deadline,
): { width: number; samples: number; predictor: boolean; depth: 8 | 16; big: boolean } | null {
  const sample = data.subarray(0, Math.min(data.length, 8 << 20));
  const most = Math.min(strip > 0 ? strip : 80_000, Math.floor(sample.length / 4));
  const lags: { lag: number; cost: number }[] = [];
  for (let lag = 16; lag <= most; lag++) {
    if (strip > 0 && strip % lag !== 0) continue;
    if (lag % 512 === 0) deadline.check();
    lags.push({ lag, cost: difference(sample, lag, strip > 0 ? 40_000 : 1500) });
  }
  const nearest = lags.sort((left, right) => left.cost - right.cost).slice(0, 60);
  const best = nearest
    .map(({ lag }) => ({ lag, cost: difference(sample, lag, 60_000) }))
    .sort((left, right) => left.cost - right.cost)[0];
  if (!best) return null;
  // Noise, such as packed data, resembles itself at no distance.
  const typical = lags[lags.length >> 1]?.cost ?? 64;
  if (strip === 0 && (best.cost > typical * 0.75 || best.cost > 45)) return null;
  const counts = [3, 1, 4].filter((count) => best.lag % count === 0);
  const smoothest = (cost: (count: number) => number) =>
    counts.map((count) => ({ count, cost: cost(count) })).sort((left, right) => left.cost - right.cost)[0]?.count ?? 1;
  if (predicted && isDifferenced(sample)) {
    // Undone with the wrong number of samples, errors add up along each row, so that rows no longer resemble each other.
    const rows = sample.subarray(0, best.lag * Math.min(200, Math.floor(sample.length / best.lag)));
    const samples = smoothest((count) => {
      const undone = Buffer.from(rows);
      undoPredictor(undone, best.lag, count, 8, true);
      return difference(undone, best.lag, 60_000);
    });
    return { width: best.lag / samples, samples, predictor: true, depth: 8, big: false };
  }
  const samples = smoothest((count) => difference(sample, count, 60_000));
  // Samples of two bytes resemble those two, six or eight bytes away more than any nearer ones.
  const single = difference(sample, samples, 60_000);
  const wide = [6, 2, 8]
    .filter((step) => best.lag % step === 0)
    .map((step) => ({ step, cost: difference(sample, step, 60_000) }))
    .sort((left, right) => left.cost - right.cost)[0];
  if (wide && wide.cost < single * 0.8)
    return {
      width: best.lag / wide.step,
      samples: wide.step / 2,
      predictor: false,
      depth: 16,
      big: highFirst(sample, wide.step),
    };
  return { width: best.lag / samples, samples, predictor: false, depth: 8, big: false };
}

/** Whether the first byte of each pair is the high one, which changes less from pixel to pixel. */
function highFirst(data: Buffer, step: number): boolean {
  let balance = 0;
  for (let at = step; at + 1 < Math.min(data.length, 400_000); at += 2)
    balance +=
      Math.abs((data[at + 1] ?? 0) - (data[at + 1 - step] ?? 0)) - Math.abs((data[at] ?? 0) - (data[at - step] ?? 0));
  return balance > 0;
}

/** Differences jump between small positive and small negative numbers (near 255) all the time; samples hardly ever do. */
function isDifferenced(data: Buffer): boolean {
  let jumps = 0;
  let count = 0;
  const step = Math.max(1, Math.floor(data.length / 50_000));
  for (let at = 3; at < data.length; at += step) {
    if (Math.abs((data[at] ?? 0) - (data[at - 3] ?? 0)) > 190) jumps++;
    count++;
  }
  return jumps > count * 0.08;
}
