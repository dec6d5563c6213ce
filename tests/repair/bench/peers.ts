import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { scoreAgainst } from '../support/score';

type Peer = {
  name: string;
  program: string;
  formats: RegExp;
  command: (input: string, output: string) => string[];
  /** Where it writes, when that can't be said to it. */
  writes?: (input: string, output: string) => string;
};

/** Open tools that repair or at least read damaged files, with the way they are called for it. */
const peers: Peer[] = [
  { name: 'qpdf', program: 'qpdf', formats: /^pdf$/, command: (input, output) => [input, output] },
  { name: 'mutool clean', program: 'mutool', formats: /^pdf$/, command: (input, output) => ['clean', input, output] },
  {
    name: 'LibreOffice',
    program: 'soffice',
    formats: /^(?:docx?|xlsx?|pptx?|od[ts])$/,
    command: (input, output) => [
      `-env:UserInstallation=file://${join(tmpdir(), 'peer-libreoffice')}`,
      '--headless',
      '--convert-to',
      extname(output).slice(1),
      '--outdir',
      join(dirname(output), 'written'),
      input,
    ],
    writes: (input, output) => join(dirname(output), 'written', basename(input)),
  },
  {
    name: 'zip -FF',
    program: 'zip',
    formats: /^(?:docx|xlsx|pptx|od[ts])$/,
    command: (input, output) => ['-FF', input, '--out', output],
  },
  {
    name: 'ffmpeg',
    program: 'ffmpeg',
    formats: /^(?:jpg|png|tif|webp)$/,
    command: (input, output) => ['-v', 'quiet', '-y', '-i', input, output],
  },
  {
    name: 'ImageMagick',
    program: 'convert',
    formats: /^(?:jpg|png|tif|webp)$/,
    command: (input, output) => [input, output],
  },
];

const found = new Map<string, boolean>();

function isThere(program: string): boolean {
  let there = found.get(program);
  if (there === undefined) {
    try {
      execFileSync('which', [program], { stdio: 'ignore' });
      // Other programs share the short name of ImageMagick's converter.
      there =
        program !== 'convert' || execFileSync(program, ['-version'], { encoding: 'utf8' }).includes('ImageMagick');
    } catch {
      there = false;
    }
    found.set(program, there);
  }
  return there;
}

/** Scores of the tools found on this machine for one damaged file, each untuned. */
export async function peerScores(format: string, original: Buffer, bytes: Buffer): Promise<Record<string, number>> {
  const scores: Record<string, number> = {};
  for (const peer of peers) {
    if (!peer.formats.test(format) || !isThere(peer.program)) continue;
    const folder = await mkdtemp(join(tmpdir(), 'peer-'));
    try {
      // `zip` looks for names that end in its own way.
      const extension = peer.program === 'zip' ? 'zip' : format;
      const [input, output] = [join(folder, `in.${extension}`), join(folder, `out.${extension}`)];
      await writeFile(input, bytes);
      await new Promise<void>((resolve) => {
        const child = execFile(peer.program, peer.command(input, output), { timeout: 20_000 }, () => resolve());
        // A tool that asks nothing may be gone before the answer arrives.
        child.stdin?.on('error', () => {});
        child.stdin?.end('y\n');
      });
      const result = await readFile(peer.writes?.(input, output) ?? output).catch(() => null);
      scores[peer.name] = result ? await scoreAgainst(format, original, result) : 0;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return scores;
}
