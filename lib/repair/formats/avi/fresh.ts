import { highest } from '../../core/extent';
import { Buffer } from '../../host/bytes';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import type { Movi } from './chunks';
import { chunkOf } from './headers';
import type { Listed } from './listed';
import { pcmOfHead, rateByPcm, tellPcm } from './pcm';
import { type Remains, remainsFor, remainsOf } from './remains';
import { tags, tellFrames } from './soundcodes';
import { type Picture, picturesOf, type Sound, tellPicture } from './tell';
import { searchPicture } from './untold';

/**
 * What the new headers say, to be told to a person. `picture` is the stream of the pictures; `prefix` has to stand before the first of them that stands
 * alone, and `searched` is their size where it was told by reading them. `names` are the new numbers of the streams that are described.
 */
export type Fresh = {
  list: Buffer;
  rate: number;
  isGuess: boolean;
  sounds: readonly string[];
  names: ReadonlyMap<string, string>;
  picture: string | null;
  prefix: Buffer | null;
  searched: { width: number; height: number } | null;
  /** Packets of sound whose rate is a guess, and whether pictures lie in rows of which nothing tells the order. */
  guessedSounds: number;
  isRaw: boolean;
};

const commonRates = [10, 12, 15, 20, 24000 / 1001, 24, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60];
/** How far a measured rate may be from one of these to be taken for it. */
const nearRate = 0.03;
/** Frames a second where nothing tells them. */
const usualRate = 25;
/** Bytes of the shortest stream of sound of which anything is told, chunks that are looked at, and bytes of each. */
const leastSound = 64;
const looked = { chunks: 40, bytes: 8192 };
/** Bytes of AVISTREAMHEADER with rcFrame, and of AVIMAINHEADER. */
const headBytes = 56;
/** Streams that are described anew. */
const mostStreams = 16;

function fields(size: number, values: readonly (readonly [number, number])[]): Buffer {
  const bytes = Buffer.alloc(size);
  for (const [at, value] of values) bytes.writeUInt32LE(value >>> 0, at);
  return bytes;
}

/** One stream as its chunks show it, with what is left of its description; `count` and `bytes` are those of the whole file, where the index tells them. */
type Stream = {
  id: string;
  kind: Remains['kind'] | null;
  count: number;
  bytes: number;
  left: Remains | null;
  first: Buffer;
  lengths: number[];
};

function streamsOf(source: Source, movi: Movi, listed: Listed | null): Stream[] {
  const remains = remainsOf(source, movi.chunks[0]?.offset ?? 0);
  const numbers = movi.chunks.map(({ id }) => Number(id.slice(0, 2))).filter((number) => number < mostStreams);
  const last = highest(numbers, 0);
  const streams: Stream[] = [];
  for (let number = 0; number <= last; number++) {
    const id = String(number).padStart(2, '0');
    const chunks = movi.chunks.filter((one) => one.id.startsWith(id) && one.length > 0);
    const isSound = chunks.some((one) => one.id.endsWith('wb'));
    const isPicture = chunks.some((one) => /d[bc]$/.test(one.id));
    const all = listed ? [...listed.totals].filter(([name]) => name.startsWith(id)).map(([, total]) => total) : [];
    const sum = (of: readonly number[]) => of.reduce((one, other) => one + other, 0);
    const sounds = isSound ? chunks.slice(0, looked.chunks) : [];
    streams.push({
      id,
      kind: isPicture ? 'vids' : isSound ? 'auds' : null,
      count: Math.max(chunks.length, sum(all.map(({ count }) => count))),
      bytes: Math.max(sum(chunks.map(({ length }) => length)), sum(all.map(({ bytes }) => bytes))),
      left: null,
      first: Buffer.concat(sounds.map(({ offset, length }) => source.copy(offset + 8, Math.min(length, looked.bytes)))),
      lengths: isSound ? chunks.map(({ length }) => length) : [],
    });
  }
  for (const kind of ['vids', 'auds'] as const) {
    const own = streams.filter((one) => one.kind === kind);
    for (const [index, stream] of own.entries()) stream.left = remainsFor(remains, kind, index, own.length);
  }
  return streams;
}

