import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Decoded, DecodeLog } from './log';

/** What each format is called by the decoder. It is named, so that no content can make the decoder open it as something else. */
const demuxers: Record<string, string> = {
  mp4: 'mov',
  mov: 'mov',
  m4v: 'mov',
  '3gp': 'mov',
  insv: 'mov',
  mkv: 'matroska',
  avi: 'avi',
  flv: 'flv',
  mts: 'mpegts',
  m2ts: 'mpegts',
  mxf: 'mxf',
};

/** Arguments of ffmpeg that decode everything of picture and sound and print a line for each frame. */
export function decodeArguments(format: string, path: string): string[] {
  const demuxer = demuxers[format] ?? 'mov';
  return [
    ...[
      '-nostdin',
      '-hide_banner',
      '-loglevel',
      'error',
      '-protocol_whitelist',
      'file,pipe',
      '-f',
      demuxer,
      '-i',
      path,
    ],
    ...['-map', '0:V?', '-map', '0:a?', '-fps_mode', 'passthrough', '-f', 'framecrc', '-'],
  ];
}

/**
 * Decodes a file in a process of its own, for at most `milliseconds`: by the program named in REPAIR_FFMPEG, else by
 * `@ffmpeg/core` (WebAssembly, which no hostile file can break out of) beside this bundle. Null where neither is there, or where
 * the decoder could not open the file at all.
 */
export function decodeFile(path: string, format: string, milliseconds: number): Promise<Decoded | null> {
  const command = decoderCommand(format, path);
  if (!command || milliseconds < 500) return Promise.resolve(null);
  return new Promise((resolve) => {
    const child = spawn(command.program, command.arguments, {
      env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = new DecodeLog();
    let isOver = false;
    const clock = setTimeout(() => {
      isOver = true;
      child.kill('SIGKILL');
    }, milliseconds);
    const ended = [readLines(child.stdout, log), readLines(child.stderr, log)];
    child.once('error', () => {
      clearTimeout(clock);
      resolve(null);
    });
    child.once('close', async () => {
      clearTimeout(clock);
      await Promise.all(ended);
      const result = log.result(!isOver);
      resolve(result.frames + result.packets + result.complaints === 0 ? null : result);
    });
  });
}

async function readLines(stream: ChildProcess['stdout'], log: DecodeLog): Promise<void> {
  if (!stream) return;
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) log.line(line);
}

function decoderCommand(format: string, path: string): { program: string; arguments: string[] } | null {
  const own = process.env.REPAIR_FFMPEG;
  if (own) return { program: own, arguments: decodeArguments(format, path) };
  const script = process.env.MENDARA_DECODER ?? fileURLToPath(new URL('./decode-child.mjs', import.meta.url));
  if (!existsSync(script)) return null;
  return { program: process.execPath, arguments: ['--max-old-space-size=256', script, format, path] };
}
