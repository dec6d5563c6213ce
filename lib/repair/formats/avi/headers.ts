import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import type { Movi } from './chunks';
import { type Picture, rateByPcm, type Sound, tellPicture, tellSound } from './tell';

const chunk = (id: string, ...parts: Buffer[]): Buffer => {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(length, 4);
  return Buffer.concat([head, ...parts, Buffer.alloc(length & 1)]);
};

/** Bytes of a strh list's head up to the end of dwSampleSize's neighbours, and of avih up to its flags, chunk heads included. */
const headBytes = { strh: 56, avih: 24 };

/** The header list of the file with the new number of frames; indexes of OpenDML, which no longer fit, become JUNK. */
export function patchHeaders(list: Buffer, movi: Movi): Buffer {
  const copy = Buffer.from(list);
  const count = (stream: number) =>
    movi.chunks.filter(({ id }) => Number(id.slice(0, 2)) === stream && /dc|db/.test(id)).length;
  const main = copy.indexOf('avih', 0, 'latin1');
  let stream = -1;
  for (
    let at = copy.indexOf('strh', 0, 'latin1');
    at >= 0 && at + headBytes.strh <= copy.length;
    at = copy.indexOf('strh', at + 4, 'latin1')
  ) {
    stream++;
    if (copy.toString('latin1', at + 8, at + 12) !== 'vids') continue;
    copy.writeUInt32LE(count(stream), at + 8 + 32);
    if (main >= 0 && main + 64 <= copy.length) copy.writeUInt32LE(count(stream), main + 8 + 16);
  }
  for (let at = copy.indexOf('indx', 0, 'latin1'); at >= 0; at = copy.indexOf('indx', at + 4, 'latin1'))
    copy.write('JUNK', at, 'latin1');
  // AVIF_HASINDEX: the index is written anew.
  if (main >= 0 && main + headBytes.avih <= copy.length)
    copy.writeUInt32LE(copy.readUInt32LE(main + 8 + 12) | 0x10, main + 8 + 12);
  return copy;
}

/** What the new headers say, to be told to a person. */
export type Fresh = { list: Buffer; rate: number; guessed: boolean; sounds: readonly string[] };

const commonRates = [10, 12, 15, 20, 24000 / 1001, 24, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60];

/** Frames a second that make picture and sound equally long; 25 where there is nothing to go by. */
function rateBySound(source: Source, movi: Movi, frames: number): number | null {
  for (const stream of streamsOf(movi, 'wb')) {
    const sound = tellSound(source, movi, stream, 0);
    if (!sound || sound.bytesPerSecond === 0) continue;
    const bytes = movi.chunks.filter(({ id }) => id === `${stream}wb`).reduce((sum, { length }) => sum + length, 0);
    const measured = (frames * sound.bytesPerSecond) / bytes;
    const near = commonRates.toSorted((one, other) => Math.abs(one - measured) - Math.abs(other - measured))[0] ?? 25;
    return Math.abs(near / measured - 1) < 0.03 ? near : Math.round(measured * 1000) / 1000;
  }
  return null;
}

/** Frames a second where nothing tells them. */
const usualRate = 25;

/** Frames a second by the first stream of PCM, whose own rate is not known either. */
function pcmClock(source: Source, movi: Movi, frames: number): number | null {
  const [stream] = streamsOf(movi, 'wb');
  return stream === undefined ? null : rateByPcm(source, movi, stream, frames);
}

const streamsOf = (movi: Movi, kind: string) =>
  [...new Set(movi.chunks.filter(({ id }) => id.endsWith(kind)).map(({ id }) => id.slice(0, 2)))].sort();

function fields(size: number, values: readonly (readonly [number, number])[]): Buffer {
  const bytes = Buffer.alloc(size);
  for (const [at, value] of values) bytes.writeUInt32LE(value >>> 0, at);
  return bytes;
}

