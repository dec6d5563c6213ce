import type { PngHeader } from './header';

/** A picture of its own inside an interlaced one: its size, and where its pixels lie; `wide` and `high` are the block a pixel stands for until later passes. */
export type Pass = {
  width: number;
  height: number;
  x: number;
  y: number;
  dx: number;
  dy: number;
  wide: number;
  high: number;
};

/** First column and row, steps across and down, and block of the seven passes of Adam7 (ISO/IEC 15948, 8.2). */
const adam7 = [
  [0, 0, 8, 8, 8, 8],
  [4, 0, 8, 8, 4, 8],
  [0, 4, 4, 8, 4, 4],
  [2, 0, 4, 4, 2, 4],
  [0, 2, 2, 4, 2, 2],
  [1, 0, 2, 2, 1, 2],
  [0, 1, 1, 2, 1, 1],
] as const;

/** The passes a picture is stored in, those without pixels left out; one for all of a picture that is not interlaced. */
export function passesOf(header: PngHeader): Pass[] {
  if (!header.interlaced)
    return [{ width: header.width, height: header.height, x: 0, y: 0, dx: 1, dy: 1, wide: 1, high: 1 }];
  return adam7
    .map(([x, y, dx, dy, wide, high]) => ({
      width: Math.max(0, Math.ceil((header.width - x) / dx)),
      height: Math.max(0, Math.ceil((header.height - y) / dy)),
      x,
      y,
      dx,
      dy,
      wide,
      high,
    }))
    .filter(({ width, height }) => width > 0 && height > 0);
}
