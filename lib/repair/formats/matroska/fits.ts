import { byName } from '../../core/named';
import type { Source } from '../../video/source';
import { type Frame, framesOf } from './frames';
import type { Walk } from './walk';

/** Blocks of a track whose frames are looked at, and the share of them that must begin as their codec's do. */
const looked = 16;
const mostOf = 0.8;

/** Whether lengths of four bytes lead through a frame, unit by unit. */
function isChain(source: Source, { from, to }: Frame): boolean {
  let at = from;
  while (at + 4 < to) {
    const length = source.word(at);
    if (length === 0) return false;
    at += 4 + length;
  }
  return at === to && to > from;
}

const begins =
  (mask: number, mark: number) =>
  (source: Source, { from, to }: Frame): boolean =>
    to - from > 2 && (source.copy(from, 2).readUInt16BE(0) & mask) === mark;

/** Codecs whose frames begin in a way of their own (RFC 9559, codec mappings): a synchronisation word, or lengths that lead to their end. */
const ways: Readonly<Record<string, (source: Source, frame: Frame) => boolean>> = byName({
  'V_MPEG4/ISO/AVC': isChain,
  'V_MPEGH/ISO/HEVC': isChain,
  A_AC3: begins(0xffff, 0x0b77),
  A_EAC3: begins(0xffff, 0x0b77),
  'A_MPEG/L3': begins(0xffe6, 0xffe2),
  'A_MPEG/L2': begins(0xffe6, 0xffe4),
  A_FLAC: begins(0xfffe, 0xfff8),
  V_MJPEG: begins(0xffff, 0xffd8),
});

/** The names of those codecs. */
export const toldApart: readonly string[] = Object.keys(ways);

/** Frames of each track by its number, as many as tell what codec they are of. */
export type Firsts = ReadonlyMap<number, readonly Frame[]>;

/** The first frames of each track. */
export const firstsOf = (source: Source, walk: Walk): Firsts => framesOf(source, walk, looked);

/** Whether the frames of a track are of a codec; null where that is none of those that tell, or there are too few. */
export function isOf(source: Source, firsts: Firsts, number: number, codec: string): boolean | null {
  const way = ways[codec];
  const frames = firsts.get(number) ?? [];
  if (!way || frames.length < 2) return null;
  return frames.filter((frame) => way(source, frame)).length >= frames.length * mostOf;
}
