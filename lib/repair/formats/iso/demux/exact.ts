import { readAac } from '../../../codecs/aac/frame';
import { frequencies } from '../../../codecs/aac/tables';
import { longestOpus, opusChannels, opusMilliseconds } from '../../../codecs/opus';
import { readAc3, readMp3 } from '../../../codecs/sound';
import { box, words } from '../../../core/boxes';
import { commonest } from '../../../core/commonest';
import { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { aacEntry, alacEntry, esds, opusEntry, pcmEntry, soundEntry } from './entries';
import { mostOf } from './framed';
import { roughness } from './guess-pcm';
import { alacFrames, usualAlac } from './packed';

/** Sound packets whose places are known: where they lie, ticks a second, and ticks of one of them. */
export type Packets = { spans: readonly Span[]; rate: number; step: number };

/** Packets that are looked at, from all over the track, and the fewest that tell a codec. */
const looked = 200;
const fewest = 3;

type Way = (source: Source, packets: Packets) => Buffer | null;

/** Whether a reader comes to the very end of nearly all packets; the frames that it read. */
function exactly<Frame extends { length: number }>(
  source: Source,
  { spans }: Packets,
  read: (bytes: Buffer) => Frame | null,
): Frame[] | null {
  const frames: Frame[] = [];
  for (const { from, to } of spans) {
    const frame = read(source.copy(from, to - from));
    if (frame?.length === to - from) frames.push(frame);
  }
  return frames.length >= fewest && frames.length >= spans.length * mostOf ? frames : null;
}

const aac: Way = (source, packets) => {
  const frequency = frequencies.indexOf(packets.rate);
  if (frequency < 0) return null;
  const frames = exactly(source, packets, (bytes) => readAac(bytes, { frequency, channels: 8 }));
  const elements = frames?.[0]?.elements ?? '';
  if (!frames || frames.some((frame) => frame.elements !== elements)) return null;
  const channels = [...elements].reduce((sum, element) => sum + (element === '1' ? 2 : 1), 0);
  return aacEntry(frequency, Math.min(8, channels));
};

const mp3: Way = (source, packets) => {
  const frame = exactly(source, packets, readMp3)?.[0];
  return frame ? soundEntry('mp4a', frame.channels, frame.rate, esds(0x6b, Buffer.alloc(0))) : null;
};

const ac3: Way = (source, packets) => {
  const frame = exactly(source, packets, readAc3)?.[0];
  return frame ? soundEntry('ac-3', frame.channels, frame.rate, box('dac3', words(0).subarray(0, 3))) : null;
};

const alac: Way = (source, packets) => {
  for (const config of usualAlac(packets.rate)) {
    const reader = alacFrames(config);
    const fits = packets.spans.filter(({ from, to }) => reader.measure(source, from, to)?.size === to - from);
    if (fits.length >= fewest && fits.length >= packets.spans.length * mostOf) return alacEntry(config);
  }
  return null;
};

const opus: Way = (source, { spans, rate, step }) => {
  const heads = spans.map(({ from }) => source.read(from, 1)[0] ?? 0);
  const { value, count } = commonest(heads);
  const lasts = (opusMilliseconds(value) * rate) / 1000;
  const isOpus = count >= spans.length * mostOf && lasts === step && (value & 3) !== 3;
  return isOpus && spans.every(({ from, to }) => to - from <= longestOpus) ? opusEntry(opusChannels(value)) : null;
};

/** PCM by the bytes of one frame, which its size table repeats: bits, channels, and the codec by the order of bytes. */
const layouts: Record<number, readonly { bits: number; channels: number }[]> = {
  2: [{ bits: 16, channels: 1 }],
  4: [{ bits: 16, channels: 2 }],
  3: [{ bits: 24, channels: 1 }],
  6: [{ bits: 24, channels: 2 }],
};

/** Bytes of a stretch of PCM that are looked at. */
const pcmBytes = 8192;

/** PCM of 16 or 24 bits, whose frames last one tick each; the order of its bytes is the one in which the wave is smoother. */
const pcm: Way = (source, { spans, rate, step }) => {
  const [first] = spans;
  const block = first ? first.to - first.from : 0;
  const [layout] = layouts[block] ?? [];
  if (!layout || step !== 1) return null;
  const pieces = spans.map(({ from }) => source.copy(from, Math.min(pcmBytes, source.size - from)));
  const wide = block / layout.channels === 3;
  const [little = 0, big = 0] = [false, true].map((order) => roughness(pieces, order, layout.channels, wide ? 3 : 2));
  if (little === big) return null;
  const isBig = big < little;
  return pcmEntry({ ...layout, rate, isBig });
};

const ways: readonly Way[] = [mp3, ac3, aac, alac, opus, pcm];

/** The sample description of a track of sound of which only the places of packets are known; null where they tell no codec. */
export function soundOfPackets(source: Source, packets: Packets): Buffer | null {
  const every = Math.max(1, Math.floor(packets.spans.length / looked));
  const some = { ...packets, spans: packets.spans.filter((_, index) => index % every === 0).slice(0, looked) };
  if (some.spans.length < fewest) return null;
  for (const way of ways) {
    const entry = way(source, some);
    if (entry) return entry;
  }
  return null;
}
