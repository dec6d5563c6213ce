import { isAvcSlice } from '../../codecs/avc/unit';
import { boxInside, descriptor } from '../../codecs/configuration';
import { isHevcSlice } from '../../codecs/hevc/unit';
import { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import type { Span } from '../iso/demux/demux';
import { pictureInSetup, pictureInStream } from '../iso/demux/entries';
import { guessSounds } from '../iso/demux/guess';
import { pictureOfItself } from '../iso/demux/streams';
import type { Template } from '../iso/demux/template';
import { pictureByTrial } from '../iso/demux/trial';
import { avcBySearch, firstSlices, hevcBySearch } from '../iso/demux/untold';
import { eight, element, ids } from './elements';
import { type Frame, framesOf } from './frames';
import type { Walk } from './walk';

/** What a track's own frames tell of it: 1 is picture, 2 sound; `codec` and `setup` as Matroska names and keeps them. */
type Told = {
  kind: 1 | 2;
  codec: string;
  setup: Buffer | null;
  size?: [number, number];
  channels?: number;
  rate?: number;
};

/** A description of the tracks made from their frames: the element, the kind of each track by its number, and numbers that stay unknown. */
export type ToldTracks = { tracks: Buffer; kinds: Map<number, number>; unknown: number[] };

/** Blocks of each track that are looked at. */
const looked = 600;

/** Tells the codecs of all tracks from their frames, where the file's own description of them is lost; null when none can be told. */
export async function tellTracks(reading: Reading, walk: Walk, did: (step: Step) => void): Promise<ToldTracks | null> {
  const kinds = new Map<number, number>();
  const entries: Buffer[] = [];
  const unknown: number[] = [];
  for (const [number, frames] of framesOf(reading.source, walk, looked)) {
    if (frames.length < 2) continue;
    reading.job.deadline.check();
    const told = (await tellPicture(reading, frames, did)) ?? tellSound(reading.source, frames);
    if (told) {
      kinds.set(number, told.kind);
      entries.push(entryOf(number, told));
    } else unknown.push(number);
  }
  if (kinds.size === 0) return null;
  return { tracks: element(ids.tracks, ...entries), kinds, unknown };
}

function entryOf(number: number, told: Told): Buffer {
  const [width, height] = told.size ?? [0, 0];
  const rate = Buffer.alloc(8);
  rate.writeDoubleBE(told.rate ?? 0);
  const byte = (value: number) => Buffer.from([value]);
  return element(
    ids.trackEntry,
    element(ids.trackNumber, byte(number)),
    element(ids.trackUid, eight(number)),
    element(ids.trackType, byte(told.kind)),
    element(ids.codecId, Buffer.from(told.codec)),
    ...(told.setup ? [element(ids.codecPrivate, told.setup)] : []),
    // What a decoder of Opus needs before the first sound that is heard, in nanoseconds (RFC 7845, 4.2).
    ...(told.codec === 'A_OPUS'
      ? [element(ids.codecDelay, eight(6_500_000)), element(ids.seekPreRoll, eight(80_000_000))]
      : []),
    told.kind === 1
      ? element(ids.video, element(ids.pixelWidth, eight(width)), element(ids.pixelHeight, eight(height)))
      : element(ids.audio, element(ids.samplingFrequency, rate), element(ids.channels, byte(told.channels ?? 2))),
  );
}

const share = (frames: readonly Frame[], fits: (frame: Frame) => boolean) =>
  frames.filter(fits).length / Math.max(1, frames.length);

/** Whether NAL units with lengths of four bytes lead exactly to the end of the frame, and whether they are HEVC's. */
function nalChain(source: Source, { from, to }: Frame): 'avc' | 'hevc' | null {
  let hevc = true;
  let at = from;
  while (at + 6 <= to) {
    const head = source.read(at, 6);
    const length = head.length === 6 ? head.readUInt32BE(0) : 0;
    if (length < 2 || ((head[4] ?? 128) & 128) !== 0) return null;
    // Streams of one layer have this second byte (ITU-T H.265, 7.3.1.2).
    hevc = hevc && ((head[5] ?? 0) & 0xf8) === 0 && ((head[5] ?? 0) & 7) !== 0 && ((head[4] ?? 0) & 1) === 0;
    at += 4 + length;
  }
  return at === to ? (hevc ? 'hevc' : 'avc') : null;
}

async function tellPicture(
  reading: Reading,
  frames: readonly Frame[],
  did: (step: Step) => void,
): Promise<Told | null> {
  const { source } = reading;
  const chains = frames.map((frame) => nalChain(source, frame));
  if (chains.filter((chain) => chain !== null).length >= frames.length * 0.9) {
    const spans: Span[] = frames.slice(0, 120);
    const hevc = chains.filter((chain) => chain === 'hevc').length >= frames.length * 0.9;
    let found: Template | null = null;
    for (const { from, to } of spans) found ??= pictureInStream(source, from, to);
    // What configured the decoder may be left of the description itself.
    found ??= pictureInSetup(source, 0, frames[0]?.from ?? 0);
    // The block of the first frame may have lost its head, so that all bytes are looked at, not only those of blocks.
    if (!found && !hevc)
      found =
        (await pictureByTrial(reading, [{ from: 0, to: frames[119]?.to ?? frames.at(-1)?.to ?? 0 }], did))?.template ??
        null;
    if (!found && hevc) found = hevcBySearch(reading, firstSlices(source, frames, isHevcSlice), did);
    if (!found && !hevc) found = avcBySearch(reading, firstSlices(source, frames, isAvcSlice), did);
    return found && fromTemplate(found);
  }
  const [first] = frames;
  const head = first ? source.copy(first.from, Math.min(64, first.to - first.from)) : Buffer.alloc(0);
  const vp = tellVp(head);
  if (vp) return vp;
  const start = head.length > 8 && head.readUInt32BE(0) === 0x1b3 ? head.readUIntBE(4, 3) : -1;
  if (start >= 0) return { kind: 1, codec: 'V_MPEG2', setup: null, size: [start >> 12, start & 4095] };
  if (share(frames, ({ from }) => source.read(from, 2).equals(Buffer.from([0xff, 0xd8]))) < 0.9) return null;
  const found = pictureOfItself(source, [{ from: frames[0]?.from ?? 0, to: frames.at(-1)?.to ?? 0 }]);
  return found && fromTemplate(found);
}

/** Size in the first frame of VP9 (bitstream specification, 6.2) or VP8 (RFC 6386, 9.1); null for other data. */
function tellVp(head: Buffer): Told | null {
  if (head.length < 12) return null;
  // Frame marker, profile 0, a key frame, its sync code, a colour space with one bit of range behind it.
  if (((head[0] ?? 0) & 0xfc) === 0x80 && head.readUIntBE(1, 3) === 0x498342 && (head[4] ?? 0) >> 5 !== 7) {
    const bits = head.readUIntBE(4, 5);
    const size: [number, number] = [(Math.floor(bits / 2 ** 20) & 0xffff) + 1, (Math.floor(bits / 16) & 0xffff) + 1];
    return { kind: 1, codec: 'V_VP9', setup: null, size };
  }
  if (((head[0] ?? 1) & 1) === 0 && head.readUIntBE(3, 3) === 0x9d012a)
    return {
      kind: 1,
      codec: 'V_VP8',
      setup: null,
      size: [head.readUInt16LE(6) & 0x3fff, head.readUInt16LE(8) & 0x3fff],
    };
  return null;
}

/** The same track in the words of Matroska (RFC 9559, codec mappings); null for what it has none for here. */
function fromTemplate({ kind, codec, stsd }: Template): Told | null {
  const size: [number, number] = [stsd.readUInt16BE(48), stsd.readUInt16BE(50)];
  if (kind === 'vide') {
    if (codec === 'avc1') return { kind: 1, codec: 'V_MPEG4/ISO/AVC', setup: boxInside(stsd, 'avcC'), size };
    if (codec === 'hev1') return { kind: 1, codec: 'V_MPEGH/ISO/HEVC', setup: boxInside(stsd, 'hvcC'), size };
    return codec === 'jpeg' ? { kind: 1, codec: 'V_MJPEG', setup: null, size } : null;
  }
  const sound = { kind: 2 as const, channels: stsd.readUInt16BE(40), rate: stsd.readUInt16BE(48) };
  if (codec === 'ac-3') return { ...sound, codec: 'A_AC3', setup: null };
  if (codec !== 'mp4a') return null;
  return descriptor(stsd, 4)?.[0] === 0x40
    ? { ...sound, codec: 'A_AAC', setup: descriptor(stsd, 5) }
    : { ...sound, codec: 'A_MPEG/L3', setup: null };
}

function tellSound(source: Source, frames: readonly Frame[]): Told | null {
  const [first, last] = [frames[0], frames.at(-1)];
  const seconds = ((last?.time ?? 0) - (first?.time ?? 0)) / 1000;
  const [guessed] = guessSounds(source, frames, seconds);
  const known = guessed ? fromTemplate(guessed) : null;
  return known ?? tellOpus(source, frames, seconds);
}

/** Milliseconds of one frame of Opus by the configuration in its first byte (RFC 6716, 3.1). */
function opusFrame(config: number): number {
  if (config < 12) return [10, 20, 40, 60][config & 3] ?? 20;
  return config < 16 ? ([10, 20][config & 1] ?? 20) : ([2.5, 5, 10, 20][config & 3] ?? 20);
}

/** Bytes of the longest packet of Opus with one frame (RFC 6716, 3.4: 1,275) and its head. */
const longestOpus = 1276;

/** Opus: the first bytes of packets agree with one another, and with how long the packets last. */
function tellOpus(source: Source, frames: readonly Frame[], seconds: number): Told | null {
  const heads = frames.map(({ from }) => source.read(from, 1)[0] ?? 0);
  const counts = new Map<number, number>();
  for (const head of heads) counts.set(head, (counts.get(head) ?? 0) + 1);
  const [usual, count] = [...counts].sort((left, right) => right[1] - left[1])[0] ?? [0, 0];
  const lasts = heads.reduce((sum, head) => sum + opusFrame(head >> 3) * ((head & 3) === 0 ? 1 : 2), 0);
  const longest = Math.max(...frames.map(({ from, to }) => to - from));
  const near = Math.abs(lasts / 1000 / Math.max(0.001, seconds) - 1) < 0.1;
  if (count < frames.length * 0.8 || (usual & 3) === 3 || longest > longestOpus || !near || frames.length < 10)
    return null;
  const channels = usual & 4 ? 2 : 1;
  const setup = Buffer.from('OpusHead\x01\0\x38\x01\x80\xbb\0\0\0\0\0', 'latin1');
  setup[9] = channels;
  return { kind: 2, codec: 'A_OPUS', setup, channels, rate: 48000 };
}