/** Bytes a second of sound that says so itself, in frames or in what is left of its description; 0 where it does not. */
function bytesPerSecond({ left, first, bytes }: Stream): number {
  const told = bytes < leastSound ? null : tellFrames(first);
  if (told || !left?.format) return told?.bytesPerSecond ?? 0;
  const { tag, rate, bytesPerSecond: speed, block } = soundOfFormat(left.format);
  const isBlocks = (tag === tags.adpcm || tag === tags.ima) && left.format.length >= 20;
  return isBlocks ? (rate * block) / Math.max(1, left.format.readUInt16LE(18)) : speed;
}

/** Frames a second that make picture and sound equally long. */
function rateBySound(streams: readonly Stream[], frames: number): number | null {
  for (const stream of streams) {
    const speed = stream.kind === 'auds' ? bytesPerSecond(stream) : 0;
    if (speed === 0) continue;
    const measured = (frames * speed) / stream.bytes;
    const near = commonRates.toSorted((one, other) => Math.abs(one - measured) - Math.abs(other - measured))[0] ?? 25;
    return Math.abs(near / measured - 1) < nearRate ? near : Math.round(measured * 1000) / 1000;
  }
  return null;
}

/** Frames a second by the first stream of PCM, whose own rate is not known either. */
function pcmClock(streams: readonly Stream[], frames: number): number | null {
  const stream = streams.find(({ kind, bytes }) => kind === 'auds' && bytes >= leastSound);
  return stream ? rateByPcm(stream.first, stream.lengths, stream.bytes, frames) : null;
}

/** Frames a second of a stream's own clock, dwRate by dwScale. */
const clockOf = (left: Remains | null): number | null =>
  left?.head ? left.head.readUInt32LE(24) / left.head.readUInt32LE(20) : null;

/** The size and codec that an AVISTREAMHEADER alone tells: fccHandler and rcFrame. */
function pictureOfHead({ left }: Stream): Picture | null {
  const head = left?.head;
  if (!head || head.length < headBytes) return null;
  const [width, height] = [head.readInt16LE(52), head.readInt16LE(54)];
  const code = head.toString('latin1', 4, 8);
  return width > 0 && height > 0 && /^[\w ]{4}$/.test(code) && code !== 'DIB '
    ? { code, width, height, bits: 24, rate: null, prefix: null }
    : null;
}

/** The size and codec of a BITMAPINFOHEADER. */
function pictureOfFormat({ left }: Stream): Picture | null {
  const format = left?.format;
  if (!format) return null;
  const [width, height] = [format.readInt32LE(4), Math.abs(format.readInt32LE(8))];
  return {
    code: format.toString('latin1', 16, 20),
    width,
    height,
    bits: format.readUInt16LE(14),
    rate: null,
    prefix: null,
  };
}

function pictureStream({ left }: Stream, picture: Picture, rate: number, frames: number): Buffer {
  const head = fields(headBytes, [
    [20, 1001],
    [24, Math.round(rate * 1001)],
    [32, frames],
    [40, 0xffffffff],
  ]);
  head.write('vids', 0, 'latin1');
  head.write(picture.code === '\0\0\0\0' ? 'DIB ' : picture.code, 4, 'latin1');
  head.writeInt16LE(picture.width, 52);
  head.writeInt16LE(picture.height, 54);
  const palette = picture.bits === 8 && picture.code === '\0\0\0\0' ? greys : Buffer.alloc(0);
  const format = fields(40, [
    [0, 40],
    [4, picture.width],
    [8, picture.height],
    [20, Math.ceil((picture.width * picture.bits) / 32) * 4 * picture.height],
    [32, palette.length / 4],
  ]);
  format.writeUInt16LE(1, 12);
  format.writeUInt16LE(picture.bits, 14);
  format.write(picture.code, 16, 'latin1');
  const own = left?.format ?? Buffer.concat([format, palette]);
  return chunkOf('LIST', Buffer.from('strl'), chunkOf('strh', left?.head ?? head), chunkOf('strf', own));
}

/** A palette of greys. */
const greys = Buffer.from(Array.from({ length: 256 }, (_, grey) => [grey, grey, grey, 0]).flat());

