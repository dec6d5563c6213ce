import { readAac } from '../../../codecs/aac/frame';
import { frequencies } from '../../../codecs/aac/tables';
import { readAlac } from '../../../codecs/alac';
import { readAc3, readAmr, readMp3, type SoundFrame } from '../../../codecs/sound';
import { box, words } from '../../../core/boxes';
import { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { aacEntry, alacEntry, esds, madeTemplate, soundEntry } from './entries';
import { alacMost, usualAlac } from './packed';
import type { Template } from './template';
import type { UnitReader } from './units';

/** Indexes of frequencies whose band tables differ; those in between share one, and of two the usual one is taken where nothing tells them apart (ISO/IEC 14496-3, tables 4.129 to 4.147). */
export const distinct = [3, 7, 8, 5, 11, 0, 2];
const shared: Record<number, number[]> = {
  3: [3, 4],
  7: [7, 6],
  8: [8, 9, 10],
  5: [5],
  11: [11, 12],
  0: [0, 1],
  2: [2],
};
/** Stretches that are tried for each codec; chosen on the bench. */
const tried = 60;

/** The stretches to try: not too short, from all over the file. */
function chosen(spans: readonly Span[]): Span[] {
  const usable = spans.filter(({ from, to }) => to - from >= 6);
  const step = Math.max(1, Math.floor(usable.length / tried));
  return usable.filter((_, index) => index % step === 0).slice(0, tried);
}

/** Frames one behind the other that are no chance. */
const leastFrames = 40;

/** Bytes of a frame at most, and where a picture begins that was not found, which ends a run of frames as well. */
type Ends = { most?: number; isPicture?: (at: number, to: number) => boolean };
const nowhere = () => false;

/** Frames that lead from the beginning of a stretch exactly to its end, or to a picture. */
function chain<Frame extends { length: number }>(
  source: Source,
  { from, to }: Span,
  read: (bytes: Buffer) => Frame | null,
  { most = 8192, isPicture = nowhere }: Ends = {},
): Frame[] | null {
  const frames: Frame[] = [];
  let at = from;
  while (at < to) {
    const frame = read(source.read(at, Math.min(most, to - at)));
    if (!frame || frame.length <= 0) return frames.length >= leastFrames || isPicture(at, to) ? frames : null;
    frames.push(frame);
    at += frame.length;
  }
  return at === to ? frames : null;
}

/** Stretches that lead to their end by AAC that make it certain, where pictures that were not found lie in the others, and their least share. */
const certain = { hits: 10, share: 0.2 };

/** Whether so many of the stretches speak for a codec. */
const isTold = (hits: number, spans: number) =>
  (hits >= 2 && hits * 2 >= spans) || (hits >= certain.hits && hits >= spans * certain.share);

/** Frames of AAC with the same elements, one behind the other, that are no chance, and bytes of what else a camera may write before them. */
const leastAlike = 12;
const mostBefore = 16_384;

type AacFrame = NonNullable<ReturnType<typeof readAac>>;

/** Frames of AAC that fill a stretch, or the rest of it behind what is no sound, or that are too many to be chance: metadata of cameras lies between sound and pictures. */
function aacChain(source: Source, span: Span, frequency: number, ends: Ends): AacFrame[] | null {
  const read = (bytes: Buffer) => readAac(bytes, { frequency, channels: 8 });
  const whole = chain(source, span, read, ends);
  if (whole) return whole;
  const stop = Math.min(span.to, span.from + mostBefore);
  for (let from = span.from; from < stop; from++) {
    const frames = leading(source, { from, to: span.to }, read);
    if (frames.length >= leastAlike) return frames;
  }
  return null;
}

/** Frames with the same elements from the beginning of a stretch on. */
function leading(source: Source, { from, to }: Span, read: (bytes: Buffer) => AacFrame | null): AacFrame[] {
  const frames: AacFrame[] = [];
  for (let at = from; at < to; ) {
    const frame = read(source.read(at, Math.min(mostOfAac, to - at)));
    if (!frame || frame.length < leastOfAac || frame.elements !== (frames[0] ?? frame).elements) break;
    frames.push(frame);
    at += frame.length;
  }
  return frames;
}

/** Bytes of a frame of AAC at most, and of one that is believed among other data. */
const mostOfAac = 8192;
const leastOfAac = 6;

/** How many stretches are frames of AAC of this frequency from end to end, and how many frames have which elements. */
function aacIn(
  source: Source,
  spans: readonly Span[],
  frequency: number,
  ends: Ends,
): { hits: number; kinds: Map<string, number> } {
  const kinds = new Map<string, number>();
  let hits = 0;
  for (const span of spans) {
    const frames = aacChain(source, span, frequency, ends);
    if (!frames?.length) continue;
    hits++;
    for (const { elements } of frames) kinds.set(elements, (kinds.get(elements) ?? 0) + 1);
  }
  return { hits, kinds };
}

/** AAC tracks in these stretches: frequency, and channels of each track by what its frames hold; empty when it is no AAC. */
function guessAac(source: Source, spans: readonly Span[], ends: Ends): { frequency: number; elements: string }[] {
  let best = { frequency: 0, hits: 0, kinds: new Map<string, number>() };
  for (const frequency of distinct) {
    const seen = aacIn(source, spans, frequency, ends);
    if (seen.hits > best.hits) best = { frequency, ...seen };
    if (best.hits * 2 >= spans.length && best.hits >= 2) break;
  }
  const all = [...best.kinds.values()].reduce((sum, count) => sum + count, 0);
  // A recording that was cut early may have one stretch of sound alone.
  const isLong = best.hits * 2 >= spans.length && all >= leastFrames;
  if (!isLong && !isTold(best.hits, spans.length)) return [];
  return [...best.kinds]
    .filter(([, count]) => count * 8 > all)
    .map(([elements]) => ({ frequency: best.frequency, elements }));
}

/** ALAC in these stretches, by how it is usually set up; null when it is none. */
function guessAlac(source: Source, spans: readonly Span[], free: readonly Span[], seconds: number): Template | null {
  for (const config of usualAlac(48_000)) {
    const read = (bytes: Buffer) => {
      const frame = readAlac(bytes, config);
      return frame?.channels === config.channels ? frame : null;
    };
    const hits = spans.filter((span) => chain(source, span, read, { most: alacMost }) !== null).length;
    if (!isTold(hits, spans.length)) continue;
    const at = (rate: number) => madeTemplate('soun', alacEntry({ ...config, rate }), rate, config.frameLength);
    if (seconds === 0) return { ...at(48_000), alike: usualAlacRates.map(at) };
    const samples = free
      .flatMap((span) => chain(source, span, read, { most: alacMost }) ?? [])
      .reduce((sum, frame) => sum + frame.samples, 0);
    const off = (rate: number) => Math.abs(Math.log(samples / Math.max(0.001, seconds) / rate || 1));
    return at([...usualAlacRates].sort((left, right) => off(left) - off(right))[0] ?? 48_000);
  }
  return null;
}

/** Samples a second of Apple Lossless in recordings. */
const usualAlacRates = [48_000, 44_100, 96_000];

/** Templates of tracks of AAC at a frequency; where nothing tells it from those that share its tables, they are told with it. */
function aacTemplates(found: readonly { elements: string }[], frequency: number, isTimed: boolean): Template[] {
  return found.map(({ elements }) => {
    const channels = [...elements].reduce((sum, element) => sum + (element === '1' ? 2 : 1), 0);
    const at = (index: number) =>
      madeTemplate('soun', aacEntry(index, Math.min(8, channels)), frequencies[index] ?? 48000, 1024);
    const others = shared[frequency] ?? [];
    return isTimed || others.length < 2 ? at(frequency) : { ...at(frequency), alike: others.map(at) };
  });
}

/** Packets that are gone through at most: so many leave no doubt. */
const mostBetween = 4000;

/**
 * AAC between pictures of which each tells its own length, by going from one to the next from the end of one on: pictures that were
 * looked for one by one may be chance hits in sound. Null where it does not lead on for `leastFrames` packets.
 */
export function soundBetween(source: Source, { from, to }: Span, pictures: UnitReader): Template[] | null {
  for (const frequency of distinct) {
    const kinds = new Map<string, number>();
    let count = 0;
    for (let at = from; at < to && count < mostBetween; ) {
      const picture = pictures.measure(source, at, to);
      const packet = picture
        ? null
        : readAac(source.read(at, Math.min(mostOfAac, to - at)), { frequency, channels: 8 });
      const length = picture?.size ?? packet?.length ?? 0;
      if (length <= 0) break;
      if (packet) kinds.set(packet.elements, (kinds.get(packet.elements) ?? 0) + 1);
      count += packet ? 1 : 0;
      at += length;
    }
    const [elements, most] = [...kinds].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0]);
    if (most >= leastFrames && most * 8 > count * 7) return aacTemplates([{ elements }], frequency, false);
  }
  return null;
}

