import { commonest } from '../../../core/commonest';
import type { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import { alike, type Chunking, chunkAmong, mostAlign } from './chunks';
import type { Span } from './demux';
import { madeTemplate, pcmEntry } from './entries';
import { usualRates } from './rate';
import { recordsIn, withoutRecords } from './records';
import type { Template } from './template';

/** Bytes of each stretch that are looked at, stretches at most, and sampling rates of cameras in hertz, the usual ones first; chosen on the bench. */
export const looked = 8192;
const most = 60;
const frequencies = [48000, 44100, 32000, 16000, 96000, 8000];
const usualFrequencies = 2;

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

/** Channels that cameras write, fewer first. */
const counts = [1, 2, 4];

/** The mean step of the wave by that number of channels by which it is smoothest. */
const leastRough = (pieces: readonly Buffer[], isBig: boolean, width: number) =>
  Math.min(...counts.map((channels) => roughness(pieces, isBig, channels, width)));

/** How much smoother the wave must be by two channels than by one, and by four than by two: fast waves are by twice as many, too. */
const smoother = { pair: 0.9, four: 0.7 };

function channelsOf({ pieces, width, isBig }: Pick<Shape, 'pieces' | 'width' | 'isBig'>): number {
  const [one = 0, pair = 0, four = 0] = counts.map((channels) => roughness(pieces, isBig, channels, width));
  if (four < Math.min(one, pair) * smoother.four) return 4;
  return isDoubled(pieces, width) || pair < one * smoother.pair ? 2 : 1;
}

/** Bytes of a value, and whether the upper one comes first. */
const shapes = [
  { width: 2, isBig: false },
  { width: 2, isBig: true },
  { width: 3, isBig: false },
  { width: 3, isBig: true },
];

/** Share of stretches that hold whole values, and how much smoother a wave must be than read in any other way; chosen on the bench. A line of text may stand behind some. */
const [wholeShare, clearly] = [0.7, 0.7];
/** Share of the stretches that are longer than the others which must hold what is no sound. */
const nearlyAll = 0.9;

type Shape = (typeof shapes)[number] & { pieces: Buffer[]; rough: number };

/** How values lie in the stretches: the way in which the wave is smoother than in all others; null where none is. */
function shapeOf(source: Source, spans: readonly Span[]): Shape | null {
  const read = shapes.flatMap(({ width, isBig }) => {
    const isWhole = ({ from, to }: Span) => (to - from) % width === 0;
    const whole = spans.filter(isWhole);
    // What a recording that was cut ends with is the picture that was, too.
    if (spans.slice(0, -1).filter(isWhole).length < (spans.length - 1) * wholeShare) return [];
    const step = Math.max(1, Math.floor(whole.length / most));
    const pieces = whole
      .filter((_, index) => index % step === 0)
      .slice(0, most)
      .map(({ from, to }) => source.copy(from, Math.min(to - from, looked - (looked % width))));
    return [{ width, isBig, pieces, rough: leastRough(pieces, isBig, width) }];
  });
  const [best, next] = read.sort((left, right) => left.rough - right.rough);
  return best && next && next.rough > 0 && best.rough <= next.rough * clearly ? best : null;
}

/** A stretch without the zeroes before the next multiple of `align`, and those at its end that are fewer; null where other bytes stand there. */
function unpadded(source: Source, { from, to }: Span, align: number): Span | null {
  const start = Math.ceil(from / align) * align;
  if (start >= to || (start > from && source.findNonZero(from, start) >= 0)) return null;
  if (to % align !== 0) return { from: start, to };
  const tail = source.copy(Math.max(start, to - align + 1), Math.min(align - 1, to - start));
  let end = tail.length;
  while (end > 0 && tail[end - 1] === 0) end--;
  // A sample of silence at the end is no padding.
  const bytes = to - tail.length + end - start;
  return { from: start, to: Math.min(to, start + Math.ceil(bytes / largestBlock) * largestBlock) };
}

/** A multiple of all frames of PCM, in up to four channels, in bytes. */
const largestBlock = 24;

/** Stretches from all over the file that tell how chunks lie: a long recording has a hundred thousand. */
const telling = 240;
const someOf = (spans: readonly Span[]) => {
  const step = Math.max(1, Math.floor(spans.length / telling));
  return spans.filter((_, index) => index % step === 0);
};

/** How a camera lays its chunks that puts each at a multiple of a power of two, told by that most are alike then; null where they begin at once. */
function paddingOf(source: Source, all: readonly Span[]): Chunking | null {
  const spans = someOf(all);
  let best: Chunking | null = null;
  let most = 0;
  for (let align = 1; align <= mostAlign; align *= 2) {
    const sizes = spans.flatMap((span) => unpadded(source, span, align) ?? []).map(({ from, to }) => to - from);
    const { value, count } = commonest(sizes);
    // Stretches of zeroes alone have no chunk.
    if (count <= most || value === 0) continue;
    most = count;
    best = { bytes: value, lead: -1, align };
  }
  return best && best.align > 1 && most >= spans.length * alike ? best : null;
}

/** The stretches that are as long as most, where those are alike: behind others something else may stand. */
function usualOnes(spans: readonly Span[]): readonly Span[] {
  const { value, count } = commonest(spans.map(({ from, to }) => to - from));
  return count >= spans.length * alike ? spans.filter(({ from, to }) => to - from === value) : spans;
}

/** How much rougher than sound what stands behind it must be to be none. */
const beside = 3;

/** How chunks lie that are all alike but for what stands behind some of them and is no sound, as a line of text each second; null where that is not so. */
function chunksAmong(source: Source, all: readonly Span[], { width, isBig, rough }: Shape): Chunking | null {
  const spans = someOf(all);
  const { value: bytes, count } = commonest(spans.map(({ from, to }) => to - from));
  const longer = spans.filter(({ from, to }) => to - from > bytes && to - from < bytes * 2);
  if (count < spans.length * alike || longer.length === 0) return null;
  const isBeside = ({ from, to }: Span) => {
    const pieces = [source.copy(from + bytes, to - from - bytes)];
    return leastRough(pieces, isBig, width) > rough * beside;
  };
  return longer.filter(isBeside).length >= longer.length * nearlyAll ? { bytes, lead: 0, align: 1 } : null;
}

/** How many pictures there are, and where those begin that were found. */
export type Pictures = { frames: number; offsets: ArrayLike<number> };

/** Pictures that tell anything. */
const enoughFrames = 8;

/**
 * PCM of 16 or 24 bits in the stretches that pictures leave free: bytes and their order by which the wave is smoothest, its
 * frequency by the bytes that come with each picture, which must fit a usual frame rate. Null when any of that is not clear.
 */
export function guessPcm(source: Source, gaps: readonly Span[], pictures: Pictures): Template | null {
  const { frames } = pictures;
  const between = gaps.filter(({ from, to }) => to - from >= 64);
  const records = recordsIn(source, between);
  const found = records ? between.map((span) => withoutRecords(source, span, records)) : between;
  const padding = paddingOf(source, found);
  const laid = padding ? found.flatMap((span) => unpadded(source, span, padding.align) ?? []) : found;
  const shape = laid.length < 3 || frames < enoughFrames ? null : shapeOf(source, usualOnes(laid));
  if (!shape) return null;
  const chunking = padding ?? chunksAmong(source, laid, shape);
  const spans = padding || !chunking ? laid : laid.map((span) => chunkAmong(source, chunking, span)?.chunk ?? span);
  const { width, isBig } = shape;
  const channels = channelsOf(shape);
  const block = channels * width;
  const told = ratesFor(spans, pictures, block);
  const rates = told.map(({ frequency: rate }) =>
    madeTemplate('soun', pcmEntry({ bits: width * 8, channels, rate, isBig }), rate, 1),
  );
  const [first] = rates;
  const perSecond = told.length === 1 ? told[0]?.pictures : undefined;
  const alike = rates.length > 1 ? rates.map(({ stsd, timescale, step }) => ({ stsd, timescale, step })) : [];
  return first ? { ...first, block, chunking, records, alike, pictures: perSecond } : null;
}

/** How far the pictures a second may lie from a usual rate, and how far at usual frequencies where none lies nearer. */
const nearUsual = 0.012;
const stillNear = 0.035;

/** How many bytes of sound there may be to a picture, by all of both and by what lies between the first stretch and one of the last. */
function bytesAPicture(spans: readonly Span[], { frames, offsets }: Pictures): number[] {
  const sums = [0];
  for (const { from, to } of spans) sums.push((sums.at(-1) ?? 0) + to - from);
  const [bytes = 0, butLast = 0] = [sums.at(-1), sums.at(-2)];
  const between = [spans.length - 1, spans.length - 2].flatMap((last) => {
    const pictures = Array.from(offsets).filter(
      (at) => at > (spans[0]?.from ?? 0) && at < (spans[last]?.from ?? 0),
    ).length;
    return pictures >= enoughFrames ? [(sums[last] ?? 0) / pictures] : [];
  });
  // The last stretch of a recording that was cut is shorter, or holds the picture that was, too; sound begins before or behind the first one.
  return [...between, bytes / frames, butLast / frames, butLast / (frames - 1)];
}

/** A frequency of sound, how many pictures a second there are by it, and how far that lies from a usual rate, as a share. */
type Rate = { frequency: number; pictures: number; off: number };

/** What comes nearest to a usual rate of pictures that sound of a frequency allows. */
function fitOf(frequency: number, perPicture: readonly number[], block: number): Rate {
  const fits = perPicture.flatMap((bytes) => {
    const pictures = (frequency * block) / bytes;
    return usualRates.map(([scale, ticks]) => ({ frequency, pictures, off: Math.abs((pictures * ticks) / scale - 1) }));
  });
  return fits.reduce((best, one) => (one.off < best.off ? one : best));
}

/** The frequencies at which so many pictures come at a usual rate with the bytes between them: the usual one alone where it does, likelier ones first. */
function ratesFor(spans: readonly Span[], pictures: Pictures, block: number): Rate[] {
  const perPicture = bytesAPicture(spans, pictures);
  const all = frequencies.map((frequency) => fitOf(frequency, perPicture, block));
  const near = all.filter(({ off }) => off < nearUsual);
  // Where chunks are long for a short recording, pictures and sound of different length lie before its end.
  const fits = near.length > 0 ? near : all.slice(0, usualFrequencies).filter(({ off }) => off < stillNear);
  const least = Math.min(...fits.map(({ off }) => off));
  const best = fits.filter(({ off }) => off <= least + alikeFar);
  const usual = best.find(({ frequency }) => frequencies.indexOf(frequency) < usualFrequencies);
  if (usual) return [usual];
  return best.sort((one, other) => Number(one.pictures > mostPictures) - Number(other.pictures > mostPictures));
}

/** How much further than the best a frequency may lie that will do as well, and pictures a second that recorders of rare ones take at most. */
const alikeFar = 0.002;
const mostPictures = 31;
