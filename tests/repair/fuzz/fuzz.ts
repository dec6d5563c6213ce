import { reportSchema } from '../../../lib/repair/report/schema';
import { type Run, repairBytes } from '../support/run';
import { type FuzzGroup, mutated } from './mutate';

/** One failure of the engine: the file that caused it can be made again from its number. */
export type Failure = { number: number; format: string; reason: string };

/** What a repair is given, in milliseconds. */
const most = 20_000;

/** Repairs mutated file number `number`; null when all is as it must be. */
async function probe(number: number, group: FuzzGroup): Promise<Failure | null> {
  const { format, bytes } = await mutated(number, group);
  const fail = (reason: string): Failure => ({ number, format, reason });
  let run: Run;
  try {
    run = await repairBytes(bytes, `file.${format}`, { limits: { milliseconds: most } });
  } catch (error) {
    return fail(`threw ${String(error)}`);
  }
  const { report, output } = run;
  if (run.processorMs > most + 5000) return fail(`took ${Math.round(run.processorMs)} ms of the processor`);
  if (!run.inputUntouched) return fail('changed the input');
  const read = reportSchema.safeParse(JSON.parse(JSON.stringify(report)));
  if (!read.success) return fail(`report ${read.error.message}`);
  const wrong = report.found.find(({ offset }) => offset !== null && !(offset >= 0 && offset <= bytes.length));
  if (wrong) return fail(`found ${wrong.kind} at ${wrong.offset} of ${bytes.length}`);
  const amounts = [report.kept, report.rebuilt, report.lost].flat();
  if (!amounts.every(({ count }) => count >= 0)) return fail(`amounts ${JSON.stringify(amounts)}`);
  if ((report.verdict === 'unrepairable') !== (output === null)) return fail('output and verdict do not agree');
  if ((report.output === null) !== (output === null)) return fail('output and report do not agree');
  if (report.verdict === 'healthy' && !output?.equals(bytes)) return fail('healthy, but changed');
  if (report.verdict === 'repaired' && report.lost.length > 0) return fail('repaired, but something lost');
  if (output && report.verdict !== 'healthy' && report.kept.length === 0) return fail('handed out with nothing kept');
  if (report.summary === '') return fail('no summary');
  const support = report.notes.find((note) => note.startsWith('Details for support: ') && /Error/.test(note));
  return support ? fail(support) : null;
}

/** Repairs `count` mutated files from number `start` on and returns what failed; `progress` hears of every file. */
export async function fuzz(
  start: number,
  count: number,
  group: FuzzGroup = 'files',
  progress: (done: number, failure: Failure | null) => void = () => {},
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let number = start; number < start + count; number++) {
    const failure = await probe(number, group);
    if (failure) failures.push(failure);
    progress(number - start + 1, failure);
  }
  return failures;
}
