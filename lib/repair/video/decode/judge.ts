import { sizeOf } from '../../host/files';
import type { EngineJob, Measure, Outcome } from '../../report';
import type { Amount, Loss } from '../../report/facts/video';
import { amountOf, findingOf, lossOf, noteOf, stepOf, summaryOf } from '../../report/words/video';
import { type Decoding, isSoundWorthIt, proofOf } from '../../verdict';
import { decodeFile } from './run';

/**
 * Bytes of pictures and sound that are decoded, some 2e8 a second by ffmpeg in WebAssembly, at most and at least, and the size of a file up
 * to which it is the most: a large video is not made to wait many times as long as its repair takes. What was decoded until then is what
 * the report speaks of.
 */
const decodedBytes = { most: 2e9, least: 5e8, fullBytes: 64 * 2 ** 20 };
/** Formats whose packets cannot be taken for others, as they can be in MP4 where only the index tells them apart. */
const selfFramed = new Set(['mkv', 'flv', 'avi', 'mts', 'm2ts', 'mxf']);
/** Time that is left for digests and the end of the job. */
const reserveMilliseconds = 4000;

/** Decodes a video, or its sound alone, as far as long videos are decoded; null without a decoder, or where it cannot open the file. */
export async function decodeResult(
  job: EngineJob,
  path: string,
  format: string,
  what: 'frames' | 'sound' = 'frames',
): Promise<Decoding | null> {
  const { most, least, fullBytes } = decodedBytes;
  const bytes = Math.max(least, Math.min(most, (most * fullBytes) / Math.max(1, await sizeOf(path))));
  return decodeFile(path, format, { bytes, milliseconds: job.deadline.left - reserveMilliseconds }, what);
}

/**
 * Decodes what is to be handed out, and lets that decide: a video of which no frame decodes is not handed out, one with damage
 * inside its frames is called partly repaired, with the places. Without a decoder the outcome stays, and says so.
 */
export async function judgeByDecoding(job: EngineJob, outcome: Outcome): Promise<Outcome> {
  const { output } = outcome;
  if (output.kind !== 'input' && output.kind !== 'written') return outcome;
  const path = output.kind === 'input' ? job.inputPath : job.outputPath;
  const format = outcome.format ?? job.format;
  const decoded = await decodeResult(job, path, format);
  if (!decoded) {
    outcome.notes.push(noteOf({ kind: 'undecoded' }));
    return outcome;
  }
  outcome.steps.push(stepOf({ kind: 'decode', decoded }));
  const isSelfFramed = selfFramed.has(format);
  const proof = proofOf(outcome.verdict, [...outcome.kept, ...outcome.lost], decoded, isSelfFramed);
  if (proof === 'noFrames') {
    // A track of pictures that cannot be opened at all ends the run before its sound was looked at.
    const rest = isSelfFramed ? await decodeResult(job, path, format, 'sound') : null;
    return isSoundWorthIt(rest) ? soundAlone(outcome, rest) : refused(outcome, proof);
  }
  if (proof === 'nextToNothing') return refused(outcome, proof);
  return proof === 'damaged' ? withDamage(outcome, decoded) : outcome;
}

function soundAlone(outcome: Outcome, decoded: Decoding): Outcome {
  return {
    ...outcome,
    verdict: 'partly',
    summary: summaryOf({ verdict: 'partly', how: 'soundAlone' }),
    steps: [...outcome.steps, stepOf({ kind: 'sound', decoded })],
    kept: [amountOf({ unit: 'pieces of sound', count: decoded.packets })],
    lost: [...outcome.lost, lossOf({ unit: 'video tracks', count: 1, how: 'undecoded' })],
  };
}

function refused(outcome: Outcome, why: 'noFrames' | 'nextToNothing'): Outcome {
  const summary = summaryOf({ verdict: 'unrepairable', why });
  return { ...outcome, verdict: 'unrepairable', summary, kept: [], rebuilt: [], output: { kind: 'none' } };
}

function withDamage(outcome: Outcome, decoded: Decoding): Outcome {
  const kept: Measure[] = outcome.kept.length > 0 ? outcome.kept : undamaged(decoded).map(amountOf);
  const lost = [...outcome.lost, ...decodingLosses(decoded).map(lossOf)];
  const found = [...outcome.found, findingOf({ kind: 'decoding', decoded })];
  const { verdict: before } = outcome;
  const summary =
    before === 'partly' ? outcome.summary : summaryOf({ verdict: 'partly', how: 'decoding', before, decoded });
  return { ...outcome, verdict: 'partly', summary, kept, lost, found };
}

/** What is damaged inside frames and sound, as losses. */
export function decodingLosses({ damagedFrames, damagedSound, damagedAt: at }: Decoding): Loss[] {
  const losses: Loss[] = [
    { unit: 'frames', count: damagedFrames, how: 'decoding', at },
    { unit: 'pieces of sound', count: damagedSound, how: 'decoding', at },
  ];
  return losses.filter(({ count }) => count > 0);
}

/** What decoded without a complaint. */
export function undamaged({ frames, damagedFrames, packets, damagedSound }: Decoding): Amount[] {
  const amounts: Amount[] = [
    { unit: 'frames', count: Math.max(0, frames - damagedFrames) },
    { unit: 'pieces of sound', count: Math.max(0, packets - damagedSound) },
  ];
  return amounts.filter(({ count }) => count > 0);
}
