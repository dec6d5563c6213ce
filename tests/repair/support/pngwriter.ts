import { zlibSync } from 'fflate';
import { writeChunk } from '../../../lib/repair/formats/png/chunks';

/** How a PNG is laid out: its samples, the row filter (0 to 4, or the one with the least sum for each row), and the size of its IDAT chunks in bytes. */
export type PngLayout = {
  width: number;
  height: number;
  channels: 1 | 3 | 4;
  pixels: Buffer;
  filter: 0 | 1 | 2 | 3 | 4 | 'least sum';
  chunk?: number;
  level?: 1 | 6 | 9;
  /** Bits of a sample: 8, or 16 of which the upper byte comes first. */
  depth?: 8 | 16;
};

function filtered(row: Buffer, above: Buffer, pixel: number, filter: number): Buffer {
  const out = Buffer.alloc(row.length + 1);
  out[0] = filter;
  for (let at = 0; at < row.length; at++) {
    const left = at >= pixel ? (row[at - pixel] ?? 0) : 0;
    const up = above[at] ?? 0;
    const corner = at >= pixel ? (above[at - pixel] ?? 0) : 0;
    const estimate = left + up - corner;
    const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
    const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
    out[at + 1] = ((row[at] ?? 0) - ([0, left, up, (left + up) >> 1, paeth][filter] ?? 0)) & 255;
  }
  return out;
}

const weight = (row: Buffer) => row.reduce((sum, byte) => sum + (byte > 127 ? 256 - byte : byte), 0);

/** Writes a PNG in layouts that libvips does not make, packed by fflate. */
export function writePng(layout: PngLayout): Buffer {
  const { width, height, channels, pixels, filter } = layout;
  const pixel = (channels * (layout.depth ?? 8)) / 8;
  const row = width * pixel;
  const rows: Buffer[] = [];
  for (let y = 0; y < height; y++) {
    const [line, above] = [
      pixels.subarray(y * row, y * row + row),
      y > 0 ? pixels.subarray((y - 1) * row, y * row) : Buffer.alloc(row),
    ];
    const tries = (filter === 'least sum' ? [0, 1, 2, 3, 4] : [filter]).map((kind) =>
      filtered(line, above, pixel, kind),
    );
    rows.push(tries.reduce((best, next) => (weight(next) < weight(best) ? next : best)));
  }
  const packed = zlibSync(Buffer.concat(rows), { level: layout.level ?? 6 });
  const size = layout.chunk ?? packed.length;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([layout.depth ?? 8, channels === 1 ? 0 : channels === 3 ? 2 : 6], 8);
  const parts = [Buffer.from('89504e470d0a1a0a', 'hex'), writeChunk('IHDR', header)];
  for (let at = 0; at < packed.length; at += size) parts.push(writeChunk('IDAT', packed.subarray(at, at + size)));
  return Buffer.concat([...parts, writeChunk('IEND', Buffer.alloc(0))]);
}
