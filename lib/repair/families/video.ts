import { type Examined, type Format, nothingTold } from '../formats/format';
import { copyFile } from '../host/files';
import { decodeResult, decodingLosses, undamaged } from '../readers/media';
import type { EngineJob } from '../report';
import type { VideoFacts } from '../report/facts/video';
import { reasonOf } from '../report/words/reasons';
import { amountOf, findingOf, lossOf, noteOf, rebuiltOf, stepOf, summaryOf } from '../report/words/video';
import { type Decoding, isAllDamaged, isSoundWorthIt, proofOf, readsBetter } from '../verdict';
import { type Reading, readOutput, withReading, writeOutput } from '../video/session';
import type { Sink } from '../video/sink';
import type { Source } from '../video/source';
import { type Undone, undoTransfer } from '../video/textmode';
import { type Case, type Family, refuse } from './family';

/**
 * Videos are read and written in pieces, and decoded by their path. `undone` is the file before a transfer changed it, which is then what is
 * read, and `decoder` what a decoder makes of the file of the job, which it began to read beside us.
 */
export interface VideoTypes extends VideoFacts {
  reading: Reading & { undone: Undone | null; decoder: BesideDecoder };
  sink: Sink;
  written: Source;
  file: string;
  content: Decoding;
}

/** A format of videos, and what was found in one. */
export type VideoFormat<Parts> = Format<Parts, VideoTypes>;
export type VideoExamined<Parts> = Examined<Parts, VideoTypes>;

/** A file whose pictures or sound are encrypted: without the key nothing tells whether they are damaged. */
export const encrypted = <Parts>(parts: Parts): VideoExamined<Parts> => ({
  ...nothingTold<VideoTypes>(),
  inside: [],
  kept: [],
  wantsSample: false,
  hopeless: 'encrypted',
  parts,
});

type Video = Case<VideoTypes>;

/** What was undone before the job began: its input is what the file was then. */
function undoneBefore({ job, source }: Reading): Undone | null {
  if (job.undone?.how !== 'twice') return null;
  return { source, path: job.inputPath, sent: [{ kind: 'transfer', how: 'twice' }] };
}

/** A decoder that reads the file of a job beside what else is done with it, until nobody waits for it (`end`). */
type BesideDecoder = { asItIs: () => Promise<Decoding | null>; end: () => void };

/**
 * Has the file of a job decoded beside what else is done with it: nearly all that comes of one is held against that, or is the file itself. It
 * ends with the job.
 */
async function withDecoder<T>(
  format: Pick<VideoFormat<unknown>, 'measure'>,
  job: EngineJob,
  act: (decoder: BesideDecoder) => Promise<T>,
): Promise<T> {
  const begin = () => {
    const run = { isOver: false };
    const decoded = format.measure(job.inputPath, { job, isOver: () => run.isOver });
    // Who waits for it is told of an error; nobody may.
    decoded.catch(() => undefined);
    return { run, decoded };
  };
  let current: ReturnType<typeof begin> | null = begin();
  const end = () => {
    if (current) current.run.isOver = true;
    current = null;
  };
  try {
    return await act({
      asItIs: () => {
        current ??= begin();
        return current.decoded;
      },
      end,
    });
  } finally {
    end();
  }
}

/** Videos: transfers are undone for all formats alike, and a decoder has the last word on frames and sound. */
export const video: Family<VideoTypes> = {
  id: 'video',
  words: { findingOf, stepOf, noteOf, amountOf, rebuiltOf, lossOf, summaryOf, reasonOf },
  open: (format, job, act) =>
    withDecoder(format, job, (decoder) =>
      withReading(job, (given) =>
        undoTransfer(
          given,
          (undone) => {
            const sent = undone?.sent ?? [];
            const reading = { ...given, source: undone?.source ?? given.source, undone, decoder };
            return act({ reading, damages: sent, steps: sent });
          },
          undoneBefore(given),
        ),
      ),
    ),
  write: ({ job }, fill) => writeOutput(job, fill),
  readBack: ({ job }, _, check) => readOutput(job, check),
  /** The file but for what was set right in its place, as it was before it was sent, or as it is; what is handed back whole is not counted out. */
  keep: async ({ job, source, undone }, { rebuilt }, one) => {
    const { verdict } = one.end;
    if (verdict === 'unrepairable') return one;
    if (rebuilt.length > 0) {
      const output = await writeOutput(job, async (sink) => void sink.take(source, 0, source.size));
      return {
        ...one,
        output,
        end: { verdict, how: rebuilt.some(({ how }) => how === 'exchanged') ? 'exchanged' : 'bits' },
      };
    }
    if (undone) {
      await copyFile(undone.path, job.outputPath);
      const kept = verdict === 'repaired' ? [] : one.kept;
      return { ...one, kept, output: { kind: 'written' }, end: { verdict, how: 'sent' } };
    }
    return verdict === 'healthy' ? { ...one, kept: [] } : { ...one, end: { verdict, how: 'overwritten' } };
  },
  judge: async (format, { job, undone, decoder }, one) => {
    if (one.output.kind === 'none') return one;
    const path = one.output.kind === 'input' ? job.inputPath : job.outputPath;
    const isNew = one.output.kind === 'written' && one.end.verdict !== 'unrepairable' && one.end.how !== 'bits';
    // What stands twice is counted twice by a decoder.
    const isDouble = undone?.sent.some(({ how }) => how === 'again') === true;
    const decode = (of: string) => (of === job.inputPath ? decoder.asItIs() : format.measure(of, { job }));
    const other = isNew ? (isDouble ? undone.path : job.inputPath) : path;
    // It takes a core from what is waited for.
    if (path !== job.inputPath && other !== job.inputPath) decoder.end();
    const damaged = isNew ? decode(other) : null;
    const [decoded, before] = await Promise.all([decode(path), damaged]);
    const made = withEnd(one);
    const isHealthy = made.end.verdict === 'healthy';
    // Of others than ISO base media a decoder may not open what is sound, such as MXF that is described in its footer alone.
    if (decoded?.isUnopened && isHealthy && !isSelfFramed(format)) return refuse(made, 'unopened');
    if (!decoded || (decoded.isEmpty && isHealthy)) return undecoded(made);
    const seen = await proven(format, path, { job }, made, decoded);
    if (!isNew || seen.end.verdict === 'unrepairable' || !readsBetter(before, decoded)) return seen;
    return refuse({ ...seen, steps: [] }, 'reads-best-as-is');
  },
};

