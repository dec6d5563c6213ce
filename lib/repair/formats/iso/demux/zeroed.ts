import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { looked, roughness } from './guess-pcm';
import type { Wish } from './wishes';

/** Bytes of zeroes from which on they may be what was lost rather than silence: a cluster of a file system. */
const leastZeroed = 4096;
/** How many times as long as usual a stretch between pictures is that swallowed some. */
const unusual = 2;
/** Stretches that tell what is usual. */
const leastStretches = 4;

/** The size that half of the stretches do not reach, in bytes. */
const usualSize = (sizes: readonly number[]) => [...sizes].sort((left, right) => left - right)[sizes.length >> 1] ?? 0;

/**
 * Cuts zeroes off PCM that fills what the pictures leave, where they reach further than it does anywhere else: they stand where pictures
 * and sound were. Returns the stretches that were cut off.
 */
export function cutZeroed(source: Source, wishes: readonly Wish[]): Span[] {
  const cut: Span[] = [];
  for (const { template, wanted } of wishes) {
    const { found, reader } = wanted;
    if (reader.way !== 'filler' || template.block === 0 || found.sizes.length < leastStretches) continue;
    const usual = usualSize(found.sizes);
    found.sizes.forEach((size, index) => {
      if (size < usual * unusual + leastZeroed) return;
      const from = found.offsets[index] ?? 0;
      const kept = Math.max(usual, sizeWithoutZeros(source, from, size));
      if (size - kept < leastZeroed) return;
      found.sizes[index] = kept;
      cut.push({ from: from + kept, to: from + size });
    });
  }
  return cut;
}

/** How many times as long as usual a stretch of sound without marks is that holds pictures, and how many bytes longer at least. */
const swallowing = { times: 3, bytes: 1024 };

/** Stretches of sound without marks, but for the last, that are so long that there are pictures in them that were not found: what is more than usual. */
export function swallowedBy(wishes: readonly Wish[]): Span[] {
  return wishes.flatMap(({ wanted: { found, reader } }) => {
    if (reader.way !== 'filler' || found.sizes.length < leastStretches) return [];
    const usual = usualSize(found.sizes);
    return found.sizes.slice(0, -1).flatMap((size, index) => {
      if (size < usual * swallowing.times || size - usual < swallowing.bytes) return [];
      const from = found.offsets[index] ?? 0;
      return [{ from: from + usual, to: from + size }];
    });
  });
}

/** How much rougher than the sound what follows it must be to be a picture, and the mean step of values of 16 bits that chance comes near; that of even chance is 21,845. */
const chance = { times: 3, step: 12_000 };

/**
 * Cuts off what a recording that was cut ends with, where it lies behind as much sound as elsewhere and is none: the picture that was cut.
 * Returns the stretches that were cut off.
 */
export function cutLast(source: Source, wishes: readonly Wish[]): Span[] {
  return wishes.flatMap(({ template, wanted: { found, reader } }) => {
    const last = found.sizes.length - 1;
    if (reader.way !== 'filler' || template.block === 0 || last < leastStretches) return [];
    const from = found.offsets[last] ?? 0;
    const to = from + (found.sizes[last] ?? 0);
    const usual = usualSize(found.sizes);
    const width = template.block % 3 === 0 ? 3 : 2;
    const step = (start: number, end: number) => {
      const piece = source.copy(start, Math.min(end - start, looked));
      return Math.min(roughness([piece], false, 2, width), roughness([piece], true, 2, width));
    };
    const before = found.offsets[last - 1] ?? 0;
    const usualStep = step(before, before + (found.sizes[last - 1] ?? 0));
    const isPicture = (start: number, end: number) =>
      end - start >= leastZeroed && step(start, end) >= Math.max(chance.step, usualStep * chance.times);
    // The picture that was cut begins where sound would have, or behind as much of it as elsewhere.
    const rest = isPicture(from, Math.min(to, from + usual)) ? from : from + usual;
    if (to < source.size || !isPicture(rest, to)) return [];
    if (rest > from) found.sizes[last] = usual;
    else for (const list of [found.offsets, found.sizes, found.keys]) list.pop();
    return [{ from: rest, to }];
  });
}

/** Stretches that no picture fills, without the zeroes at their ends where those are more than silence. */
export function withoutZeroed(source: Source, gaps: readonly Span[]): Span[] {
  return gaps.flatMap(({ from, to }) => {
    const kept = sizeWithoutZeros(source, from, to - from);
    return to - from - kept < leastZeroed ? [{ from, to }] : kept > 0 ? [{ from, to: from + kept }] : [];
  });
}

/** Bytes of a stretch up to the last that is not zero. */
function sizeWithoutZeros(source: Source, from: number, size: number): number {
  for (let end = size; end > 0; end -= leastZeroed) {
    const start = Math.max(0, end - leastZeroed);
    const piece = source.read(from + start, end - start);
    for (let at = piece.length - 1; at >= 0; at--) if (piece[at] !== 0) return start + at + 1;
  }
  return 0;
}
