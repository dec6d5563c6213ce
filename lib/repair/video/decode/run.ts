import { run, runMediaJob } from '../media/process';
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

/** Options of ffmpeg that decode everything of picture and sound and print a line for each frame. */
function decodeOptions(format: string, path: string): string[] {
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
 * `@ffmpeg/core`. Null where neither is there, or where the decoder could not open the file at all.
 */
export async function decodeFile(path: string, format: string, milliseconds: number): Promise<Decoded | null> {
  if (milliseconds < 500) return null;
  const log = new DecodeLog();
  const line = (text: string) => log.line(text);
  const own = process.env.REPAIR_FFMPEG;
  const ended = own
    ? await run({ program: own, arguments: decodeOptions(format, path) }, milliseconds, line)
    : await runMediaJob(
        { path, inputs: [null], outputPath: null, options: decodeOptions(format, '/in/0') },
        milliseconds,
        line,
      );
  if (!ended) return null;
  const result = log.result(!ended.isOver);
  return result.frames + result.packets + result.complaints === 0 ? null : result;
}
