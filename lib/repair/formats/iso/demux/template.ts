import { readAacConfig } from '../../../codecs/aac/frame';
import { readAlacConfig } from '../../../codecs/alac';
import { AvcReader } from '../../../codecs/avc/sets';
import { descriptor, parameterSets } from '../../../codecs/configuration';
import { HevcReader } from '../../../codecs/hevc/sets';
import type { NalReader } from '../../../codecs/nal';
import { Buffer } from '../../../host/bytes';
import type { Origin } from '../../../report/facts/video';
import type { Source } from '../../../video/source';
import { boxBytes } from '../boxsizes';
import { isProres } from '../probes';
import { pcmBlock, type Track } from '../track';
import type { Chunking } from './chunks';
import { alacFrames, alacSetup, av1Frames } from './packed';
import type { Records } from './records';
import { aacFrames, ac3Frames, amrFrames, fillerSound, mp3Frames } from './sounds';
import {
  dnxFrames,
  h263Frames,
  jpegFrames,
  mpeg4Frames,
  NalFrames,
  proresFrames,
  telemetry,
  type UnitReader,
} from './units';
import { Vp9Samples } from './vp9';

/** What a track needs besides its samples. `step` is the duration of one sample in units of `timescale`. */
export type Template = {
  origin: Origin;
  kind: string;
  codec: string;
  stsd: Buffer;
  timescale: number;
  step: number;
  raw: Map<string, Buffer>;
  /** Durations and composition offsets of all samples, where the file's own tables tell them. */
  durations: Uint32Array | null;
  compositions: Int32Array | null;
  /** Bytes of one frame of PCM; 0 for packets. */
  block: number;
  /** Sizes of packets that have no mark but a first byte, in bytes. */
  packets: { first: number; mean: number; deviation: number } | null;
  /** First bytes of samples, where they tell the mode of a speech codec. */
  heads: number[];
  largest: number;
  /** How a working video of the same camera lays PCM between its pictures. */
  chunking?: Chunking | null;
  /** What a camera writes of its pictures beside PCM. */
  records?: Records | null;
  /** Pictures a second that lie beside sound, where chunks of both tell them better than their sums: the last of either may be cut. */
  pictures?: number | undefined;
  /** What sound may be as well, where its frames look alike at several rates and nothing told yet which it is (`rate.ts`). */
  alike?: readonly Alike[];
};

/** Sound at another rate: `timescale` samples a second, `step` of them in a frame. */
export type Alike = Pick<Template, 'stsd' | 'timescale' | 'step'>;

function packetSizes(track: Track, source: Source): Template['packets'] {
  const count = Math.min(4000, track.sizes.length);
  if (track.codec !== 'Opus' || count < 4) return null;
  const first = new Map<number, number>();
  let sum = 0;
  let squares = 0;
  for (let index = 0; index < count; index++) {
    const size = track.sizes[index] ?? 0;
    const byte = source.read(track.offsets[index] ?? 0, 1)[0] ?? 0;
    first.set(byte, (first.get(byte) ?? 0) + 1);
    sum += size;
    squares += size * size;
  }
  const mean = sum / count;
  const most = [...first].sort((left, right) => right[1] - left[1])[0];
  return most && most[1] * 2 > count
    ? { first: most[0], mean, deviation: Math.max(3, Math.sqrt(Math.max(0, squares / count - mean * mean))) }
    : null;
}

function speechHeads(track: Track, source: Source): number[] {
  if (track.codec !== 'samr' && track.codec !== 'sawb') return [];
  const seen = new Set<number>();
  for (let index = 0; index < Math.min(4000, track.sizes.length); index++)
    seen.add(source.read(track.offsets[index] ?? 0, 1)[0] ?? 0);
  return [...seen];
}

/** Ticks of one packet by codec: AAC 1024, MP3 1152, AC-3 1536, ALAC 4096, Opus and AMR 20 milliseconds; otherwise a thirtieth of a second. */
function usualStep({ codec, timescale }: Track): number {
  if (codec === 'mp4a') return 1024;
  if (codec === '.mp3') return 1152;
  if (codec === 'ac-3' || codec === 'ec-3') return 1536;
  if (codec === 'alac') return 4096;
  return Math.max(1, Math.round(timescale / (codec === 'Opus' || codec === 'samr' || codec === 'sawb' ? 50 : 30)));
}

/** What a track tells about tracks of its kind: `own` tables hold for the very samples that are looked for; `source` has its data. */
export function templateOf(track: Track, source: Source | null, own: boolean): Template {
  const count = track.durations.length;
  const total = track.durations.reduce((sum, value) => sum + value, 0);
  const block = pcmBlock(track.stsd);
  return {
    origin: own ? 'index' : 'sample',
    kind: track.kind,
    codec: track.codec,
    stsd: track.stsd,
    timescale: track.timescale,
    step: block > 0 ? 1 : count > 0 ? Math.max(1, Math.round(total / count)) : usualStep(track),
    raw: track.raw,
    durations: own && count > 0 && block === 0 ? track.durations : null,
    compositions: own ? track.compositions : null,
    block,
    packets: source && packetSizes(track, source),
    heads: source ? speechHeads(track, source) : [],
    largest: track.sizes.reduce((largest, size) => Math.max(largest, size), 0),
  };
}

