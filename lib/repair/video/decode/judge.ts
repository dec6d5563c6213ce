import { sizeOf } from '../../host/files';
import { counted, type EngineJob, type Measure, type Outcome } from '../../report';
import type { Decoded } from './log';
import { decodeFile } from './run';

/**
 * Bytes of pictures and sound that are decoded, some 2e8 a second by ffmpeg in WebAssembly, at most and at least, and the size of a file up to which it is the most: a large video is
 * not made to wait many times as long as its repair takes. What was decoded until then is what the report speaks of.
 */
const decodedBytes = { most: 2e9, least: 5e8, fullBytes: 64 * 2 ** 20 };
/** Formats whose packets cannot be taken for others, as they can be in MP4 where only the index tells them apart. */
const selfFramed = new Set(['mkv', 'flv', 'avi', 'mts', 'm2ts', 'mxf']);
/** Time that is left for digests and the end of the job. */
const reserveMilliseconds = 4000;

/**
 * Decodes what is to be handed out, and lets that decide: a video of which no frame decodes is not handed out, one with damage
 * inside its frames is called partly repaired, with the places. Without a decoder the outcome stays, and says so.
 */
export async function judgeByDecoding(job: EngineJob, outcome: Outcome): Promise<Outcome> {
  const { output } = outcome;
  if (output.kind !== 'input' && output.kind !== 'written') return outcome;
  const path = output.kind === 'input' ? job.inputPath : job.outputPath;
  const size = await sizeOf(path);
  const { most, least, fullBytes } = decodedBytes;
  const bytes = Math.max(least, Math.min(most, (most * fullBytes) / Math.max(1, size)));
  const milliseconds = job.deadline.left - reserveMilliseconds;
  const decoded = await decodeFile(path, outcome.format ?? job.format, { bytes, milliseconds });
  if (!decoded) {
    outcome.notes.push('The frames were counted but not decoded, so damage inside a frame would not be noticed.');
    return outcome;
  }
  outcome.steps.push({ name: 'decode', detail: told(decoded) });
  // Where packets carry their own heads, sound that decodes is the file's own sound.
  const heard = selfFramed.has(outcome.format ?? job.format) && decoded.packets > decoded.damagedSound * 2;
  if (decoded.complete && decoded.frames === 0 && decoded.complaints > 0 && outcome.verdict !== 'healthy' && !heard) {
    // A track of pictures that cannot be opened at all ends the run before its sound was looked at.
    const rest = selfFramed.has(outcome.format ?? job.format)
      ? await decodeFile(path, outcome.format ?? job.format, { bytes, milliseconds }, 'sound')
      : null;
    if (rest && rest.packets > rest.damagedSound * 2) return soundAlone(outcome, rest);
    return refused(outcome, 'Frames were found, but none of them could be decoded, so nothing is handed out.');
  }
  if (decoded.complete && outcome.verdict !== 'healthy' && isNothing(outcome, decoded))
    return refused(outcome, 'Next to nothing of what the video held can be decoded, so nothing is handed out.');
  const damaged = decoded.damagedFrames + decoded.damagedSound;
  return damaged > 0 ? withDamage(outcome, decoded) : outcome;
}

/** Least share of frames, or of sound, that is worth handing out. */
const worthwhile = 0.02;

/** Whether of many frames and packets that the index lists hardly one decodes: what was found then is not what was looked for. */
function isNothing({ kept, lost }: Outcome, decoded: Decoded): boolean {
  const count = (unit: string) =>
    [...kept, ...lost].filter((one) => one.unit === unit).reduce((sum, one) => sum + one.count, 0);
  const [frames, sounds] = [count('frames'), count('sound packets')];
  const sound = decoded.packets - decoded.damagedSound;
  return frames >= 50 && decoded.frames < frames * worthwhile && sound < Math.max(1, sounds) * worthwhile;
}

function told(decoded: Decoded): string {
  const amount = `${counted(decoded.frames, 'frame')} and ${counted(decoded.packets, 'piece')} of sound`;
  return decoded.complete
    ? `Decoded from beginning to end: ${amount}, ${clock(decoded.seconds)} long.`
    : `Decoded up to ${clock(decoded.seconds)}, as long videos are decoded in part: ${amount}.`;
}

function soundAlone(outcome: Outcome, { packets, seconds }: Decoded): Outcome {
  return {
    ...outcome,
    verdict: 'partly',
    summary:
      'The sound plays again, but none of the pictures could be decoded: what they need was in a part that is gone.',
    steps: [
      ...outcome.steps,
      { name: 'sound', detail: `Of the sound ${counted(packets, 'piece')} decoded, ${clock(seconds)} long.` },
    ],
    kept: [{ unit: 'pieces of sound', count: packets }],
    lost: [...outcome.lost, { unit: 'video tracks', count: 1, detail: 'of which no frame can be decoded' }],
  };
}

function refused(outcome: Outcome, summary: string): Outcome {
  return { ...outcome, verdict: 'unrepairable', summary, kept: [], rebuilt: [], output: { kind: 'none' } };
}

function withDamage(outcome: Outcome, decoded: Decoded): Outcome {
  const where = places(decoded.damagedAt);
  const parts: string[] = [];
  if (decoded.damagedFrames > 0) parts.push(counted(decoded.damagedFrames, 'frame'));
  if (decoded.damagedSound > 0) parts.push(`${counted(decoded.damagedSound, 'piece')} of sound`);
  const what = parts.join(' and ');
  const hold = decoded.damagedFrames + decoded.damagedSound === 1 ? 'holds' : 'hold';
  const kept = outcome.kept.length > 0 ? outcome.kept : undamaged(decoded);
  const lost = [...outcome.lost];
  if (decoded.damagedFrames > 0)
    lost.push({ unit: 'frames', count: decoded.damagedFrames, detail: `damaged inside, ${where}` });
  if (decoded.damagedSound > 0)
    lost.push({ unit: 'pieces of sound', count: decoded.damagedSound, detail: `damaged inside, ${where}` });
  const found = [
    ...outcome.found,
    { kind: 'frames', detail: `Data inside the frames is damaged: ${what}, ${where}.`, offset: null },
  ];
  const summary =
    outcome.verdict === 'healthy'
      ? `The file is in order and plays, but ${what} ${where} ${hold} damaged data that nothing can bring back; you get it back as it was.`
      : outcome.verdict === 'repaired'
        ? `The video plays again, but ${what} ${where} ${hold} damaged data that nothing can bring back.`
        : outcome.summary;
  return { ...outcome, verdict: 'partly', summary, kept, lost, found };
}

/** What decoded without a complaint. */
function undamaged({ frames, damagedFrames, packets, damagedSound }: Decoded): Measure[] {
  const measures = [
    { unit: 'frames', count: Math.max(0, frames - damagedFrames) },
    { unit: 'pieces of sound', count: Math.max(0, packets - damagedSound) },
  ];
  return measures.filter(({ count }) => count > 0);
}

/** The places of damage in words: “at 0:12”, “from 0:12 to 0:15 and at 1:40”. */
function places(spans: Decoded['damagedAt']): string {
  const sorted = [...spans].sort((left, right) => left.from - right.from);
  const words = sorted
    .slice(0, 4)
    .map(({ from, to }) => (clock(from) === clock(to) ? `at ${clock(from)}` : `from ${clock(from)} to ${clock(to)}`));
  if (sorted.length > 4) words.push(`in ${counted(sorted.length - 4, 'more place')}`);
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '');
}

/** Seconds as minutes and seconds, with hours where there are any. */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  return hours > 0
    ? `${hours}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
    : `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}