type Framing = { read: (head: Buffer) => SoundFrame | null; make: (frame: SoundFrame) => Buffer };

const framings: Framing[] = [
  { read: readMp3, make: ({ channels, rate }) => soundEntry('mp4a', channels, rate, esds(0x6b, Buffer.alloc(0))) },
  {
    read: (head) => readAmr(head, false),
    make: () => soundEntry('samr', 1, 8000, box('damr', Buffer.from('mend\0\x81\xff\0\x01', 'latin1'))),
  },
  {
    read: (head) => readAmr(head, true),
    make: () => soundEntry('sawb', 1, 16000, box('damr', Buffer.from('mend\0\x83\xff\0\x01', 'latin1'))),
  },
  {
    read: readAc3,
    make: ({ channels, rate }) => soundEntry('ac-3', channels, rate, box('dac3', words(0).subarray(0, 3))),
  },
];

/**
 * Sound tracks by their frames alone, from the stretches that pictures leave free. `seconds` is how long all of these stretches last,
 * by the pictures; it tells apart frequencies whose frames look alike. 0 when that is not known: what sound may be is then told with it.
 * `ends` says where a picture begins that was not found.
 */
export function guessSounds(source: Source, free: readonly Span[], seconds: number, ends: Ends = {}): Template[] {
  const spans = chosen(free);
  if (spans.length === 0) return [];
  for (const { read, make } of framings) {
    const chains = spans.map((span) => chain(source, span, read)).filter((frames) => frames !== null);
    const frame = chains[0]?.[0];
    if (frame && chains.length * 2 > spans.length && chains.length > 2)
      return [madeTemplate('soun', make(frame), frame.rate, frame.samples)];
  }
  const found = guessAac(source, spans, ends);
  const [first] = found;
  const lossless = first ? null : guessAlac(source, spans, free, seconds);
  if (lossless) return [lossless];
  if (!first) return [];
  let frequency = first.frequency;
  if (seconds > 0) {
    let frames = 0;
    for (const span of free) frames += aacChain(source, span, frequency, ends)?.length ?? 0;
    const hertz = (frames / Math.max(1, found.length)) * 1024;
    const off = (index: number) => Math.abs(Math.log((hertz / seconds || 1) / (frequencies[index] ?? 48000)));
    frequency = [...(shared[frequency] ?? [])].sort((left, right) => off(left) - off(right))[0] ?? frequency;
  }
  return aacTemplates(found, frequency, seconds > 0);
}
