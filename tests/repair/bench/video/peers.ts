import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { hasProgram } from './originals';
import { digestVideo, type VideoDigest, videoValue } from './score';

type Peer = {
  name: string;
  program: string;
  /** Whether it wants a working sample. */
  sample: boolean;
  formats: RegExp;
  command: (input: string, output: string, sample: string) => string[];
};

/** Open tools that rewrite or repair damaged videos, with the way they are called for it. */
const peers: Peer[] = [
  {
    name: 'ffmpeg -c copy',
    program: 'ffmpeg',
    sample: false,
    formats: /./,
    command: (input, output) => [
      '-v',
      'quiet',
      '-nostdin',
      '-y',
      '-err_detect',
      'ignore_err',
      '-i',
      input,
      '-map',
      '0:v?',
      '-map',
      '0:a?',
      '-c',
      'copy',
      output,
    ],
  },
  {
    name: 'mkvmerge',
    program: 'mkvmerge',
    sample: false,
    formats: /^(?!mxf)/,
    command: (input, output) => ['-q', '-o', `${output}.mkv`, input],
  },
  {
    name: 'untrunc',
    program: 'untrunc',
    sample: true,
    formats: /^(mp4|mov|m4v|3gp|insv)$/,
    command: (input, output, sample) => ['-n', '-dst', output, sample, input],
  },
];

/** Values of the tools found on this machine for one damaged file, each untuned. */
export async function videoPeers(
  format: string,
  original: VideoDigest,
  input: string,
  sample: string,
): Promise<Record<string, number>> {
  const values: Record<string, number> = {};
  for (const peer of peers) {
    if (!peer.formats.test(format) || !(await hasProgram(peer.program))) continue;
    const output = `${input}-peer.${format === 'insv' || format === 'm4v' ? 'mp4' : format === 'mts' ? 'ts' : format}`;
    await new Promise<void>((resolve) => {
      execFile(peer.program, peer.command(input, output, sample), { timeout: 30_000 }, () => resolve());
    });
    const written = peer.program === 'mkvmerge' ? `${output}.mkv` : output;
    values[peer.name] = videoValue(original, await digestVideo(written));
    await rm(written, { force: true });
  }
  return values;
}
