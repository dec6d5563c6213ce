import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import type { Damaged } from '../../nodes/visitor';
import { makeDocxWithoutDirectory, makePdfWithoutTable } from '../../support/documents';

/** A photo of 12 megapixels, with noise, so that it is as large as one of a camera; its end is cut off. */
async function cutPhoto(): Promise<Buffer> {
  const whole = await sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 18 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer();
  return whole.subarray(0, Math.min(Math.floor(whole.length * 0.8), 4_900_000));
}

/** Ten seconds of film without its index, made by ffmpeg; null where that is not installed. */
function filmWithoutIndex(): Buffer | null {
  const file = path.join(os.tmpdir(), `mendara-bench-${process.pid}.mp4`);
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25', '-t', '10'];
  const made = spawnSync('ffmpeg', ['-loglevel', 'error', '-y', ...source, '-pix_fmt', 'yuv420p', file]);
  if (made.status !== 0) return null;
  const whole = fs.readFileSync(file);
  fs.rmSync(file);
  return whole.subarray(0, whole.lastIndexOf(Buffer.from('moov')) - 4);
}

/** One damaged file of each family. */
export async function families(): Promise<{ family: string; file: Damaged }[]> {
  const film = filmWithoutIndex();
  return [
    { family: 'PDF', file: { type: 18, name: 'report.pdf', bytes: await makePdfWithoutTable() } },
    { family: 'DOCX', file: { type: 18, name: 'report.docx', bytes: makeDocxWithoutDirectory() } },
    { family: 'JPEG, 12 megapixels', file: { type: 19, name: 'photo.jpg', bytes: await cutPhoto() } },
    ...(film ? [{ family: 'MP4 without index, 10 s of 720p', file: { type: 17, name: 'film.mp4', bytes: film } }] : []),
  ];
}