function soundStream(sound: Sound, { bytes, count, left }: Stream): Buffer {
  const isCounted = countsFrames(sound);
  const head = fields(headBytes, [
    [20, sound.block],
    [24, sound.bytesPerSecond],
    [32, isCounted ? count : Math.floor(bytes / sound.block)],
    [40, 0xffffffff],
    [44, !isCounted && (sound.block > 1 || sound.tag === tags.pcm) ? sound.block : 0],
  ]);
  head.write('auds', 0, 'latin1');
  const extra = sound.extra ?? Buffer.alloc(0);
  const format = Buffer.alloc(18);
  format.writeUInt16LE(sound.tag, 0);
  format.writeUInt16LE(sound.channels, 2);
  format.writeUInt32LE(sound.rate, 4);
  format.writeUInt32LE(sound.bytesPerSecond, 8);
  format.writeUInt16LE(sound.block, 12);
  format.writeUInt16LE(sound.bits, 14);
  format.writeUInt16LE(extra.length, 16);
  // A header counts in the units of its own format, bytes or frames: with one that is made anew it would play at another speed.
  const own = left?.format ? left.head : isUnitOf(left?.head, sound) ? left?.head : null;
  return chunkOf(
    'LIST',
    Buffer.from('strl'),
    chunkOf('strh', own ?? head),
    chunkOf('strf', left?.format ?? Buffer.concat([format, extra])),
  );
}

/** Whether a stream's header counts in blocks of a sound as its format has them, and as fast. */
function isUnitOf(head: Buffer | null | undefined, { block, bytesPerSecond }: Sound): boolean {
  if (!head || head.length < headBytes) return false;
  const [scale, rate, size] = [head.readUInt32LE(20), head.readUInt32LE(24), head.readUInt32LE(44)];
  return size === block && scale > 0 && Math.abs((rate / scale) * block - bytesPerSecond) <= bytesPerSecond * nearRate;
}

/** Frames that a description counts in its samples, as MP3 of variable rate has it, have a block of that many (MPEGLAYER3WAVEFORMAT). */
const layer3Block = 576;

/** Whether a stream of sound is counted in frames, of which each chunk holds one, whatever their bytes. */
const countsFrames = ({ tag, block }: Pick<Sound, 'tag' | 'block'>): boolean =>
  tag === tags.layer3 && block >= layer3Block;

/** A sound that its own WAVEFORMATEX describes. */
function soundOfFormat(format: Buffer): Sound {
  const [tag, channels, block] = [format.readUInt16LE(0), format.readUInt16LE(2), format.readUInt16LE(12)];
  const [rate, speed] = [format.readUInt32LE(4), format.readUInt32LE(8)];
  return {
    tag,
    channels,
    rate,
    bytesPerSecond: countsFrames({ tag, block }) ? rate : speed,
    block,
    bits: 0,
    extra: null,
  };
}

const soundNames: Record<number, string> = {
  [tags.pcm]: 'PCM',
  [tags.adpcm]: 'ADPCM',
  [tags.ima]: 'ADPCM',
  [tags.layer2]: 'MP2',
  [tags.layer3]: 'MP3',
  [tags.ac3]: 'AC-3',
};

/** Blocks a second and bytes of one that an AVISTREAMHEADER tells of sound in samples of one size: dwRate by dwScale, dwSampleSize. */
function samplesOf({ left }: Stream): { blocks: number; block: number } | null {
  const [blocks, block] = [clockOf(left), left?.head?.readUInt32LE(44) ?? 0];
  return blocks && block > 0 ? { blocks, block } : null;
}

/** Format of a stream of sound; `seconds` is the length of the picture, 0 where there is none. */
function soundOf(stream: Stream, seconds: number): (Sound & { isGuess?: boolean }) | null {
  const { left, first, lengths, bytes } = stream;
  if (left?.format) return soundOfFormat(left.format);
  if (bytes < leastSound) return null;
  const told = tellFrames(first);
  if (told) return told;
  const samples = samplesOf(stream);
  if (samples) return pcmOfHead(first, lengths, samples.blocks, samples.block);
  const sound = left?.head ? null : tellPcm(first, lengths, bytes, seconds);
  return sound && { ...sound, isGuess: true };
}

type Told = { stream: Stream; picture: Picture; isSearched: boolean };

