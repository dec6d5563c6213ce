import type { Deadline } from '../../report';
import type { Mended } from '../flate/mend';
import { continueRow, fillRows, type Samples, shiftRows } from '../rows';
import { restoreRows } from './restore';
import { Ties } from './ties';
import { Doubt, unfilterDoubtful } from './doubt';
import { type PngHeader, rowSizes } from './header';
import { type Pass, passesOf } from './passes';
import { type PngRows, unfilterRow } from './rows';

/** A picture without filters, row after row, and how many rows (of all passes, when interlaced) are lost or may be off in colour. */
export type Rendered = { pixels: Buffer; lost: number; off: number; rows: number };

/** Undoes filters as far as the data goes; lost rows are filled in from their neighbours, rows that built on lost ones are set right by those below. */
export function render(header: PngHeader, model: PngRows, mended: Mended, deadline: Deadline): Rendered {
  const { row: bytesPerRow, pixel } = rowSizes(header);
  const pixels = Buffer.alloc(bytesPerRow * header.height);
  const samples: Samples = {
    pixel,
    wide: header.depth === 16 ? 'big' : null,
    numbers: header.depth >= 8 && header.colour !== 3,
  };
  const result: Rendered = { pixels, lost: 0, off: 0, rows: model.starts.length - 1 };
  const ties = new Ties(mended);
  let first = 0;
  for (const pass of passesOf(header)) {
    deadline.check();
    const plain = renderPass(header, pass, first, model, mended, samples, ties, () => false);
    first += pass.height;
    result.lost += plain.lost.reduce((sum, flag) => sum + flag, 0);
    result.off += plain.off;
    place(header, pass, plain, pixels);
  }
  return result;
}

type Plain = { data: Uint8Array; row: number; lost: Uint8Array; off: number };

/** Expected error of a sample, in levels, from which its colour counts as off. */
const offFrom = 6;

function renderPass(
  header: PngHeader,
  pass: Pass,
  first: number,
  model: PngRows,
  mended: Mended,
  samples: Samples,
  ties: Ties,
  late: () => boolean,
): Plain {
  const { row, pixel } = rowSizes({ ...header, width: pass.width });
  const data = new Uint8Array(row * pass.height);
  const lost = new Uint8Array(pass.height);
  let damaged = -1;
  for (let line = 0; line < pass.height; line++) {
    const from = model.starts[first + line] ?? 0;
    const unknown = count0(mended.known, from, from + 1 + row);
    if (unknown > row * 0.9) lost[line] = 1;
    if (unknown > 0 && damaged < 0) damaged = line;
    if (damaged >= 0) continue;
    unfilterRow(
      Math.min(4, mended.data[from] ?? 0),
      mended.data,
      from + 1,
      data,
      line * row,
      line > 0 ? (line - 1) * row : -1,
      row,
      pixel,
    );
  }
  const plain = { data, row, lost, off: 0 };
  if (damaged < 0) return plain;
  if (!samples.numbers) return renderNumbers(plain, first, model, mended, samples, damaged);
  const tainted = restoreRows({ model, mended, ties, samples, first, height: pass.height, row, data, lost, late }, damaged);
  plain.off = tainted.reduce((sum, flag, line) => sum + (lost[line] ? 0 : flag), 0);
  for (let from = 0; from < pass.height; from++) {
    if (lost[from] === 0) continue;
    let to = from;
    while (to < pass.height && lost[to] === 1) to++;
    fillRows(data, row, from, to, pass.height, samples);
    from = to;
  }
  return plain;
}

function renderNumbers(plain: Plain, first: number, model: PngRows, mended: Mended, samples: Samples, damaged: number): Plain {
  const { data, row, lost } = plain;
  const height = lost.length;
  const tainted = new Uint8Array(height);
  const noise = model.typical ** 2 + 1;
  const doubt = new Doubt(row);
  const pixel = samples.pixel;
  for (let line = damaged; line < height; line++) {
    const from = model.starts[first + line] ?? 0;
    const at = line * row;
    const above = line > 0 ? at - row : -1;
    const unknown = count0(mended.known, from + 1, from + 1 + row);
    if (unknown > row * 0.9) {
      lost[line] = 1;
      continueRow(data, row, line, samples);
      doubt.lose(line === 0 ? 6000 : noise);
      continue;
    }
    const filter =
      mended.known[from] === 0
        ? model.likelyFilter(mended.data, from, data, at, above, row)
        : Math.min(4, mended.data[from] ?? 0);
    if (unknown === 0 && (filter < 2 || !doubt.any)) {
      unfilterRow(filter, mended.data, from + 1, data, at, above, row, pixel);
      doubt.clear();
      continue;
    }
    unfilterDoubtful(
      { filter, bytes: mended.data, known: mended.known, raw: from + 1, out: data, at, above, count: row, pixel },
      doubt,
      noise,
      samples,
    );
    if (doubt.mean > offFrom ** 2) tainted[line] = 1;
  }
  plain.off = tainted.reduce((sum, flag) => sum + flag, 0);
  mendGaps(data, row, lost, tainted, samples);
  return plain;
}

function count0(known: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (known[at] === 0) count++;
  return count;
}

/** For each run of lost rows: the rows behind it that built on it are set right by the first row that did not, then the run is filled in. */
function mendGaps(data: Uint8Array, row: number, lost: Uint8Array, tainted: Uint8Array, samples: Samples): void {
  const height = lost.length;
  for (let from = 0; from < height; from++) {
    if (lost[from] === 0) continue;
    let to = from;
    while (to < height && lost[to] === 1) to++;
    let clean = to;
    while (clean < height && tainted[clean] === 1 && lost[clean] === 0) clean++;
    if (samples.numbers && clean > to && clean < height && lost[clean] === 0) shiftRows(data, row, to, clean, samples);
    fillRows(data, row, from, to, height, samples);
    from = to;
  }
}

/** Lays the pixels of a pass out; those of lost rows leave what coarser passes put there. */
function place(header: PngHeader, pass: Pass, plain: Plain, pixels: Buffer): void {
  const { row, pixel } = rowSizes(header);
  if (!header.interlaced) {
    pixels.set(plain.data);
    return;
  }
  const bits = header.depth < 8 ? header.depth : 0;
  const coarsest = pass.x === 0 && pass.y === 0 && pass.dx === 8;
  for (let line = 0; line < pass.height; line++) {
    if (plain.lost[line] === 1 && !coarsest) continue;
    for (let column = 0; column < pass.width; column++) {
      const [left, top] = [pass.x + column * pass.dx, pass.y + line * pass.dy];
      for (let y = top; y < Math.min(header.height, top + pass.high); y++) {
        for (let x = left; x < Math.min(header.width, left + pass.wide); x++) {
          if (bits > 0) putBits(pixels, y * row, x, bits, getBits(plain.data, line * plain.row, column, bits));
          else {
            const from = line * plain.row + column * pixel;
            for (let byte = 0; byte < pixel; byte++) pixels[y * row + x * pixel + byte] = plain.data[from + byte] ?? 0;
          }
        }
      }
    }
  }
}

function getBits(data: Uint8Array, row: number, column: number, bits: number): number {
  const at = column * bits;
  return ((data[row + (at >> 3)] ?? 0) >> (8 - bits - (at & 7))) & ((1 << bits) - 1);
}

function putBits(data: Uint8Array, row: number, column: number, bits: number, value: number): void {
  const at = row + ((column * bits) >> 3);
  const shift = 8 - bits - ((column * bits) & 7);
  data[at] = ((data[at] ?? 0) & ~(((1 << bits) - 1) << shift)) | (value << shift);
}
