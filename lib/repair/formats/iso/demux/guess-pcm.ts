import type { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { madeTemplate, pcmEntry } from './entries';
import { usualRates } from './rate';
import type { Template } from './template';

/** Bytes of each stretch that are looked at, stretches at most, and sampling rates of cameras in hertz, the usual ones first; chosen on the bench. */
export const looked = 8192;
const most = 60;
const frequencies = [48000, 44100, 32000, 96000, 16000, 8000];

/** Mean step between values of 16 bits, or of the upper 16 of 24, that lie `lag` apart, over some stretches; `width` is the bytes of a value. */
export function roughness(pieces: readonly Buffer[], big: boolean, lag: number, width = 2): number {
  // The upper two bytes of a value come first, or last.
  const upper = big ? 0 : width - 2;
  const valueAt = (piece: Buffer, at: number) => (big ? piece.readInt16BE(at + upper) : piece.readInt16LE(at + upper));
  let sum = 0;
  let count = 0;
  for (const piece of pieces)
    for (let at = lag * width; at + width <= piece.length; at += width) {
      sum += Math.abs(valueAt(piece, at) - valueAt(piece, at - lag * width));
      count++;
    }
  return count > 0 ? sum / count : 0;
}

/** Whether left and right are the same nearly everywhere, as when one microphone is written twice; `width` is the bytes of a value. */
function isDoubled(pieces: readonly Buffer[], width: number): boolean {
  let same = 0;
  let count = 0;
  for (const piece of pieces)
    for (let at = 0; at + 2 * width <= piece.length; at += 2 * width, count++)
      if (piece.readUIntLE(at, width) === piece.readUIntLE(at + width, width)) same++;
  return same > count * 0.9;
}

/** Bytes of a value, and whether the upper one comes first. */
const shapes = [
  { width: 2, isBig: false },
  { width: 2, isBig: true },
  { width: 3, isBig: false },
  { width: 3, isBig: true },
];

/** Share of stretches that hold whole values, and how much smoother a wave must be than read in any other way; chosen on the bench. */
const [wholeShare, clearly] = [0.9, 0.7];

type Shape = (typeof shapes)[number] & { pieces: Buffer[]; rough: number };

/** How values lie in the stretches: the way in which the wave is smoother than in all others; null where none is. */
function shapeOf(source: Source, spans: readonly Span[]): Shape | null {
  const read = shapes.flatMap(({ width, isBig }) => {
    const whole = spans.filter(({ from, to }) => (to - from) % width === 0);
    if (whole.length < spans.length * wholeShare) return [];
    const step = Math.max(1, Math.floor(whole.length / most));
    const pieces = whole
      .filter((_, index) => index % step === 0)
      .slice(0, most)
      .map(({ from, to }) => source.copy(from, Math.min(to - from, looked - (looked % width))));
    const rough = Math.min(roughness(pieces, isBig, 1, width), roughness(pieces, isBig, 2, width));
    return [{ width, isBig, pieces, rough }];
  });
  const [best, next] = read.sort((left, right) => left.rough - right.rough);
  return best && next && next.rough > 0 && best.rough <= next.rough * clearly ? best : null;
}

/**
 * PCM of 16 or 24 bits in the stretches that `frames` pictures leave free: bytes and their order by which the wave is smoothest, its
 * frequency by the bytes that come with each picture, which must fit a usual frame rate. Null when any of that is not clear.
 */
export function guessPcm(source: Source, gaps: readonly Span[], frames: number): Template | null {
  const spans = gaps.filter(({ from, to }) => to - from >= 64);
  const shape = spans.length < 3 || frames < 8 ? null : shapeOf(source, spans);
  if (!shape) return null;
  const { width, isBig, pieces } = shape;
  const isPaired = roughness(pieces, isBig, 2, width) < roughness(pieces, isBig, 1, width) * 0.9;
  const channels = isDoubled(pieces, width) || isPaired ? 2 : 1;
  const rate = rateFor(spans, frames, channels * width);
  if (rate === null) return null;
  const entry = pcmEntry({ bits: width * 8, channels, rate, isBig });
  return { ...madeTemplate('soun', entry, rate, 1), block: channels * width };
}

/** How far the pictures a second may lie from a usual rate. */
const nearUsual = 0.012;

/** The frequency at which so many pictures come at a usual rate with the bytes between them; null where none does. */
function rateFor(spans: readonly Span[], frames: number, block: number): number | null {
  const bytes = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const last = spans.at(-1);
  const butLast = bytes - (last ? last.to - last.from : 0);
  // The last stretch of a recording that was cut is shorter, or holds the picture that was, too; sound begins before or behind the first one.
  for (const perFrame of [bytes / frames, butLast / frames, butLast / (frames - 1)]) {
    const isUsual = (frequency: number) =>
      usualRates.some(([scale, ticks]) => Math.abs((frequency * block) / perFrame / (scale / ticks) - 1) < nearUsual);
    const rate = frequencies.find(isUsual);
    if (rate !== undefined) return rate;
  }
  return null;
}
