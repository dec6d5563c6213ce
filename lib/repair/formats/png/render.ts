import { firstGarbage } from '../../core/deflate/garbage';
import type { Mended } from '../../core/deflate/mended';
import { fillRows, type Samples } from '../../core/rows';
import { Buffer } from '../../host/bytes';
import type { Deadline, Effort } from '../../report';
import { alphaBytes, hasHoles } from './alpha';
import { type PngHeader, rowSizes } from './header';
import { restoreNumbers } from './numbers';
import { givenBy, layOpacity, settleOpacity } from './opacity';
import { makeOpaque, settleOpaque } from './opaque';
import { type Pass, passesOf } from './passes';
import { dropStrange, fillLostPixels, type PassRows, placePass } from './place';
import { restoreRows } from './restore';
import { type PngRows, unfilterRow } from './rows';
import { Ties } from './ties';

/** Share of a row's bytes that tell anything: unknown ones above which it is lost, and below which it is trusted. */
const unknownShare = { lost: 0.9, trusted: 0.5 };

/**
 * A picture without filters, row after row, and how many rows (of all passes, when interlaced) are lost or may be off in colour;
 * `trusted` rows are known for the greater part, `wrong` ones have colours beyond the range that there is. `certain` is the share of
 * bands of 16 rows of which nothing is in doubt, `sure` how many rows there are above all doubt; `misread` tells of damage that was
 * not noticed while reading, and `rough` how many rows are as rough as no picture is.
 */
export type Rendered = {
  pixels: Buffer;
  lost: number;
  off: number;
  rows: number;
  wrong: number;
  trusted: number;
  certain: number;
  sure: number;
  misread: boolean;
  rough: number;
};

/**
 * Undoes filters as far as the data goes; lost rows are filled in from their neighbours, rows that built on lost ones are set right by those
 * below. `hole` is the byte of colours by number of which nothing is seen.
 */
export function render(
  header: PngHeader,
  model: PngRows,
  mended: Mended,
  deadline: Deadline,
  hole: number | null = null,
): Rendered {
  const { row: bytesPerRow, pixel } = rowSizes(header);
  // A picture in one pass is its rows: room of its own is only needed where several passes are put together.
  const pixels = Buffer.alloc(header.interlaced ? bytesPerRow * header.height : 0);
  const samples: Samples = {
    pixel,
    wide: header.depth === 16 ? 'big' : null,
    numbers: header.depth >= 8 && header.colour !== 3,
    clear: hole,
  };
  const result: Rendered = {
    pixels,
    lost: 0,
    off: 0,
    rows: model.starts.length - 1,
    wrong: 0,
    trusted: 0,
    certain: 0,
    sure: -1,
    misread: false,
    rough: 0,
  };
  const garbage = firstGarbage(mended, result.rows);
  result.misread = garbage < result.rows;
  const doubted = new Uint8Array(Math.ceil(header.height / bandRows));
  const isOpaque = settleOpaque(header, model, mended);
  const ties = new Ties(mended);
  // Alpha values that are known anyway tell nothing about a row.
  const told = isOpaque ? 1 - alphaBytes(header) / pixel : 1;
  const effort = deadline.effort.share(bytesPerRow * header.height > largePicture ? lessEffort : mostEffort);
  const given = new Uint8Array(header.interlaced ? header.width * header.height : 0);
  let first = 0;
  let usual: number | null = null;
  for (const pass of passesOf(header)) {
    deadline.check();
    const plain = renderPass(header, pass, first, model, mended, samples, ties, told, effort);
    for (let line = 0; line < pass.height; line++) if (first + line >= garbage) plain.tainted[line] ||= 1;
    // Into the coarsest pass there is nothing to look.
    if (first > 0 && header.depth === 8 && samples.numbers)
      usual = dropStrange(header, pass, plain, result.sure < 0 ? firstDoubt(plain) : 0, pixels, usual);
    count(result, doubted, pass, plain, first);
    result.rough += roughRows(plain, samples);
    first += pass.height;
    if (header.interlaced) placePass(header, pass, plain, pixels, given);
    else result.pixels = Buffer.from(plain.data.buffer, plain.data.byteOffset, plain.data.length);
  }
  // Averages of numbers of colours, or of the halves of 16-bit samples, mean nothing.
  if (header.interlaced && header.depth === 8 && samples.numbers) fillLostPixels(header, pixels, given);
  if (result.sure < 0) result.sure = result.rows;
  result.certain = doubted.filter((flag) => flag === 0).length / Math.max(1, doubted.length);
  if (isOpaque) makeOpaque(header, result.pixels);
  return result;
}

