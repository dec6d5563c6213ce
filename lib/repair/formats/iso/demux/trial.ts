import { readAvcSps } from '../../../codecs/avc/sets';
import { readX264Options, type X264Options, x264Mark, x264Sets } from '../../../codecs/avc/x264';
import { likelySize, usualSize, usualSizes } from '../../../codecs/sizes';
import { Buffer } from '../../../host/bytes';
import { runDecoder } from '../../../readers/media';
import type { Step } from '../../../report/facts/video';
import { type Reading, writeOutput } from '../../../video/session';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { avcEntry, madeTemplate } from './entries';
import type { Template } from './template';

/** Most macroblocks of a picture (ISO/IEC 14496-10, table A-1, level 5.2), most rows that are tried, and the effort for it in units; chosen on the bench. */
const mostBlocks = 36_864;
const mostRows = 300;
const mostEffort = 15_000;

/** `at` is where the first slice's length lies in the file. */
type FirstFrame = { options: X264Options; slices: Buffer[]; at: number };

/** What a trial found: the track, and the slices of its first frame with their place in the file. */
export type Tried = { template: Template; slices: readonly Buffer[]; at: number };

/**
 * The first frame of an encoder that describes itself there: what it says, and the frame's slices. They follow the message, which ends
 * in zero and the trailing bit (ISO/IEC 14496-10, D.1.6), each behind its length; what lies before the options may be lost.
 */
function firstFrame(reading: Reading, spans: readonly Span[]): FirstFrame | null {
  const { source } = reading;
  for (const { from, to } of spans) {
    const at = source.find(Buffer.from(x264Mark), from, Math.min(to, from + (32 << 20)));
    if (at < 0) continue;
    const text = source.read(at, 2048).toString('latin1');
    const options = readX264Options(text);
    const end = at + (/[^\x20-\x7e]/.exec(text)?.index ?? text.length);
    for (let start = end; options && start < end + 8; start++) {
      const slices = slicesAt(source, start, to);
      if (slices.length > 0) return { options, slices, at: start };
    }
  }
  return null;
}

/** The slices of a key frame that follow one another from `start` on, each behind a length of four bytes. */
function slicesAt(source: Source, start: number, to: number): Buffer[] {
  const slices: Buffer[] = [];
  for (let at = start; at + 6 < to; ) {
    const length = source.word(at);
    const fits = length > 8 && length <= 8 << 20 && at + 4 + length <= to;
    if (!fits || ((source.read(at + 4, 1)[0] ?? 0) & 0x9f) !== 5) break;
    slices.push(source.copy(at + 4, length));
    at += 4 + length;
  }
  return slices;
}

const startCode = Buffer.from([0, 0, 0, 1]);
const tallest = (wide: number) => Math.min(mostRows, Math.floor(mostBlocks / wide));

/**
 * Which of these widths, in macroblocks, is the picture's, and how many rows it has: the frame is decoded with each of them and far too
 * many rows. With the right one the decoder comes to the end of the data without an error, after whole rows, and says how many blocks
 * are missing.
 */
async function tryWidths(reading: Reading, first: FirstFrame, widths: readonly number[]): Promise<[number, number][]> {
  const { job } = reading;
  await writeOutput(job, async (sink) => {
    for (const wide of widths) {
      const { sps, pps } = x264Sets(first.options, wide * 16, tallest(wide) * 16);
      for (const unit of [sps, pps, ...first.slices]) {
        sink.write(startCode);
        sink.write(unit);
      }
      job.deadline.check();
    }
  });
  const seen = new Map<number, { missing: number; failed: boolean }>();
  let current = 0;
  const done = await runDecoder(job.outputPath, 'h264', job.deadline.left, 'details', (line) => {
    const size = /Reinit context to (\d+)x\d+/.exec(line);
    if (size) current = Math.round(Number(size[1]) / 16);
    const trial = seen.get(current) ?? { missing: 0, failed: false };
    if (/error while decoding|unavailable|negative|overread|invalid|cabac/i.test(line)) trial.failed = true;
    const hidden = /concealing (\d+) DC/.exec(line);
    if (hidden) trial.missing = Number(hidden[1]);
    if (size || hidden || trial.failed) seen.set(current, trial);
    return true;
  });
  const fitting: [number, number][] = [];
  if (done === null) return fitting;
  for (const wide of widths) {
    const trial = seen.get(wide);
    const blocks = wide * tallest(wide) - (trial?.missing ?? 0);
    const rows = blocks / wide;
    // A wrong width ends after whole rows now and then, but seldom in the shape of a picture.
    if (trial && !trial.failed && trial.missing > 0 && Number.isInteger(rows) && rows * 3 >= wide && wide * 3 >= rows)
      fitting.push([wide, rows]);
  }
  return fitting;
}

/**
 * Picture of a stream without parameter sets whose encoder left its options in the first frame: the sets are written anew from them, and
 * the size of the picture is found by decoding that frame. Null when there is no such frame, no size that fits, or no decoder to ask.
 */
export async function pictureByTrial(
  reading: Reading,
  spans: readonly Span[],
  did: (step: Step) => void,
): Promise<Tried | null> {
  const first = firstFrame(reading, spans);
  if (!first || first.slices.length === 0 || /^(tff|bff|1)$/.test(first.options.get('interlaced') ?? '')) return null;
  const effort = reading.job.deadline.effort.share(mostEffort);
  const usual = [...new Set(usualSizes.map(([width]) => Math.ceil(width / 16)))];
  const others = Array.from({ length: 256 }, (_, index) => index + 4).filter((wide) => !usual.includes(wide));
  const widths = [...usual, ...others];
  const fitting: [number, number][] = [];
  // Each run of the decoder takes a few, since what it holds of the pictures adds up. The right width leaves no data over: most blocks win.
  const best = () => fitting.sort((left, right) => right[0] * right[1] - left[0] * left[1])[0];
  for (let from = 0; from < widths.length && !effort.isSpent; from += 24) {
    const likely = from >= usual.length ? best() : undefined;
    if (likely && usualSize(...likely, 16)) break;
    const some = widths.slice(from, from + 24);
    // The decoder fills what is missing of each picture.
    effort.spend(
      'filledBlock',
      some.reduce((sum, wide) => sum + wide * tallest(wide), 0),
    );
    fitting.push(...(await tryWidths(reading, first, some)));
  }
  const found = best();
  if (!found) return null;
  const [width, height] = likelySize(...found, 16);
  const { sps, pps } = x264Sets(first.options, width, height);
  const told = readAvcSps(sps);
  if (!told) return null;
  did({ kind: 'trial', width, height });
  const made = madeTemplate('vide', avcEntry(sps, told, pps), 30000, 0);
  return {
    template: { ...made, origin: 'encoder' },
    slices: first.slices,
    at: first.at,
  };
}
