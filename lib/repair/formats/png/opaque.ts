import type { Mended } from '../../core/deflate/mended';
import { type AlphaRow, alphaBytes, judgeAlpha, opaqueResidual } from './alpha';
import { type PngHeader, rowSizes } from './header';
import { passesOf } from './passes';
import type { PngRows } from './rows';

/** Rows above all damage that tell of opaque pixels, from which on a picture is taken for opaque: where few rows behind it bear it out, and without that. */
const enoughAbove = { borneOut: 2, alone: 8 };
/** Share of rows that must bear it out: where there are such rows above all damage, and where there are none. */
const leastShare = { told: 0.05, untold: 0.8 };
/** Rows that must tell of opaque pixels, or of alpha values that stay the same, where the beginning is lost. */
const leastSpeaking = 8;
const leastAgreeing = 40;
/** Share of wrong alpha values in a row from which on it is not read rightly at all. */
const mostWrong = 0.5;
/** Pixels between two with a wrong alpha value from which on those in between are not doubted. */
const mostBetween = 24;

/**
 * Finds out whether a picture with alpha values is opaque all over, as pictures of screens are. If so, alpha values are known everywhere,
 * and pixels with another one are not what they should be: all this is noted in `mended`. False where alpha values differ.
 */
export function settleOpaque(header: PngHeader, model: PngRows, mended: Mended): boolean {
  const alpha = alphaBytes(header);
  if (alpha === 0) return false;
  const told = { above: 0, speaking: 0, agreeing: 0, seen: 0, isAbove: true };
  const rows: AlphaRow[] = [];
  for (const { entry, isWhole } of alphaRows(header, model, mended)) {
    rows.push(entry);
    const judged = judgeAlpha(entry, mended, model.pixel, alpha);
    // Without any damage above it, a row that is not opaque means that pictures like this are not.
    if (judged.wrong > 0 && isWhole && told.above < enoughAbove.borneOut) return false;
    count(told, judged, (entry.row / model.pixel) * leastKnown * alpha);
  }
  const isOpaque = isBorneOut(told);
  if (isOpaque) for (const entry of rows) settle(entry, mended, model.pixel, alpha);
  return isOpaque;
}

/** What rows tell: of those above all damage, and of all, how many tell of opaque pixels, agree with that, and say anything. */
type Told = { above: number; speaking: number; agreeing: number; seen: number; isAbove: boolean };

/** Share of a row's alpha values that must be known for it to say anything. */
const leastKnown = 0.5;

/** Rows whose filter is known, and whether all is known up to the end of each. */
function* alphaRows(
  header: PngHeader,
  model: PngRows,
  mended: Mended,
): Generator<{ entry: AlphaRow; isWhole: boolean }> {
  let isWhole = true;
  let first = 0;
  for (const pass of passesOf(header)) {
    const { row } = rowSizes({ ...header, width: pass.width });
    for (let line = 0; line < pass.height; line++) {
      const from = model.starts[first + line] ?? 0;
      isWhole &&= !mended.known.subarray(from, from + 1 + row).includes(0);
      const filter = mended.known[from] === 0 ? 5 : (mended.data[from] ?? 5);
      if (filter <= 4) yield { entry: { from, row, filter, top: line === 0 }, isWhole };
    }
    first += pass.height;
  }
}

/** Counts what a row tells; one of which less than `least` values are known says nothing but whether it is above all that is wrong. */
function count(told: Told, { wrong, right, informative }: ReturnType<typeof judgeAlpha>, least: number): void {
  if (wrong > 0) told.isAbove = false;
  if (told.isAbove && informative > 0) told.above++;
  if (right + wrong < least) return;
  told.seen++;
  if (wrong > 0) return;
  told.agreeing++;
  if (informative > 0) told.speaking++;
}

function isBorneOut({ above, speaking, agreeing, seen }: Told): boolean {
  const share = agreeing / Math.max(1, seen);
  if (above >= enoughAbove.borneOut) return above >= enoughAbove.alone || share >= leastShare.told;
  return share >= leastShare.untold && (speaking >= leastSpeaking || agreeing >= leastAgreeing);
}

/** Doubts what the alpha values of a row show to be wrong, then sets all of them right. */
function settle(entry: AlphaRow, mended: Mended, pixel: number, alpha: number): void {
  const { from, row } = entry;
  const share = ({ wrong, right }: { wrong: number; right: number }) => wrong / Math.max(1, wrong + right);
  if (share(judgeAlpha(entry, mended, pixel, alpha)) <= mostWrong) settlePixels(entry, mended, pixel, alpha);
  else {
    // Either the filter is wrong, or this is no row at all.
    const other = { ...entry, filter: entry.filter === 0 ? 2 : 0 };
    if (share(judgeAlpha(other, mended, pixel, alpha)) > mostWrong) mended.known.fill(0, from, from + 1 + row);
    else mended.known[from] = 0;
  }
}

/** Doubts pixels with a wrong alpha value and those between two such ones that are near each other. */
function settlePixels(
  { from, row, filter, top }: AlphaRow,
  { data, known }: Mended,
  pixel: number,
  alpha: number,
): void {
  let last = -1;
  for (let at = 0; at + pixel <= row; at += pixel) {
    const wanted = opaqueResidual(filter, !top, at > 0);
    const end = from + 1 + at + pixel;
    let isWrong = false;
    for (let byte = end - alpha; byte < end; byte++) {
      isWrong ||= known[byte] !== 0 && data[byte] !== wanted;
      data[byte] = wanted;
      known[byte] = 1;
    }
    if (!isWrong) continue;
    const start = last >= 0 && at - last <= mostBetween * pixel ? last : at;
    for (let place = start; place <= at; place += pixel)
      known.fill(0, from + 1 + place, from + 1 + place + pixel - alpha);
    last = at;
  }
}

/** Makes all pixels opaque. */
export function makeOpaque(header: PngHeader, pixels: Uint8Array): void {
  const alpha = alphaBytes(header);
  const { pixel } = rowSizes(header);
  for (let at = pixel; at <= pixels.length; at += pixel) pixels.fill(255, at - alpha, at);
}
