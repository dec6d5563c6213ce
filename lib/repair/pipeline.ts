import type { Examined, Format } from './formats/format';
import { copyFile } from './host/files';
import type { EngineJob, EngineOutput, Outcome } from './report';
import type { Amount, Damage, End, Hopeless, Loss, Remark, Step } from './report/facts';
import { amountOf, findingOf, lossOf, noteOf, rebuiltOf, stepOf, summaryOf } from './report/words';
import { type Decoding, isSoundWorthIt, proofOf, verdictOf } from './verdict';
import { decodingLosses, undamaged } from './video/decode';
import { type Reading, readOutput, withReading, writeOutput } from './video/session';
import { type Undone, undoTextMode } from './video/textmode';

/** What is known of a repair, fact by fact; the report is made of it at the end. */
type Case = {
  damages: Damage[];
  steps: Step[];
  remarks: Remark[];
  kept: Amount[];
  lost: Loss[];
  output: EngineOutput;
  end: End;
};

/** A report of thousands of lines helps nobody. */
const mostLines = 100;

/** Repairs one file by its format: examine, rebuild, verify, measure, judge, and last the report. */
export function repairBy<Parts>(format: Format<Parts>, job: EngineJob): Promise<Outcome> {
  return withReading(job, (given) =>
    undoTextMode(given, async (undone) => {
      const reading = undone ? { ...given, source: undone.source } : given;
      const examined = await format.examine(reading);
      const begun = begin(examined, undone);
      if (examined.hopeless) return report(job, refuse(begun, examined.hopeless), examined);
      const made = await make(format, reading, examined, undone, begun);
      return report(job, made.output.kind === 'none' ? made : await measured(format, job, made), examined);
    }),
  );
}

function begin(examined: Examined<unknown>, undone: Undone | null): Case {
  const textmode = { kind: 'textmode' } as const;
  const sent = undone ? [textmode] : [];
  const { inside, steps, remarks, kept, lost } = examined;
  const damages: Damage[] = [...sent, ...inside, ...examined.damages];
  const end: End = { verdict: verdictOf(damages, lost), how: 'whole' };
  return { damages, steps: [...sent, ...steps], remarks, kept, lost, output: { kind: 'input' }, end };
}

const refuse = (one: Case, why: Hopeless): Case => ({
  ...one,
  kept: [],
  output: { kind: 'none' },
  end: { verdict: 'unrepairable', why },
});

/** Makes what is to be handed out: the file anew where it is damaged as a whole, otherwise as it is but for what was set right in place. */
async function make<Parts>(
  format: Format<Parts>,
  reading: Reading,
  examined: Examined<Parts>,
  undone: Undone | null,
  one: Case,
): Promise<Case> {
  const { job, source } = reading;
  const { verdict } = one.end;
  if (verdict === 'unrepairable') return one;
  if (examined.damages.length > 0) {
    let steps: readonly Step[] = [];
    const output = await writeOutput(job, async (sink) => {
      steps = await format.rebuild(reading, examined, sink);
    });
    const made = { ...one, steps: [...one.steps, ...steps] };
    const isAsMeant = await readOutput(job, (written) => format.verify(written, reading, examined));
    if (!isAsMeant) return refuse(made, 'unproven');
    const isSound = one.lost.some((loss) => loss.how === 'untold' && loss.unit === 'video tracks');
    return { ...made, output, end: { verdict, how: isSound ? 'soundOnly' : 'rebuilt' } };
  }
  if (examined.rebuilt.length > 0) {
    const output = await writeOutput(job, async (sink) => void sink.take(source, 0, source.size));
    return { ...one, output, end: { verdict, how: 'bits' } };
  }
  if (undone) {
    await copyFile(undone.path, job.outputPath);
    return { ...one, output: { kind: 'written' }, end: { verdict, how: 'sent' } };
  }
  // A file that is handed back whole is not counted out.
  return verdict === 'healthy' ? { ...one, kept: [] } : { ...one, end: { verdict, how: 'overwritten' } };
}

/** Has an independent reader decode what is to be handed out, and lets that decide. */
async function measured(format: Format<unknown>, job: EngineJob, one: Case): Promise<Case> {
  const path = one.output.kind === 'input' ? job.inputPath : job.outputPath;
  const decoded = await format.measure(path, { job }, 'all');
  if (!decoded) return { ...one, remarks: [...one.remarks, { kind: 'undecoded' }] };
  const seen: Case = { ...one, steps: [...one.steps, { kind: 'decode', decoded }] };
  const proof = proofOf(one.end.verdict, [...one.kept, ...one.lost], decoded, true);
  if (proof === 'nextToNothing') return refuse(seen, proof);
  if (proof === 'damaged') return withDamage(seen, decoded);
  if (proof === 'fine') return seen;
  // A track of pictures that cannot be opened at all ends the run before its sound was looked at.
  const sound = await format.measure(path, { job }, 'sound');
  if (!isSoundWorthIt(sound)) return refuse(seen, proof);
  return {
    ...seen,
    steps: [...seen.steps, { kind: 'sound', decoded: sound }],
    kept: [{ unit: 'pieces of sound', count: sound.packets }],
    lost: [...seen.lost, { unit: 'video tracks', count: 1, how: 'undecoded' }],
    end: { verdict: 'partly', how: 'soundAlone' },
  };
}

function withDamage(one: Case, decoded: Decoding): Case {
  const { verdict: before } = one.end;
  return {
    ...one,
    damages: [...one.damages, { kind: 'decoding', decoded }],
    kept: one.kept.length > 0 ? one.kept : undamaged(decoded),
    lost: [...one.lost, ...decodingLosses(decoded)],
    end: before === 'partly' ? one.end : { verdict: 'partly', how: 'decoding', before, decoded },
  };
}

/** The facts in words. */
function report({ format }: EngineJob, one: Case, { rebuilt, wantsSample }: Examined<unknown>): Outcome {
  const { verdict } = one.end;
  const isNothing = verdict === 'unrepairable';
  const told: Outcome = {
    verdict,
    format,
    summary: summaryOf(one.end),
    notes: [...new Set(one.remarks.map(noteOf))],
    found: one.damages.slice(0, mostLines).map(findingOf),
    steps: one.steps.slice(0, mostLines).map(stepOf),
    kept: one.kept.map(amountOf),
    rebuilt: isNothing ? [] : rebuilt.map(rebuiltOf),
    lost: one.lost.map(lossOf),
    output: one.output,
  };
  return wantsSample && (isNothing || verdict === 'partly') ? { ...told, wantsSample: true } : told;
}
