import { execFile } from 'node:child_process';

/** Digests of a video: of every decoded picture in order, and of every sound packet. */
export type VideoDigest = { frames: string[]; sounds: string[] };

/** Digests that one run of ffmpeg's framemd5 muxer prints; what it read before an error counts too. */
function digests(args: string[]): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(
      'ffmpeg',
      ['-v', 'quiet', '-nostdin', ...args, '-f', 'framemd5', '-'],
      { timeout: 60_000, maxBuffer: 1 << 26 },
      (_error, out) => {
        const lines = out.split('\n').filter((line) => line.length > 0 && !line.startsWith('#'));
        resolve(lines.map((line) => line.slice(line.lastIndexOf(',') + 1).trim()));
      },
    );
  });
}

/** Decodes the first picture track, as it is stored and not turned for display, and hashes the packets of all sound tracks. */
export async function digestVideo(path: string): Promise<VideoDigest> {
  const [frames, sounds] = await Promise.all([
    digests(['-threads', '1', '-noautorotate', '-i', path, '-map', '0:v:0']),
    digests(['-i', path, '-map', '0:a', '-c', 'copy']),
  ]);
  return { frames, sounds };
}

/** How many of `wanted` are in `found` in the same order: the longest rising run of places, where equal pictures take the next free place. */
function inOrder(wanted: readonly string[], found: readonly string[]): number {
  const places = new Map<string, number[]>();
  for (const [index, digest] of wanted.entries()) places.set(digest, [...(places.get(digest) ?? []), index]);
  const tails: number[] = [];
  for (const digest of found) {
    // Falling order within one digest, so that one found picture counts once.
    for (const place of [...(places.get(digest) ?? [])].reverse()) {
      let low = 0;
      let high = tails.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((tails[middle] ?? 0) < place) low = middle + 1;
        else high = middle;
      }
      tails[low] = place;
    }
  }
  return tails.length;
}

function inCommon(wanted: readonly string[], found: readonly string[]): number {
  const left = new Map<string, number>();
  for (const digest of wanted) left.set(digest, (left.get(digest) ?? 0) + 1);
  let common = 0;
  for (const digest of found) {
    const count = left.get(digest) ?? 0;
    if (count > 0) {
      common++;
      left.set(digest, count - 1);
    }
  }
  return common;
}

/** Value of a result against its original, from 0 to 1: seven tenths exact frames in order, three tenths sound packets. */
export function videoValue(original: VideoDigest, result: VideoDigest): number {
  const frames = original.frames.length === 0 ? 0 : inOrder(original.frames, result.frames) / original.frames.length;
  if (original.sounds.length === 0) return frames;
  return 0.7 * frames + (0.3 * inCommon(original.sounds, result.sounds)) / original.sounds.length;
}
