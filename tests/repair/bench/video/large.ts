import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, openSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repairFile } from '../../../../lib/repair';

const mebibyte = 2 ** 20;

/** The offset of a box of the top level, or -1. */
function topBox(path: string, type: string): number {
  const file = openSync(path, 'r');
  const head = Buffer.alloc(16);
  for (let at = 0; readSync(file, head, 0, 16, at) === 16; ) {
    if (head.toString('latin1', 4, 8) === type) return at;
    const size = head.readUInt32BE(0) === 1 ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
    if (size < 8) break;
    at += size;
  }
  return -1;
}

/**
 * Repairs a video of just under 500 MB: whole, with its head overwritten, and without its index; prints seconds, megabytes a second and
 * the most memory that this process ever held, without and with the decode check, which has a process and a time of its own.
 */
export async function printLargeRun(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'large-'));
  try {
    const [clip, whole, broken, output] = ['clip', 'whole', 'broken', 'out'].map((name) => join(folder, `${name}.mp4`));
    if (!clip || !whole || !broken || !output) return;
    const quiet = ['-v', 'error', '-y'];
    const sources = [
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=1920x1080:r=30:d=10,noise=alls=60:allf=t',
      '-f',
      'lavfi',
      '-i',
      'sine=d=10',
    ];
    execFileSync('ffmpeg', [
      ...quiet,
      ...sources,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-b:v',
      '40M',
      '-c:a',
      'aac',
      clip,
    ]);
    execFileSync('ffmpeg', [
      ...quiet,
      '-stream_loop',
      '-1',
      '-i',
      clip,
      '-c',
      'copy',
      '-fs',
      String(498 * mebibyte),
      whole,
    ]);
    const size = statSync(whole).size;
    const cases: [string, () => string | undefined][] = [
      ['whole', () => undefined],
      [
        'head overwritten',
        () => {
          const file = openSync(broken, 'r+');
          writeSync(file, Buffer.alloc(40), 0, 40, 0);
          return undefined;
        },
      ],
      [
        'index cut off, with a sample',
        () => {
          truncateSync(broken, topBox(whole, 'moov'));
          return clip;
        },
      ],
    ];
    console.log(`A video of ${Math.round(size / mebibyte)} MB:`);
    for (const decode of [false, true]) {
      process.env.MENDARA_MEDIA_CHILD = decode ? join(import.meta.dirname, 'media-child.mjs') : 'none';
      for (const [name, damage] of cases) {
        copyFileSync(whole, broken);
        const samplePath = damage();
        // What is still on its way to the disk would be counted against the repair.
        execFileSync('sync', ['-f', broken]);
        const started = performance.now();
        const { verdict } = await repairFile({ inputPath: broken, outputPath: output, fileName: 'a.mp4', samplePath });
        const seconds = (performance.now() - started) / 1000;
        const memory = Math.round(process.resourceUsage().maxRSS / 1024);
        console.log(
          `  ${name.padEnd(30)} ${verdict.padEnd(9)} ${seconds.toFixed(1).padStart(5)} s ${Math.round(
            size / mebibyte / seconds,
          )
            .toString()
            .padStart(4)} MB/s, ${memory} MB held at most${decode ? ', decoded as far as the time allows' : ''}`,
        );
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
