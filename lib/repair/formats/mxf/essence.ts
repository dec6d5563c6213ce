import { readAvcSps } from '../../codecs/avc/sets';
import { Buffer } from '../../host/bytes';
import { writeWhole } from '../../host/files';
import { runMediaJob } from '../../host/media';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { isPicture, isSound, type Klv } from './klv';

type Picture = { format: string; rate: number | null };

const mpegRates = [0, 24000 / 1001, 24, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60];

/** Codec of the pictures by how they begin, as ffmpeg calls it, and frames a second where they say. */
function tellPicture(bytes: Buffer): Picture | null {
  // A sequence header (ISO/IEC 13818-2, 6.2.2.1).
  const sequence = bytes.indexOf(Buffer.from([0, 0, 1, 0xb3]));
  if (sequence >= 0 && sequence < 64 && sequence + 8 < bytes.length)
    return { format: 'mpegvideo', rate: mpegRates[(bytes[sequence + 7] ?? 0) & 15] || null };
  if (bytes.subarray(0, 4).equals(Buffer.from([0, 0, 2, 0x80]))) return { format: 'dnxhd', rate: null };
  const set = bytes.indexOf(Buffer.from([0, 0, 1, 0x67]));
  if (set < 0 || set > 256) return null;
  const end = bytes.indexOf(Buffer.from([0, 0, 1]), set + 4);
  const sps = readAvcSps(bytes.subarray(set + 3, end < 0 ? set + 260 : end));
  if (!sps) return null;
  return { format: 'h264', rate: sps.rate && sps.rate.scale / sps.rate.units };
}

/** Bits and channels of PCM at 48 kHz, by the bytes that one sample of all channels takes. */
const samples: Record<number, { bits: number; channels: number }> = {
  2: { bits: 16, channels: 1 },
  3: { bits: 24, channels: 1 },
  4: { bits: 16, channels: 2 },
  6: { bits: 24, channels: 2 },
  8: { bits: 16, channels: 4 },
  12: { bits: 24, channels: 4 },
  16: { bits: 16, channels: 8 },
  24: { bits: 24, channels: 8 },
};

/** A track of sound whose samples lie one after another, and what one sample of all its channels is. */
type Sound = { klvs: Klv[]; bits: number; channels: number };

/** Essence that tells what it is: how it is muxed into a new file. `sounds` are the tracks whose layout could be told. */
export type Essence = { format: string; rate: number; isRateGuessed: boolean; pictures: Klv[]; sounds: Sound[] };

/** Pictures that are looked at for one that tells its codec, and bytes at the beginning of each. */
const looked = 60;
const headBytes = 65536;
/** Frames a second where none are told: those of the countries in which most of these cameras are sold. */
const usualRate = 25;
/** Samples a second of sound in the generic container (SMPTE 382M). */
const soundRate = 48000;

/** What can be told of essence from its own bytes, `told` frames a second where those say none; null where its pictures tell no codec. */
export function planEssence(source: Source, essence: readonly Klv[], told: number | null): Essence | null {
  const pictures = essence.filter(isPicture);
  let picture: Picture | null = null;
  for (const klv of pictures.slice(0, looked)) {
    picture = tellPicture(source.copy(klv.body, Math.min(headBytes, klv.end - klv.body)));
    if (picture) break;
  }
  if (!picture) return null;
  const rate = picture.rate ?? told ?? usualRate;
  const sounds: Sound[] = [];
  for (const key of new Set(essence.filter(isSound).map((klv) => klv.key))) {
    const klvs = essence.filter((klv) => klv.key === key);
    const bytes = klvs.reduce((sum, klv) => sum + klv.end - klv.body, 0);
    // Of a clip in one piece the picture's length is not known by counting packets.
    const frames = Math.max(klvs.length, pictures.length);
    const layout = samples[Math.round((bytes * rate) / (frames * soundRate))];
    if (layout) sounds.push({ klvs, ...layout });
  }
  return { format: picture.format, rate, isRateGuessed: picture.rate === null && told === null, pictures, sounds };
}

/** Time that is left for reading the new file again, in milliseconds, and the least that muxing is given. */
const reserve = 5000;
const least = 1000;

/**
 * Has ffmpeg mux picture and sound anew into the job's output, in a process of its own. One that fails leaves an empty file, which the
 * check of what was written then tells.
 */
export async function muxEssence({ job }: Reading, { format, rate, pictures, sounds }: Essence): Promise<void> {
  const framesPerSecond = String(Math.round(rate * 1001) / 1001);
  const options = ['-f', format, '-framerate', framesPerSecond, '-i', '/in/0'];
  const maps = ['-map', '0:v'];
  for (const [index, { bits, channels }] of sounds.entries()) {
    const input = index + 1;
    options.push('-f', `s${bits}le`, '-ar', String(soundRate), '-ac', String(channels), '-i', `/in/${input}`);
    maps.push('-map', `${input}:a`);
  }
  const ended = await runMediaJob(
    {
      path: job.inputPath,
      inputs: [pictures, ...sounds.map(({ klvs }) => klvs)].map(rangesOf),
      outputPath: job.outputPath,
      options: ['-nostdin', '-hide_banner', '-loglevel', 'error', ...options, ...maps].concat([
        '-c',
        'copy',
        '-f',
        'mxf',
        // Else the muxer writes a new identifier and the hour each time, and the same file would not give the same bytes.
        '-fflags',
        '+bitexact',
        '/output',
      ]),
    },
    Math.max(least, job.deadline.left - reserve),
    () => true,
  );
  if (!ended || ended.isOver || ended.code !== 0) await writeWhole(job.outputPath, Buffer.alloc(0));
}

const rangesOf = (track: readonly Klv[]) => track.map((klv): [number, number] => [klv.body, klv.end - klv.body]);
