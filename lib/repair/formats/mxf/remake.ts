import { readAvcSps } from '../../codecs/avc/sets';
import { Buffer } from '../../host/bytes';
import { runMediaJob } from '../../host/media';
import type { Session } from '../../video/session';
import type { Klv } from './klv';

/** Kind of an essence element and its track, by the last four bytes of the key (SMPTE 379M, 7.1). */
const kindOf = (klv: Klv) => Number.parseInt(klv.key.slice(24, 26), 16);
export const isPicture = (klv: Klv): boolean => kindOf(klv) === 0x05 || kindOf(klv) === 0x15;
export const isSound = (klv: Klv): boolean => kindOf(klv) === 0x06 || kindOf(klv) === 0x16;

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
  return { format: 'h264', rate: sps.rate && sps.rate.units > 0 ? sps.rate.scale / sps.rate.units / 2 : null };
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

/**
 * A new file around the picture and sound of one that has lost its description: the essence is told by its own bytes and muxed anew by
 * ffmpeg, in its own process. The number of sound tracks that could be told, or null when nothing could be made.
 */
export async function remake(
  session: Session,
  essence: readonly Klv[],
): Promise<{ rate: number; sounds: number } | null> {
  const { source, job } = session;
  const pictures = essence.filter(isPicture);
  let picture: Picture | null = null;
  for (const klv of pictures.slice(0, 60)) {
    picture = tellPicture(source.copy(klv.body, Math.min(65536, klv.end - klv.body)));
    if (picture) break;
  }
  if (!picture) return null;
  const rate = picture.rate ?? 25;
  const inputs = [rangesOf(pictures)];
  const options = ['-f', picture.format, '-framerate', String(Math.round(rate * 1001) / 1001), '-i', '/in/0'];
  const maps = ['-map', '0:v'];
  for (const key of new Set(essence.filter(isSound).map((klv) => klv.key))) {
    const track = essence.filter((klv) => klv.key === key);
    const bytes = track.reduce((sum, klv) => sum + klv.end - klv.body, 0);
    // Of a clip in one piece the picture's length is not known by counting packets.
    const frames = Math.max(track.length, pictures.length);
    const layout = samples[Math.round((bytes * rate) / (frames * 48000))];
    if (!layout) continue;
    options.push(
      '-f',
      `s${layout.bits}le`,
      '-ar',
      '48000',
      '-ac',
      String(layout.channels),
      '-i',
      `/in/${inputs.length}`,
    );
    maps.push('-map', `${inputs.length}:a`);
    inputs.push(rangesOf(track));
  }
  const ended = await runMediaJob(
    {
      path: job.inputPath,
      inputs,
      outputPath: job.outputPath,
      options: [
        '-nostdin',
        '-hide_banner',
        '-loglevel',
        'error',
        ...options,
        ...maps,
        '-c',
        'copy',
        '-f',
        'mxf',
        '/output',
      ],
    },
    Math.max(1000, job.deadline.left - 5000),
    () => true,
  );
  return ended && !ended.isOver && ended.code === 0 ? { rate, sounds: inputs.length - 1 } : null;
}

const rangesOf = (track: readonly Klv[]) => track.map((klv): [number, number] => [klv.body, klv.end - klv.body]);
