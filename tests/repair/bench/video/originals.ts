import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { randomBytes, randomFrom } from '../../support/random';
import { type Finish, type VideoLayout, videoLayouts } from './layouts';

const run = promisify(execFile);
const folder = join('node_modules', '.cache', 'mendara', 'bench-video');

/** A made original: the clip that is damaged, and another clip by the same encoder with the same settings, which serves as sample. */
export type VideoOriginal = VideoLayout & { path: string; bytes: Buffer; samplePath: string };

/** Two moving pictures and two sounds that have nothing in common but the encoder. */
function inputs(layout: VideoLayout, take: 0 | 1): string[] {
  const { size = '320x180', rate = 25, seconds = 4, sounds = 1 } = layout;
  const picture =
    take === 0 ? `testsrc2=size=${size}:rate=${rate}` : `mandelbrot=size=${size}:rate=${rate}:maxiter=200`;
  const length = take === 0 ? seconds : seconds * 0.8;
  const args = ['-f', 'lavfi', '-t', `${length}`, '-i', `${picture},noise=alls=10:allf=t:all_seed=${take + 5}`];
  for (let sound = 0; sound < sounds; sound++) {
    const tone = `sine=frequency=${220 * (sound + 1) + take * 70}:sample_rate=48000,tremolo=f=${3 + take}`;
    const noise = `anoisesrc=seed=${sound + take * 9 + 1}:amplitude=0.2:sample_rate=48000`;
    args.push('-f', 'lavfi', '-t', `${length}`, '-i', `${tone},aformat=channel_layouts=mono[a];${noise}[b];[a][b]amix`);
  }
  return args;
}

/** Adaptive Multi-Rate frames in their file format (RFC 4867, 5): no encoder is at hand, and nothing decodes them here. */
function amrFile(take: number, seconds: number): Buffer {
  const random = randomFrom(90 + take);
  const frames = Array.from({ length: Math.round(seconds * 50) }, () => {
    const talking = random() < 0.9;
    return Buffer.concat([Buffer.from([talking ? 0x3c : 0x44]), randomBytes(random, talking ? 31 : 5)]);
  });
  return Buffer.concat([Buffer.from('#!AMR\n', 'latin1'), ...frames]);
}

async function makeClip(layout: VideoLayout, take: 0 | 1): Promise<string> {
  const args = inputs(layout, take);
  if (layout.amr) {
    const seconds = (layout.seconds ?? 4) * (take === 0 ? 1 : 0.8);
    const path = join(folder, `voice-${take}-${seconds}.amr`);
    await writeFile(path, amrFile(take, seconds));
    args.push('-i', path);
  }
  args.push(...layout.args);
  const name = createHash('sha256')
    .update(JSON.stringify([args, layout.finish]))
    .digest('hex')
    .slice(0, 12);
  const path = join(folder, `${layout.name.replace(/\W+/g, '-')}-${take}-${name}.${layout.format}`);
  if (await readFile(path).catch(() => null)) return path;
  const made = join(folder, `made-${process.pid}.${layout.format}`);
  await run('ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    '-y',
    ...args,
    '-fflags',
    '+bitexact',
    ...(layout.muxer ? ['-f', layout.muxer] : []),
    made,
  ]);
  if (layout.finish) await writeFile(made, finishes[layout.finish](await readFile(made)));
  await rename(made, path);
  return path;
}

/** Changes that no option of the muxer makes but cameras do. */
const finishes: Record<Finish, (bytes: Buffer) => Buffer> = {
  /** `mdat` with a 64-bit size in the room that the free box before it leaves (ISO/IEC 14496-12, 4.2). */
  wide(bytes: Buffer): Buffer {
    const at = bytes.indexOf('mdat', 0, 'latin1');
    if (bytes.toString('latin1', at - 8, at - 4) !== 'free') return bytes;
    const size = bytes.readUInt32BE(at - 4);
    bytes.writeUInt32BE(1, at - 12);
    bytes.write('mdat', at - 8, 'latin1');
    bytes.writeBigUInt64BE(BigInt(size + 8), at - 4);
    return bytes;
  },
  /** The trailer of Insta360 behind the last box, its length and mark at the end. */
  insta360(bytes: Buffer): Buffer {
    const trailer = randomBytes(randomFrom(360), 600);
    trailer.writeUInt32LE(trailer.length, trailer.length - 40);
    trailer.write('8db42d694ccc418790edff439fe026bf', trailer.length - 32, 'latin1');
    return Buffer.concat([bytes, trailer]);
  },
};

/** Whether the machine has ffmpeg, without which there are neither originals nor scores. */
export async function hasProgram(program: string): Promise<boolean> {
  return run('which', [program]).then(
    () => true,
    () => false,
  );
}

/** Makes the originals that match `only` (a part of group, format or name), or reads them from the cache. */
export async function videoOriginals(
  only: string,
  layouts: readonly VideoLayout[] = videoLayouts,
): Promise<VideoOriginal[]> {
  await mkdir(folder, { recursive: true });
  const made: VideoOriginal[] = [];
  for (const layout of layouts) {
    if (only && ![layout.group, layout.format, layout.name].some((text) => text.includes(only))) continue;
    const path = await makeClip(layout, 0);
    made.push({ ...layout, path, bytes: await readFile(path), samplePath: await makeClip(layout, 1) });
  }
  return made;
}
