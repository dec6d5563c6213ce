import type { Deadline } from '../../report';
import type { Mended } from '../flate/mend';
import { continueRow, fillRows, type Samples, shiftRows } from '../rows';
import { Doubt, unfilterDoubtful } from './doubt';
import { type PngHeader, rowSizes } from './header';
import { type Pass, passesOf } from './passes';
import { fillLostPixels, type PassRows, placePass } from './place';
import { restoreRows } from './restore';
import { type PngRows, unfilterRow } from './rows';
import { Ties } from './ties';

/** A picture without filters, row after row, and how many rows (of all passes, when interlaced) are lost or may be off in colour; `trusted` rows are known for the greater part. */
export type Rendered = { pixels: Buffer; lost: number; off: number; rows: number; trusted: number };

/** Undoes filters as far as the data goes; lost rows are filled in from their neighbours, rows that built on lost ones are set right by those below. */
export function render(header: PngHeader, model: PngRows, mended: Mended, deadline: Deadline): Rendered {
  const { row: bytesPerRow, pixel } = rowSizes(header);
  const pixels = Buffer.alloc(bytesPerRow * header.height);
  const samples: Samples = {
    pixel,
    wide: header.depth === 16 ? 'big' : null,
    numbers: header.depth >= 8 && header.colour !== 3,
  };
  const result: Rendered = { pixels, lost: 0, off: 0, rows: model.starts.length - 1, trusted: 0 };
  const ties = new Ties(mended);
  const until = deadline.left - (pixels.length > largePicture ? shortPatience : patience);
  const given = new Uint8Array(header.interlaced ? header.width * header.height : 0);
  let first = 0;
  for (const pass of passesOf(header)) {
    deadline.check();
    const plain = renderPass(header, pass, first, model, mended, samples, ties, () => deadline.left < until);
    first += pass.height;
    result.lost += plain.lost.reduce((sum, flag) => sum + flag, 0);
    result.off += plain.off;
    result.trusted += plain.trusted;
    placePass(header, pass, plain, pixels, given);
  }
  // Averages of numbers of colours, or of the halves of 16-bit samples, mean nothing.
  if (header.interlaced && header.depth === 8 && samples.numbers) fillLostPixels(header, pixels, given);
  return result;
}

type Plain = PassRows & { off: number; trusted: number };

/** Milliseconds that the search for lost residuals may take, and in pictures of more bytes than `largePicture`. */
const patience = 1200;
const shortPatience = 800;
const largePicture = 4 << 20;
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
  const plain: Plain = { data, row, lost, off: 0, trusted: 0 };
  let damaged = -1;
  for (let line = 0; line < pass.height; line++) {
    const from = model.starts[first + line] ?? 0;
    const unknown = count0(mended.known, from, from + 1 + row);
    if (unknown > row * 0.9) lost[line] = 1;
    if (unknown < row * 0.5) plain.trusted++;
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
  if (!samples.numbers) return renderNumbers(plain, first, model, mended, samples, damaged);
  const tainted = restoreRows(
    { model, mended, ties, samples, first, height: pass.height, row, data, lost, late },
    damaged,
  );
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

function renderNumbers(
  plain: Plain,
  first: number,
  model: PngRows,
  mended: Mended,
  samples: Samples,
  damaged: number,
): Plain {
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