function nalFrames(reader: NalReader, sets: Buffer[], largest: number): NalFrames {
  for (const set of sets) reader.learn(set);
  // Frames of one camera do not differ in size by much more than this.
  return new NalFrames(reader, Math.min(16 << 20, Math.max(1 << 16, largest > 0 ? largest * 4 : 4 << 20)));
}

/** The reader that finds samples of this track in raw data; null for kinds that have no mark at all. */
export function readerFor(template: Template): { reader: UnitReader; nal: NalReader | null } | null {
  const nal = nalReaderFor(template);
  if (nal) return { reader: nalFrames(nal, parameterSets(template.stsd), template.largest), nal };
  const reader = pictureReader(template) ?? soundReader(template);
  return reader && { reader, nal: null };
}

/** objectTypeIndication of a decoder's configuration (ISO/IEC 14496-1, table 5, and mp4ra.org). */
const objects = { none: 0, mpeg4: 0x20, mp3: 0x6b, mp3Low: 0x69, jpeg: 0x6c } as const;
const objectOf = ({ stsd }: Template) => descriptor(stsd, 4)?.[0] ?? objects.none;

/** The reader of NAL units of codecs that have them, behind lengths of four bytes; null for others. */
function nalReaderFor({ codec, stsd }: Template): NalReader | null {
  if (/^(hvc1|hev1|dvh[1e])$/.test(codec)) return new HevcReader();
  if (!/^(avc[1-4]|dva[1v])$/.test(codec)) return null;
  const configuration = stsd.indexOf('avcC', 0, 'latin1');
  return configuration > 0 && ((stsd[configuration + 8] ?? 3) & 3) !== 3 ? null : new AvcReader();
}

/** The reader of pictures that tell themselves apart, and of telemetry; null for others. */
function pictureReader(template: Template): UnitReader | null {
  const { codec } = template;
  if (/^(jpeg|mjpa|mjpb|dmb1|mjpg)$/.test(codec)) return jpegFrames;
  if (isProres(codec)) return proresFrames;
  if (/^AVd[hn]$/.test(codec)) return dnxFrames;
  if (/^(s263|h263)$/.test(codec)) return h263Frames;
  if (codec === 'gpmd') return telemetry;
  if (codec === 'av01') return av1Frames(template);
  if (codec === 'vp09') return new Vp9Samples();
  if (codec !== 'mp4v') return null;
  const object = objectOf(template);
  if (object === objects.jpeg) return jpegFrames;
  return object === objects.mpeg4 || object === objects.none ? mpeg4Frames : null;
}

/** The reader of packets of sound; null for codecs that have no mark at all. */
function soundReader(template: Template): UnitReader | null {
  const { codec, stsd, heads } = template;
  if (codec === '.mp3' || codec === 'ms\0U') return mp3Frames(rateOf(stsd));
  if (codec === 'mp4a') return objectReader(template);
  if (codec === 'samr' || codec === 'sawb') {
    const box = stsd.indexOf('damr', 0, 'latin1');
    const framesPerSample = box > 0 ? Math.min(15, Math.max(1, stsd[box + 12] ?? 1)) : 1;
    return amrFrames(codec === 'sawb', framesPerSample, heads);
  }
  if (codec === 'ac-3' || codec === 'ec-3') return ac3Frames();
  if (/^(avc[1-4]|dva[1v]|mp4v)$/.test(codec)) return null;
  const alac = codec === 'alac' ? readAlacConfig(alacSetup(stsd)) : null;
  if (alac) return alacFrames(alac);
  return template.block > 0 || template.packets ? fillerSound : null;
}

/** The reader of sound by its object type: MP3, or AAC with the elements that its channels have. */
function objectReader(template: Template): UnitReader | null {
  const object = objectOf(template);
  if (object === objects.mp3 || object === objects.mp3Low) return mp3Frames(rateOf(template.stsd));
  const config = readAacConfig(descriptor(template.stsd, 5) ?? Buffer.alloc(0));
  if (!config) return null;
  const elements = config.channels === 1 ? '0' : config.channels === 2 ? '1' : '';
  return aacFrames(config, elements);
}

/** Samples a second of a sound sample entry (ISO/IEC 14496-12, 12.2.3). */
const rateOf = (stsd: Buffer) => (stsd.length >= boxBytes.stsdRate ? stsd.readUInt16BE(48) : 0);