/** Codecs whose frames cannot be read without what stands behind the BITMAPINFOHEADER. */
const needsFormat = /^(HFYU|FFVH|WMV2|WMV3|WVC1|FFV1|UL[YRH].|THEO)$/i;

function pictureOf(reading: Reading, movi: Movi, streams: readonly Stream[]): Told | null {
  const own = streams.filter(({ kind }) => kind === 'vids');
  for (const stream of own) {
    const picture = pictureOfFormat(stream) ?? tellPicture(reading.source, movi, stream.id) ?? pictureOfHead(stream);
    if (picture && needsFormat.test(picture.code) && !stream.left?.format) continue;
    if (picture) return { stream, picture, isSearched: false };
  }
  for (const stream of own) {
    if (stream.left?.head && needsFormat.test(stream.left.head.toString('latin1', 4, 8))) continue;
    const picture = searchPicture(reading, picturesOf(movi, stream.id));
    if (picture) return { stream, picture, isSearched: true };
  }
  return null;
}

const soundWords = (sound: Sound): string =>
  `${soundNames[sound.tag] ?? 'sound'}, ${sound.rate} Hz, ${sound.channels === 1 ? 'mono' : 'stereo'}`;

/** Whether pictures are not compressed, and nothing but their bytes tells how they lie. */
const isUpsideUntold = ({ stream, picture, isSearched }: Told): boolean =>
  isSearched && !stream.left?.format && picture.prefix === null;

/** Streams with their new descriptions, and what is told of the sound among them. */
type Lists = { lists: Buffer[] } & Pick<Fresh, 'names' | 'sounds' | 'guessedSounds'>;

/** Describes the streams of which enough is known; `clock` is null where the frames a second are a guess. */
function listsOf(movi: Movi, streams: readonly Stream[], own: Told | null, clock: number | null, rate: number): Lists {
  const frames = (own?.stream ?? streams.find(({ kind }) => kind === 'vids'))?.count ?? 0;
  const sounds: string[] = [];
  const lists: Buffer[] = [];
  const names = new Map<string, string>();
  let guessedSounds = 0;
  for (const stream of streams) {
    const sound = stream.kind === 'auds' ? soundOf(stream, frames / rate) : null;
    if (!sound && stream !== own?.stream) continue;
    names.set(stream.id, String(lists.length).padStart(2, '0'));
    if (sound && !stream.left?.format) sounds.push(soundWords(sound));
    if (sound?.isGuess && clock === null) guessedSounds += stream.lengths.length;
    if (sound) lists.push(soundStream(sound, stream));
    else if (own) lists.push(pictureStream(stream, own.picture, rate, picturesOf(movi, stream.id).length));
  }
  return { lists, names, sounds, guessedSounds };
}

/** A new header list from what is left of it and from the frames and sounds themselves; null when neither pictures nor sound can be told. */
export function freshHeaders(reading: Reading, movi: Movi, listed: Listed | null): Fresh | null {
  const streams = streamsOf(reading.source, movi, listed);
  const own = pictureOf(reading, movi, streams);
  const frames = (own?.stream ?? streams.find(({ kind }) => kind === 'vids'))?.count ?? 0;
  const clock = own ? (clockOf(own.stream.left) ?? own.picture.rate ?? rateBySound(streams, frames)) : null;
  const rate = clock ?? pcmClock(streams, frames) ?? usualRate;
  const { lists, ...told } = listsOf(movi, streams, own, clock, rate);
  if (lists.length === 0) return null;
  const { width, height } = own?.picture ?? { width: 0, height: 0 };
  const main = fields(headBytes, [
    [0, Math.round(1e6 / rate)],
    [12, 0x10],
    [16, frames],
    [24, lists.length],
    [32, width],
    [36, height],
  ]);
  return {
    list: chunkOf('LIST', Buffer.from('hdrl'), chunkOf('avih', main), ...lists),
    ...told,
    ...{ rate, isGuess: clock === null },
    isRaw: own !== null && isUpsideUntold(own),
    picture: own?.stream.id ?? null,
    prefix: own?.picture.prefix ?? null,
    searched: own?.isSearched ? { width, height } : null,
  };
}
