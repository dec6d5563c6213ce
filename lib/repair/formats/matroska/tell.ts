import { boxInside, descriptor } from '../../codecs/configuration';
import { longestOpus, opusChannels, opusMilliseconds } from '../../codecs/opus';
import { readVp9Key } from '../../codecs/vp9/key';
import { commonest } from '../../core/commonest';
import { highest } from '../../core/extent';
import { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { pictureInSetup } from '../iso/demux/entries';
import { mostOf, nalKind, pictureOfUnits } from '../iso/demux/framed';
import { guessSounds } from '../iso/demux/guess';
import { pictureOfAv1Frames } from '../iso/demux/packed';
import { pictureOfItself } from '../iso/demux/streams';
import type { Template } from '../iso/demux/template';
import { mpeg4BySearch } from '../iso/demux/untold-mpeg4';
import { eight, element, ids } from './elements';
import { type Frame, framesOf } from './frames';
import type { Track } from './tracks';
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

/** A description of tracks made from their frames: their entries, what these say of each track by its number, and numbers that stay unknown. */
export type ToldTracks = {
  entries: Map<number, Buffer>;
  described: Map<number, Track>;
  unknown: number[];
};

/** Blocks of each track that are looked at. */
const looked = 600;

/** Tells the codecs of tracks from their frames, but for those of `known` numbers, where the file's own description of them is lost. */
export async function tellTracks(
  reading: Reading,
  walk: Walk,
  known: ReadonlySet<number>,
  did: (step: Step) => void,
): Promise<ToldTracks> {
  const described = new Map<number, Track>();
  const entries = new Map<number, Buffer>();
  const unknown: number[] = [];
  for (const [number, frames] of framesOf(reading.source, walk, looked)) {
    if (frames.length < 2 || known.has(number)) continue;
    reading.job.deadline.check();
    const told = (await tellPicture(reading, frames, did)) ?? tellSound(reading.source, frames);
    if (told) {
      const { kind, codec, setup } = told;
      described.set(number, { kind, codec, setup, isEncoded: false, isEncrypted: false, packing: null, isSet: true });
      entries.set(number, entryOf(number, told));
    } else unknown.push(number);
  }
  return { entries, described, unknown };
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

async function tellPicture(
  reading: Reading,
  frames: readonly Frame[],
  did: (step: Step) => void,
): Promise<Told | null> {
  const { source } = reading;
  const units = nalKind(source, frames);
  if (units) {
    const setup = () => pictureInSetup(source, 0, frames[0]?.from ?? 0);
    const found = await pictureOfUnits(reading, frames, units, setup, did);
    return found && fromTemplate(found);
  }
  for (const { from, to } of frames) {
    const told = tellByHead(source.copy(from, Math.min(headBytes, to - from)));
    if (told) return told;
  }
  const found = pictureOfAv1Frames(source, frames) ?? tellJpegs(source, frames) ?? mpeg4BySearch(reading, frames, did);
  return found && fromTemplate(found);
}

/** Bytes at the beginning of a frame that are looked at. */
const headBytes = 64;

/** Bytes of a head of a group of MPEG-4 Part 2 (ISO/IEC 14496-2, 6.2.4), with the start code that a head of MPEG-2 has, and the code of the plane behind it. */
const groupBytes = 7;
const planeCode = 0x1b6;

/** Codec and size of a frame that stands alone, of VP8, VP9 or MPEG-2 (ISO/IEC 13818-2, 6.2.2.1); null for others. */
function tellByHead(head: Buffer): Told | null {
  const isGroup = head.length > groupBytes + 4 && head.readUInt32BE(groupBytes) === planeCode;
  const start = head.length > 8 && head.readUInt32BE(0) === 0x1b3 && !isGroup ? head.readUIntBE(4, 3) : -1;
  if (start >= 0) return { kind: 1, codec: 'V_MPEG2', setup: null, size: [start >> 12, start & 4095] };
  return tellVp(head);
}

function tellJpegs(source: Source, frames: readonly Frame[]): Template | null {
  if (share(frames, ({ from }) => source.read(from, 2).equals(Buffer.from([0xff, 0xd8]))) < mostOf) return null;
  return pictureOfItself(source, [{ from: frames[0]?.from ?? 0, to: frames.at(-1)?.to ?? 0 }]);
}

/** Size in a key frame of VP9 or VP8 (RFC 6386, 9.1); null for other data. */
function tellVp(head: Buffer): Told | null {
  if (head.length < 12) return null;
  const key = readVp9Key(head);
  if (key) return { kind: 1, codec: 'V_VP9', setup: null, size: [key.width, key.height] };
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
    if (codec === 'mp4v') return { kind: 1, codec: 'V_MPEG4/ISO/ASP', setup: descriptor(stsd, 5), size };
    if (codec === 'av01') return { kind: 1, codec: 'V_AV1', setup: boxInside(stsd, 'av1C'), size };
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
  return known ?? tellFlac(source, frames) ?? tellOpus(source, frames, seconds);
}

/** Bytes of the longest head of a frame of FLAC (RFC 9639, 9.1). */
const flacHead = 16;
/** Samples a second and bits of a sample by their codes there (tables 15 and 17); 0 where the frame does not say. */
const flacRates = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
const flacBits = [0, 8, 12, 0, 16, 20, 24, 32];

/** FLAC by the heads of its frames, of which each stands alone. */
function tellFlac(source: Source, frames: readonly Frame[]): Told | null {
  const heads = frames.map(({ from }) => source.copy(from, flacHead));
  if (
    heads.length < 2 ||
    !heads.every((head) => head.length === flacHead && (head.readUInt16BE(0) & 0xfffe) === 0xfff8)
  )
    return null;
  const head = heads[0] ?? Buffer.alloc(flacHead);
  const rate = flacRates[(head[2] ?? 0) & 15] ?? 0;
  const bits = flacBits[((head[3] ?? 0) >> 1) & 7] ?? 0;
  const code = (head[3] ?? 0) >> 4;
  const channels = code < 8 ? code + 1 : 2;
  if (rate === 0 || bits === 0 || code > 10) return null;
  const block = highest(heads.map(flacBlock));
  if (block === 0) return null;
  // STREAMINFO (8.2), the last block of metadata: sizes of frames, length and digest are not known.
  const setup = Buffer.alloc(42);
  setup.write('fLaC', 'latin1');
  setup.writeUInt32BE(0x80000022, 4);
  setup.writeUInt16BE(block, 8);
  setup.writeUInt16BE(block, 10);
  setup.writeUInt32BE(((rate << 12) | ((channels - 1) << 9) | ((bits - 1) << 4)) >>> 0, 18);
  return { kind: 2, codec: 'A_FLAC', setup, channels, rate };
}

/** Samples of a frame of FLAC by their code (table 14), for sizes that encoders use; 0 for others. */
function flacBlock(head: Buffer): number {
  const code = (head[2] ?? 0) >> 4;
  if (code === 1) return 192;
  if (code >= 2 && code <= 5) return 576 << (code - 2);
  return code >= 8 ? 256 << (code - 8) : 0;
}

/** Share of packets of Opus of one stream that are of one length and hold one frame: encoders change the mode as they go, hardly the length. */
const ofOneLength = 0.8;

/** Opus: the first bytes of packets agree with one another, and with how long the packets last. */
function tellOpus(source: Source, frames: readonly Frame[], seconds: number): Told | null {
  const heads = frames.map(({ from }) => source.read(from, 1)[0] ?? 0);
  const { value: usual } = commonest(heads);
  const { value: length, count } = commonest(heads.map((head) => opusMilliseconds(head) * 4 + (head & 3)));
  const lasts = heads.reduce((sum, head) => sum + opusMilliseconds(head), 0);
  const longest = highest(frames.map(({ from, to }) => to - from));
  // Where blocks are gone the time jumps; what lies between most packets tells as much.
  const steps = frames.slice(1).map(({ time }, index) => time - (frames[index]?.time ?? 0));
  const isSteady = Math.abs(commonest(steps).value - length / 4) <= 1;
  const near = isSteady || Math.abs(lasts / 1000 / Math.max(0.001, seconds) - 1) < 0.1;
  const isAlike = count >= frames.length * ofOneLength && (usual & 3) !== 3;
  if (!isAlike || longest > longestOpus || !near || frames.length < 10) return null;
  const channels = opusChannels(usual);
  const setup = Buffer.from('OpusHead\x01\0\x38\x01\x80\xbb\0\0\0\0\0', 'latin1');
  setup[9] = channels;
  return { kind: 2, codec: 'A_OPUS', setup, channels, rate: 48000 };
}
