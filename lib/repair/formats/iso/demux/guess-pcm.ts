import { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { madeTemplate, soundEntry } from './entries';
import { usualRates } from './rate';
import type { Template } from './template';

/** Bytes of each stretch that are looked at, stretches at most, and sampling rates of cameras in hertz, the usual ones first; chosen on the bench. */
const looked = 8192;
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

/** Whether left and right are the same nearly everywhere, as when one microphone is written twice. */
function isDoubled(pieces: readonly Buffer[]): boolean {
  let same = 0;
  let count = 0;
  for (const piece of pieces)
    for (let at = 0; at + 4 <= piece.length; at += 4, count++)
      if (piece.readUInt16LE(at) === piece.readUInt16LE(at + 2)) same++;
  return same > count * 0.9;
}

/**
 * PCM of 16 bits in the stretches that `frames` pictures leave free: the order of its bytes by which the wave is smoother, its frequency
 * by the bytes that come with each picture, which must fit a usual frame rate. Null when any of that is not clear.
 */
export function guessPcm(source: Source, gaps: readonly Span[], frames: number): Template | null {
  const spans = gaps.filter(({ from, to }) => to - from >= 64);
  const even = spans.filter(({ from, to }) => (to - from) % 2 === 0);
  if (spans.length < 3 || even.length < spans.length * 0.9 || frames < 8) return null;
  const step = Math.max(1, Math.floor(even.length / most));
  const pieces = even
    .filter((_, index) => index % step === 0)
    .slice(0, most)
    .map(({ from, to }) => source.copy(from, Math.min(to - from, looked)));
  const [little = 0, big = 0] = [false, true].map((order) =>
    Math.min(roughness(pieces, order, 1), roughness(pieces, order, 2)),
  );
  if (Math.min(little, big) > Math.max(little, big) * 0.7 || Math.max(little, big) === 0) return null;
  const isBig = big < little;
  const channels = isDoubled(pieces) || roughness(pieces, isBig, 2) < roughness(pieces, isBig, 1) * 0.9 ? 2 : 1;
  const perFrame = spans.reduce((sum, { from, to }) => sum + to - from, 0) / frames;
  for (const hertz of frequencies) {
    const told = (hertz * 2 * channels) / perFrame;
    if (!usualRates.some(([scale, ticks]) => Math.abs(told / (scale / ticks) - 1) < 0.012)) continue;
    const entry = soundEntry(isBig ? 'twos' : 'sowt', channels, hertz, Buffer.alloc(0));
    return { ...madeTemplate('soun', entry, hertz, 1), block: channels * 2 };
  }
  return null;
}
