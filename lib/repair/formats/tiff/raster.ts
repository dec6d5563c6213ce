import { Buffer } from '../../host/bytes';
import { deflate } from '../../host/packing';
import { sizesOf, space, tag } from './directory';
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
    } else
      for (let first = start; first < Math.min(start + step, end); first++)
        for (let at = first, sum = 0; at < end; at += step) {
          sum = (sum + (data[at] ?? 0)) & 255;
          data[at] = sum;
        }
  }
}

/** Horizontal differences of rows of 8-bit samples. */
function differences(data: Buffer, row: number, samples: number): Buffer {
  const out = Buffer.allocUnsafe(data.length);
  for (let start = 0; start < data.length; start += row)
    for (let first = start; first < start + samples; first++)
      for (let at = first, before = 0; at < start + row; at += samples) {
        const value = data[at] ?? 0;
        out[at] = value - before;
        before = value;
      }
  return out;
}

/** Writes rasters as the pages of a little-endian TIFF, or BigTIFF, with Deflate strips of about 64 kB. */
export function writeTiff(pages: readonly Raster[], isBig = false): Buffer {
  const head = Buffer.from(isBig ? '49492b00080000000000000000000000' : '49492a0000000000', 'hex');
  const parts: Buffer[] = [head];
  let size = head.length;
  let link: { buffer: Buffer; at: number } = { buffer: head, at: head.length - sizesOf(isBig).place };
  for (const page of pages) {
    const { strips, directory, offset, next } = writePage(page, size, isBig);
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
  isBig: boolean,
): { strips: Buffer[]; directory: Buffer; offset: number; next: number } {
  const row = Math.ceil((raster.width * raster.samples * raster.depth) / 8);
  const rowsPerStrip = Math.max(1, Math.floor(65536 / row));
  // Differences between neighbours take a third less room, and with them a quick search for repeats finds nearly all that a long one does.
  const differs = raster.depth === 8 && raster.photometric !== space.palette;
  const strips: Buffer[] = [];
  for (let line = 0; line < raster.height; line += rowsPerStrip) {
    const data = raster.data.subarray(line * row, Math.min(raster.height, line + rowsPerStrip) * row);
    strips.push(deflate(differs ? differences(data, row, raster.samples) : data, differs ? 1 : 6));
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
    [317, 3, [differs ? 2 : 1]],
  ];
  const kept = (raster.kept ?? []).filter(({ tag }) => !fields.some(([number]) => number === tag));
  for (const { tag, type, values } of kept) fields.push([tag, type, values]);
  if (extra && raster.photometric !== space.separated && !kept.some((field) => field.tag === tag.extraSamples))
    fields.push([tag.extraSamples, 3, [2]]);
  fields.sort(([left], [right]) => left - right);
  let offset = start;
  const offsets: number[] = [];
  for (const strip of strips) {
    offsets.push(offset);
    offset += strip.length;
  }
  const pad = Buffer.alloc(offset & 1);
  offset += pad.length;
  const stripField = fields.find(([number]) => number === tag.stripOffsets);
  if (stripField) stripField[2] = offsets;
  const directory = writeDirectory(fields, offset, isBig);
  const padded = directory.length & 1 ? Buffer.concat([directory, Buffer.alloc(1)]) : directory;
  return {
    strips: [...strips, pad],
    directory: padded,
    offset,
    next: sizesOf(isBig).count + fields.length * sizesOf(isBig).entry,
  };
}

/** A directory with the values that lie outside it; places are less than 4 GB. */
function writeDirectory(fields: readonly [number, number, number[]][], offset: number, isBig: boolean): Buffer {
  const sizes = sizesOf(isBig);
  const head = Buffer.alloc(sizes.count + fields.length * sizes.entry + sizes.place);
  head.writeUInt16LE(fields.length, 0);
  const tails: Buffer[] = [];
  let place = offset + head.length;
  for (const [index, [number, type, values]] of fields.entries()) {
    const at = sizes.count + index * sizes.entry;
    const size = type === 3 || type === 8 ? 2 : type === 1 || type === 2 || type === 6 || type === 7 ? 1 : 4;
    const data = Buffer.alloc(Math.max(sizes.place, values.length * size));
    for (const [step, value] of values.entries()) {
      if (size === 1) data[step] = value;
      else if (size === 2) data.writeUInt16LE(value & 0xffff, step * 2);
      else data.writeUInt32LE(value >>> 0, step * 4);
    }
    head.writeUInt16LE(number, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(type === 5 || type === 10 ? values.length >> 1 : values.length, at + 4);
    const own = at + 4 + sizes.place;
    if (data.length <= sizes.place) data.copy(head, own);
    else {
      head.writeUInt32LE(place, own);
      tails.push(data);
      place += data.length;
    }
  }
  return Buffer.concat([head, ...tails]);
}
