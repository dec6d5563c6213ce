import { runMediaJob, runOwnDecoder, type TakeLine } from '../../host/media';
import { type Decoded, DecodeLog } from './log';

/** Milliseconds with which a decoder comes to anything. */
const leastMilliseconds = 500;

/** What each format is called by the decoder; what is not named here is not decoded. It is named, so that no content can make the decoder open it as something else. */
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
  h264: 'h264',
};

/** Containers that hold frames from their first byte to their last; the others are streams that may begin anywhere. */
const framed = new Set(['mov', 'matroska', 'avi', 'flv']);

/** What the decoder prints: a line for each frame and errors, the same of sound alone, or all that it says about the pictures, in the order of decoding. */
export type DecoderReport = 'frames' | 'sound' | 'details';

/** Options of ffmpeg that decode everything of picture and sound and print a line for each frame, or only picture and its details. */
function decodeOptions(demuxer: string, path: string, report: DecoderReport, target: '-' | 'pipe:2'): string[] {
  const details = report === 'details';
  return [
    ...[
      '-nostdin',
      '-hide_banner',
      '-loglevel',
      details ? 'verbose' : 'level+warning',
      // One thread, so that what is said of a frame stands before it.
      ...(details ? ['-nostats'] : []),
      // Edges between blocks, which say nothing of whether their data can be read, are not smoothed: a sixth of the time with H.264.
      ...(details ? [] : ['-skip_loop_filter', 'all']),
      '-threads',
      '1',
      '-protocol_whitelist',
      'file,pipe',
      '-f',
      demuxer,
      '-i',
      path,
    ],
    ...(details
      ? ['-map', '0:V', '-autoscale', '0', '-f', 'null', '-']
      : [
          ...(report === 'sound' ? ['-vn'] : ['-map', '0:V?']),
          '-map',
          '0:a?',
          '-fps_mode',
          'passthrough',
          // Pictures are counted, not compared: they need not be copied out and summed up.
          '-c:v',
          'wrapped_avframe',
          '-f',
          'framecrc',
          '-flush_packets',
          '1',
          target,
        ]),
  ];
}

/** What decoding may take: the bytes of pictures and sound that come out of it, and, as the last end, milliseconds; or until nobody waits for it any more. */
export type DecodeLimits = { bytes: number; milliseconds: number; isOver?: (() => boolean) | undefined };

/**
 * Decodes a file in a process of its own, up to its limits: by the program named in REPAIR_FFMPEG, else by
 * `@ffmpeg/core`. Null where neither is there, or where it knows none of the tracks.
 */
export async function decodeFile(
  path: string,
  format: string,
  limits: DecodeLimits,
  report: 'frames' | 'sound' = 'frames',
): Promise<Decoded | null> {
  const log = new DecodeLog(framed.has(demuxers[format] ?? ''));
  const { bytes, milliseconds, isOver } = limits;
  const complete = await runDecoder(path, format, milliseconds, report, (line) => {
    log.line(line);
    return log.bytes < bytes && isOver?.() !== true;
  });
  if (complete === null) return null;
  const result = log.result(complete);
  if (result.isBlind && report === 'frames') return decodeApart(path, format, limits);
  return result.isEmpty || result.frames + result.packets + result.complaints + result.refused > 0 ? result : null;
}

/** What decoders make of a file to whose pictures ffmpeg is blind: without a picture it comes to no sound either, so that each is decoded by itself. */
async function decodeApart(path: string, format: string, limits: DecodeLimits): Promise<Decoded | null> {
  const [pictures, sound] = await Promise.all([
    decodePictures(path, limits),
    decodeFile(path, format, limits, 'sound'),
  ]);
  if (!pictures) return sound && sound.packets > 0 ? { ...sound, isBlind: true } : null;
  if (!sound) return pictures;
  return {
    ...pictures,
    packets: sound.packets,
    damagedSound: sound.damagedSound,
    damagedAt: [...pictures.damagedAt, ...sound.damagedAt].sort((one, other) => one.from - other.from),
    seconds: Math.max(pictures.seconds, sound.seconds),
    complete: pictures.complete && sound.complete,
  };
}

/** A byte of a picture of AV1 takes the decoder more than twice as long as one of ffmpeg's usual ones takes that. */
const av1Price = 2.5;

/** What the decoder of AV1 takes of the pictures of a file; null where they are none that it decodes. */
async function decodePictures(path: string, { bytes, milliseconds, isOver }: DecodeLimits): Promise<Decoded | null> {
  const log = new DecodeLog(true);
  const ended = await runMediaJob({ path, pictures: 'av1' }, milliseconds, (line) => {
    const [what, ...figures] = line.split(' ');
    const [at = 0, length = 0, size = 0] = figures.map(Number);
    log.picture(what === 'taken', at, length, size);
    return log.bytes * av1Price < bytes && isOver?.() !== true;
  });
  if (!ended || (ended.code !== 0 && !ended.isOver && !ended.isEnough)) return null;
  return log.result(!ended.isOver && !ended.isEnough);
}

/**
 * Runs the decoder and hands over each line that it prints. Resolves with whether it came to its end before it was ended; null where there
 * is no decoder, or no time for it.
 */
export async function runDecoder(
  path: string,
  format: string,
  milliseconds: number,
  report: DecoderReport,
  line: TakeLine,
): Promise<boolean | null> {
  const demuxer = demuxers[format];
  if (!demuxer || milliseconds < leastMilliseconds) return null;
  // Frames go where the messages go, so that both come in the order in which they were made.
  const ended = await (runOwnDecoder(decodeOptions(demuxer, path, report, 'pipe:2'), milliseconds, line) ??
    runMediaJob(
      { path, inputs: [null], outputPath: null, options: decodeOptions(demuxer, '/in/0', report, '-') },
      milliseconds,
      line,
    ));
  return ended && !ended.isOver && !ended.isEnough;
}
