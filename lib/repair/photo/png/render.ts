import type { Deadline } from '../../report';
import type { Mended } from '../flate/mend';
import { fillRows, type Samples } from '../rows';
import { alphaBytes } from './alpha';
import { type PngHeader, rowSizes } from './header';
import { restoreNumbers } from './numbers';
import { makeOpaque, settleOpaque } from './opaque';
import { type Pass, passesOf } from './passes';
import { fillLostPixels, type PassRows, placePass } from './place';
import { restoreRows } from './restore';
import { type PngRows, unfilterRow } from './rows';
import { Ties } from './ties';

/**
 * A picture without filters, row after row, and how many rows (of all passes, when interlaced) are lost or may be off in colour; `trusted` rows are known for the greater part, `wrong` ones have colours
 * beyond the range that there is.
 */
export type Rendered = { pixels: Buffer; lost: number; off: number; rows: number; wrong: number; trusted: number };

/** Undoes filters as far as the data goes; lost rows are filled in from their neighbours, rows that built on lost ones are set right by those below. */
export function render(header: PngHeader, model: PngRows, mended: Mended, deadline: Deadline): Rendered {
  const { row: bytesPerRow, pixel } = rowSizes(header);
  // A picture in one pass is its rows: room of its own is only needed where several passes are put together.
  const pixels = Buffer.alloc(header.interlaced ? bytesPerRow * header.height : 0);
  const samples: Samples = {
    pixel,
    wide: header.depth === 16 ? 'big' : null,
    numbers: header.depth >= 8 && header.colour !== 3,
  };
  const result: Rendered = { pixels, lost: 0, off: 0, rows: model.starts.length - 1, wrong: 0, trusted: 0 };
  const isOpaque = settleOpaque(header, model, mended);
  const ties = new Ties(mended);
  // Alpha values that are known anyway tell nothing about a row.
  const told = isOpaque ? 1 - alphaBytes(header) / pixel : 1;
  const until = deadline.work - (bytesPerRow * header.height > largePicture ? shortPatience : patience);
  const given = new Uint8Array(header.interlaced ? header.width * header.height : 0);
  let first = 0;
  for (const pass of passesOf(header)) {
    deadline.check();
    const plain = renderPass(header, pass, first, model, mended, samples, ties, told, () => deadline.work < until);
    first += pass.height;
    result.lost += plain.lost.reduce((sum, flag) => sum + flag, 0);
    result.off += plain.off;
    result.wrong += plain.wrong;
    result.trusted += plain.trusted;
    if (header.interlaced) placePass(header, pass, plain, pixels, given);
    else result.pixels = Buffer.from(plain.data.buffer, plain.data.byteOffset, plain.data.length);
  }
  // Averages of numbers of colours, or of the halves of 16-bit samples, mean nothing.
  if (header.interlaced && header.depth === 8 && samples.numbers) fillLostPixels(header, pixels, given);
  if (isOpaque) makeOpaque(header, result.pixels);
  return result;
}

type Plain = PassRows & { off: number; wrong: number; trusted: number };

/** Milliseconds that the search for lost residuals may take, and in pictures of more bytes than `largePicture`. */
const patience = 1200;
const shortPatience = 800;
const largePicture = 4 << 20;

function renderPass(
  header: PngHeader,
  pass: Pass,
  first: number,
  model: PngRows,
  mended: Mended,
  samples: Samples,
  ties: Ties,
  told: number,
  late: () => boolean,
): Plain {
  const { row, pixel } = rowSizes({ ...header, width: pass.width });
  const data = new Uint8Array(row * pass.height);
  const lost = new Uint8Array(pass.height);
  const plain: Plain = { data, row, lost, off: 0, wrong: 0, trusted: 0 };
  let damaged = -1;
  for (let line = 0; line < pass.height; line++) {
    const from = model.starts[first + line] ?? 0;
    const unknown = count0(mended.known, from, from + 1 + row);
    if (unknown > row * told * 0.9) lost[line] = 1;
    if (unknown < row * told * 0.5) plain.trusted++;
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
  if (damaged < 0) return plain;
  if (!samples.numbers) {
    plain.off = restoreNumbers(plain, first, model, mended, samples, damaged);
    return plain;
  }
  const tainted = restoreRows(
    { model, mended, ties, samples, first, height: pass.height, row, data, lost, late },
    damaged,
  );
  plain.off = tainted.reduce((sum, flag, line) => sum + (lost[line] || flag === 0 ? 0 : 1), 0);
  plain.wrong = tainted.reduce((sum, flag) => sum + (flag === 2 ? 1 : 0), 0);
  for (let from = 0; from < pass.height; from++) {
    if (lost[from] === 0) continue;
    let to = from;
    while (to < pass.height && lost[to] === 1) to++;
    fillRows(data, row, from, to, pass.height, samples);
    from = to;
  }
  return plain;
}

function count0(known: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (known[at] === 0) count++;
  return count;
}