function pictureStream(picture: Picture, rate: number, frames: number): Buffer {
  const head = fields(56, [
    [20, 1001],
    [24, Math.round(rate * 1001)],
    [32, frames],
    [40, 0xffffffff],
  ]);
  head.write('vids', 0, 'latin1');
  head.write(picture.code, 4, 'latin1');
  head.writeInt16LE(picture.width, 52);
  head.writeInt16LE(picture.height, 54);
  const format = fields(40, [
    [0, 40],
    [4, picture.width],
    [8, picture.height],
    [20, picture.width * picture.height * 3],
  ]);
  format.writeUInt16LE(1, 12);
  format.writeUInt16LE(24, 14);
  format.write(picture.code, 16, 'latin1');
  return chunk('LIST', Buffer.from('strl'), chunk('strh', head), chunk('strf', format));
}

function soundStream(sound: Sound, bytes: number): Buffer {
  const head = fields(56, [
    [20, sound.block],
    [24, sound.bytesPerSecond],
    [32, Math.floor(bytes / sound.block)],
    [40, 0xffffffff],
    [44, sound.tag === 1 ? sound.block : 0],
  ]);
  head.write('auds', 0, 'latin1');
  const format = Buffer.alloc(18);
  format.writeUInt16LE(sound.tag, 0);
  format.writeUInt16LE(sound.channels, 2);
  format.writeUInt32LE(sound.rate, 4);
  format.writeUInt32LE(sound.bytesPerSecond, 8);
  format.writeUInt16LE(sound.block, 12);
  format.writeUInt16LE(sound.bits, 14);
  return chunk('LIST', Buffer.from('strl'), chunk('strh', head), chunk('strf', format));
}

const soundNames: Record<number, string> = { 1: 'PCM', 85: 'MP3', 8192: 'AC-3' };

/** A stream that must be named although nothing is known of it, so that the numbers of those behind it fit. */
const silentStream = (): Buffer =>
  soundStream({ tag: 1, channels: 1, rate: 8000, bytesPerSecond: 8000, block: 1, bits: 8 }, 0);

/** A new header list from the frames and sounds themselves, when the file's own is lost; null when the pictures cannot be told. */
export function freshHeaders(source: Source, movi: Movi): Fresh | null {
  const pictures = streamsOf(movi, 'dc').concat(streamsOf(movi, 'db'));
  const own = pictures
    .map((stream) => ({ stream, picture: tellPicture(source, movi, stream) }))
    .find((one) => one.picture);
  if (!own?.picture) return null;
  const { picture } = own;
  const frames = movi.chunks.filter(({ id }) => id.startsWith(own.stream)).length;
  const told = picture.rate ?? rateBySound(source, movi, frames);
  const rate = told ?? pcmClock(source, movi, frames) ?? usualRate;
  const sounds: string[] = [];
  const lists: Buffer[] = [];
  const last = Math.max(...movi.chunks.map(({ id }) => Number(id.slice(0, 2))).filter((number) => number < 16), 0);
  for (let number = 0; number <= last; number++) {
    const stream = String(number).padStart(2, '0');
    if (stream === own.stream) {
      lists.push(pictureStream(picture, rate, frames));
      continue;
    }
    const bytes = movi.chunks.filter(({ id }) => id === `${stream}wb`).reduce((sum, { length }) => sum + length, 0);
    const sound = bytes > 0 ? tellSound(source, movi, stream, frames / rate) : null;
    if (sound)
      sounds.push(`${soundNames[sound.tag] ?? 'sound'}, ${sound.rate} Hz, ${sound.channels === 1 ? 'mono' : 'stereo'}`);
    lists.push(sound ? soundStream(sound, bytes) : silentStream());
  }
  const main = fields(56, [
    [0, Math.round(1e6 / rate)],
    [12, 0x10],
    [16, frames],
    [24, lists.length],
    [32, picture.width],
    [36, picture.height],
  ]);
  return {
    list: chunk('LIST', Buffer.from('hdrl'), chunk('avih', main), ...lists),
    rate,
    guessed: told === null,
    sounds,
  };
}