function firstDoubt({ lost, tainted }: Plain): number {
  const doubt = lost.findIndex((flag, line) => flag === 1 || tainted[line] !== 0);
  return doubt < 0 ? lost.length : doubt;
}

/** Mean difference from pixel to pixel in a row, in levels, beyond that of any picture; noise has 85. */
const roughest = 48;

/** How many rows are as rough as noise; of samples of two bytes the first counts, and numbers of colours tell nothing. */
function roughRows({ data, row }: PassRows, { pixel, wide, numbers }: Samples): number {
  if (!numbers) return 0;
  const step = wide ? 2 : 1;
  let rows = 0;
  for (let from = 0; from + row <= data.length; from += row) {
    let sum = 0;
    for (let at = from + pixel; at < from + row; at += step) sum += Math.abs((data[at] ?? 0) - (data[at - pixel] ?? 0));
    if (sum * step > (row - pixel) * roughest) rows++;
  }
  return rows;
}

/** Adds the rows of a pass to what is told of the picture; `doubted` takes 1 for bands of rows with any that is in doubt. */
function count(result: Rendered, doubted: Uint8Array, pass: Pass, plain: Plain, first: number): void {
  for (let line = 0; line < pass.height; line++) {
    const isLost = plain.lost[line] === 1;
    if (!isLost && plain.tainted[line] === 0) continue;
    if (isLost) result.lost++;
    else result.off++;
    if (result.sure < 0) result.sure = first + line;
    doubted[Math.floor((pass.y + line * pass.dy) / bandRows)] = 1;
  }
  result.wrong += plain.wrong;
  result.trusted += plain.trusted;
}

type Plain = PassRows & { tainted: Uint8Array; wrong: number; trusted: number };

/** Units of effort that the search for lost residuals may take, and in pictures of more bytes than `largePicture`. */
const mostEffort = 1200;
const lessEffort = 800;
const largePicture = 4 << 20;
/** Rows that are judged together, as the blocks of an eye that compares. */
const bandRows = 16;

function renderPass(
  header: PngHeader,
  pass: Pass,
  first: number,
  model: PngRows,
  mended: Mended,
  samples: Samples,
  ties: Ties,
  told: number,
  effort: Effort,
): Plain {
  const { row, pixel } = rowSizes({ ...header, width: pass.width });
  const data = new Uint8Array(row * pass.height);
  const lost = new Uint8Array(pass.height);
  const plain: Plain = { data, row, lost, tainted: new Uint8Array(pass.height), wrong: 0, trusted: 0 };
  let damaged = -1;
  for (let line = 0; line < pass.height; line++) {
    const from = model.starts[first + line] ?? 0;
    const unknown = count0(mended.known, from, from + 1 + row);
    if (unknown > row * told * unknownShare.lost) lost[line] = 1;
    if (unknown < row * told * unknownShare.trusted) plain.trusted++;
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
    const clear = hasNumber(header, data.subarray(0, damaged * row), samples.clear) ? samples.clear : null;
    plain.tainted = restoreNumbers(plain, first, model, mended, { ...samples, clear }, damaged);
    return plain;
  }
  const opacity = told < 1 ? null : settleOpacity(header, model, mended, damaged);
  plain.tainted = restoreRows(
    {
      model,
      mended,
      ties,
      samples,
      first,
      height: pass.height,
      row,
      data,
      lost,
      effort,
      given: opacity && givenBy(opacity),
    },
    damaged,
  );
  if (opacity) layOpacity(header, plain, opacity);
  plain.wrong = plain.tainted.reduce((sum, flag) => sum + (flag === 2 ? 1 : 0), 0);
  // A pass of several ends elsewhere than the picture does.
  const clear = !header.interlaced && hasHoles(header, data.subarray(0, damaged * row));
  fillLost(plain, { ...samples, clear: clear ? 0 : null });
  return plain;
}

/** Whether the rows of a picture in one pass have pixels of a byte; a pass of several ends elsewhere than the picture does. */
const hasNumber = ({ interlaced }: PngHeader, rows: Uint8Array, byte: number | null | undefined): boolean =>
  !interlaced && typeof byte === 'number' && rows.includes(byte);

/** Fills rows in that are lost. */
function fillLost({ data, row, lost }: PassRows, samples: Samples): void {
  for (let from = 0; from < lost.length; from++) {
    if (lost[from] === 0) continue;
    let to = from;
    while (to < lost.length && lost[to] === 1) to++;
    fillRows(data, row, from, to, lost.length, samples);
    from = to;
  }
}

function count0(known: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (known[at] === 0) count++;
  return count;
}