const undecoded = (one: Video): Video => ({ ...one, remarks: [...one.remarks, { kind: 'undecoded' }] });

/** How a video was rebuilt: around what its index lists, around what its data looks like, or without its pictures, which nothing tells how to decode. */
function withEnd(one: Video): Video {
  const { end, steps, remarks } = one;
  if (end.verdict === 'unrepairable' || end.how !== 'rebuilt') return one;
  const { verdict } = end;
  if (remarks.some(({ kind }) => kind === 'soundAlone')) return { ...one, end: { verdict, how: 'soundOnly' } };
  if (isAllAdrift(one)) return { ...one, end: { verdict: 'partly', how: 'soundAlone' } };
  if (steps.some(({ kind }) => kind === 'frames')) return { ...one, end: { verdict, how: 'found' } };
  const isMuxed = steps.some((step) => step.kind === 'rebuild' && step.of === 'essence');
  if (!isMuxed) return one;
  const isSilent = one.lost.some(({ how }) => how === 'unformatted');
  return { ...one, end: { verdict, how: isSilent ? 'silentEssence' : 'essence' } };
}

/** Whether every frame that is left builds on one that is gone, so that the sound alone plays as it was. */
const isAllAdrift = ({ kept, lost }: Video): boolean =>
  lost.some(({ how }) => how === 'adrift') &&
  kept.some(({ unit }) => unit === 'sound packets') &&
  !kept.some(({ unit }) => unit === 'frames');

/** Whether packets cannot be taken for others, as they can be in ISO base media, where only the index tells them apart. */
const isSelfFramed = ({ ids }: Pick<VideoFormat<unknown>, 'ids'>) => !ids.includes('mp4');

/** Lets decide what a decoder made of what is to be handed out. */
async function proven(
  format: Pick<VideoFormat<unknown>, 'ids'>,
  path: string,
  { job }: Pick<Reading, 'job'>,
  one: Video,
  decoded: Decoding,
): Promise<Video> {
  const step = { kind: decoded.isBlind ? ('sound' as const) : ('decode' as const), decoded };
  const looked: Video = { ...one, steps: [...one.steps, step] };
  const seen = decoded.isBlind ? undecoded(looked) : looked;
  const isFound = one.end.verdict !== 'unrepairable' && one.end.how === 'found';
  if (isFound && isAllDamaged(decoded)) return refuse(seen, 'nextToNothing');
  const proof = proofOf(one.end.verdict, [...one.kept, ...one.lost], decoded, isSelfFramed(format));
  if (proof === 'nextToNothing') return refuse(seen, proof);
  if (proof === 'damaged') return withDamage(seen, decoded);
  if (proof === 'fine') return decoded.isBlind || seen.end.verdict === 'partly' ? seen : withRemark(format, seen);
  // A track of pictures that cannot be opened at all ends the run before its sound was looked at.
  const sound = isSelfFramed(format) ? await decodeResult(job, path, job.format, 'sound') : null;
  if (!isSoundWorthIt(sound)) return refuse(seen, proof);
  return {
    ...seen,
    steps: [...seen.steps, { kind: 'sound', decoded: sound }],
    kept: [{ unit: 'pieces of sound', count: sound.packets }],
    lost: [...seen.lost, { unit: 'video tracks', count: 1, how: 'undecoded' }],
    end: { verdict: 'partly', how: 'soundAlone' },
  };
}

/** A video in which nothing wrong was found, or nothing more, with what that does not rule out. */
function withRemark({ ids }: Pick<VideoFormat<unknown>, 'ids'>, one: Video): Video {
  const isEndUnseen = ids.some((id) => openEnded.has(id));
  const areBitsWrong = one.damages.some(({ kind }) => kind === 'bits');
  return { ...one, remarks: [...one.remarks, { kind: 'bitsUnseen', isEndUnseen, areBitsWrong }] };
}

/** Formats whose files may end behind any of their packets. */
const openEnded: ReadonlySet<string> = new Set(['mts', 'm2ts', 'mkv', 'flv']);

function withDamage(one: Video, decoded: Decoding): Video {
  const { verdict: before } = one.end;
  return {
    ...one,
    damages: [...one.damages, { kind: 'decoding', decoded }],
    kept: one.kept.length > 0 ? one.kept : undamaged(decoded),
    lost: [...one.lost, ...decodingLosses(decoded)],
    end: before === 'partly' ? one.end : { verdict: 'partly', how: 'decoding', before, decoded },
  };
}
