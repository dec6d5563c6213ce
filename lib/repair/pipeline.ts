import { type Case, type Family, type FamilyTypes, type Opened, refuse } from './families/family';
import type { Examined, Format, Seen } from './formats/format';
import { moveFile, removeFile } from './host/files';
import type { EngineJob, EngineOutput, Outcome } from './report';
import type { End } from './report/facts';
import { reasonSchema } from './report/schema';
import type { Finding, Reason } from './report/types';
import { verdictOf } from './verdict';

/** A report of thousands of lines helps nobody. */
const mostLines = 100;

/** Repairs one file by its format: examine, rebuild, verify, measure, judge, all of it once more by another look where little came of it, and last the report. */
export function repairBy<Parts, F extends FamilyTypes>(format: Format<Parts, F>, job: EngineJob): Promise<Outcome> {
  return format.family.open(format, job, async (opened) => {
    const { reading } = opened;
    const ended = await attempt(format, job, opened, await format.examine(reading));
    const anew = await format.anew?.examine(reading, ended.one);
    if (!anew) return report(format, job, ended);
    return withAside(job, ended.one.output.kind === 'written', async (back) => {
      const again = await attempt(format, job, opened, anew);
      if (format.anew?.isMore(again.one, ended.one)) return report(format, job, again);
      await back();
      return report(format, job, ended);
    });
  });
}

/** Does something with what was written put aside, which `back` puts back. */
async function withAside<T>(
  { outputPath }: EngineJob,
  isWritten: boolean,
  act: (back: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const aside = `${outputPath}.aside`;
  if (isWritten) await moveFile(outputPath, aside);
  try {
    return await act(async () => {
      if (isWritten) await moveFile(aside, outputPath);
    });
  } finally {
    await removeFile(aside);
  }
}

/** What came of a file as it was looked at. */
type Ended<F extends FamilyTypes> = { one: Case<F>; examined: Examined<unknown, F> };

/** Has what was found made, read and judged. */
async function attempt<Parts, F extends FamilyTypes>(
  format: Format<Parts, F>,
  job: EngineJob,
  opened: Opened<F>,
  examined: Examined<Parts, F>,
): Promise<Ended<F>> {
  const made = await make(format, opened.reading, examined, begin(job.format, opened, examined));
  return { one: await format.family.judge(format, opened.reading, made, examined), examined };
}

function begin<F extends FamilyTypes>(format: string, opened: Opened<F>, examined: Examined<unknown, F>): Case<F> {
  const { inside, steps, remarks, kept, rebuilt, lost } = examined;
  const damages: F['damage'][] = [...opened.damages, ...inside, ...examined.damages];
  const end: End<F> = { verdict: verdictOf(damages, lost), how: 'whole' };
  return {
    format: examined.handsOut ?? format,
    damages,
    steps: [...opened.steps, ...steps],
    remarks,
    kept,
    rebuilt,
    lost,
    output: { kind: 'input' },
    end,
  };
}

/** Makes what is to be handed out: the file anew where it is damaged as a whole, otherwise what its family keeps of it. */
async function make<Parts, F extends FamilyTypes>(
  format: Format<Parts, F>,
  reading: F['reading'],
  examined: Examined<Parts, F>,
  one: Case<F>,
): Promise<Case<F>> {
  const { family } = format;
  const { verdict } = one.end;
  if (examined.hopeless) return refuse(one, examined.hopeless);
  if (verdict === 'unrepairable' || examined.damages.length === 0) return family.keep(reading, examined, one);
  let steps: readonly F['step'][] = [];
  const output = await family.write(reading, async (sink) => {
    steps = await format.rebuild(reading, examined, sink);
  });
  const made = { ...one, steps: [...one.steps, ...steps] };
  const seen = await family.readBack(reading, output, (written) => format.verify(written, reading, examined));
  if (seen === false) return refuse(made, 'unproven');
  return seen === true ? { ...made, output, end: { verdict, how: 'rebuilt' } } : withSeen(made, output, seen);
}

/** The same with what only the file that was written tells. */
function withSeen<F extends FamilyTypes>(one: Case<F>, output: EngineOutput, seen: Seen<F>): Case<F> {
  const { steps = [], remarks = [], kept = [], lost = [], why } = seen;
  if (why !== undefined) return refuse(one, why);
  const whole = {
    ...one,
    steps: [...one.steps, ...steps],
    remarks: [...one.remarks, ...remarks],
    kept: [...kept, ...one.kept],
    lost: [...one.lost, ...lost],
  };
  return { ...whole, output, end: { verdict: verdictOf(whole.damages, whole.lost), how: 'rebuilt' } };
}

/** Why nothing is handed out, where that is no failure. */
function reasonOf<F extends FamilyTypes>({ words }: Family<F>, end: End<F>): Reason | undefined {
  if (end.verdict !== 'unrepairable') return undefined;
  return words.reasonOf?.(end.why) ?? reasonSchema.safeParse(end.why).data;
}

/** The facts in words. */
function report<F extends FamilyTypes>(
  { family }: Format<unknown, F>,
  { format }: EngineJob,
  { one, examined: { wantsSample } }: Ended<F>,
): Outcome {
  const { words } = family;
  const { verdict } = one.end;
  const told: Outcome = {
    verdict,
    reason: reasonOf(family, one.end),
    format: one.format,
    summary: words.summaryOf(one.end, format),
    notes: [...new Set(one.remarks.map(words.noteOf))].slice(0, mostLines),
    found: distinct(one.damages.map(words.findingOf)).slice(0, mostLines),
    steps: one.steps.slice(0, mostLines).map(words.stepOf),
    kept: one.kept.map(words.amountOf),
    rebuilt: one.rebuilt.map(words.rebuiltOf),
    lost: one.lost.map(words.lossOf),
    output: one.output,
  };
  return wantsSample && (verdict === 'unrepairable' || verdict === 'partly') ? { ...told, wantsSample: true } : told;
}

/** Each kind of damage once per place. */
function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ kind, detail, offset }) => {
    const key = `${kind} ${offset} ${detail}`;
    return !seen.has(key) && seen.add(key);
  });
}
