import { reportSchema } from '../../../lib/repair/report/schema';
import { originals } from '../support/originals';
import { randomBytes, randomFrom } from '../support/random';
import { type Run, repairBytes } from '../support/run';
import { videoFiles } from '../support/videos';

/** What is mutated: photos and documents, or videos. */
export type FuzzGroup = 'files' | 'videos';

/** One failure of the engine: the file that caused it can be made again from its number. */
export type Failure = { number: number; format: string; reason: string };

const most = 20_000;

/** Changes a file as neither transfer nor disk would: random bytes, lengths, swaps, repeats, splices of two files. */
function mutate(bytes: Buffer, other: Buffer, random: () => number): Buffer {
  let result = Buffer.from(bytes);
  const at = () => Math.floor(random() * result.length);
  const rounds = 1 + Math.floor(random() * 5);
  for (let round = 0; round < rounds && result.length > 4; round++) {
    const place = at();
    const length = Math.floor(random() ** 3 * 2000) + 1;
    switch (Math.floor(random() * 8)) {
      case 0:
        result[place] = Math.floor(random() * 256);
        break;
      case 1:
        randomBytes(random, Math.min(length, result.length - place)).copy(result, place);
        break;
      case 2:
        result = Buffer.concat([result.subarray(0, place), result.subarray(place + length)]);
        break;
      case 3:
        result = Buffer.concat([
          result.subarray(0, place),
          result.subarray(place, place + length),
          result.subarray(place),
        ]);
        break;
      case 4:
        result.writeUInt32LE(Math.floor(random() * 4294967296), Math.min(place, result.length - 4));
        break;
      case 5:
        result.fill([0, 0xff, 0x80][Math.floor(random() * 3)] ?? 0, place, Math.min(result.length, place + length));
        break;
      case 6:
        result = Buffer.concat([
          result.subarray(0, place),
          other.subarray(Math.floor(random() * other.length)),
        ]).subarray(0, 2_000_000);
        break;
      default:
        result = result.subarray(0, place);
    }
  }
  return result;
}

async function filesOf(group: FuzzGroup): Promise<readonly { format: string; bytes: Buffer }[]> {
  if (group === 'videos') return videoFiles;
  return (await originals()).filter(({ writer }) => !writer.endsWith('large'));
}

/** Mutated file number `number`. */
async function mutated(number: number, group: FuzzGroup): Promise<{ format: string; bytes: Buffer }> {
  const random = randomFrom(number * 2654435761);
  const files = await filesOf(group);
  const pick = () => {
    const file = files[Math.floor(random() * files.length)];
    if (!file) throw new Error('There are no originals to mutate.');
    return file;
  };
  const [{ format, bytes }, other] = [pick(), pick()];
  return { format, bytes: mutate(bytes, other.bytes, random) };
}

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
  if (run.milliseconds > most + 5000) return fail(`took ${Math.round(run.milliseconds)} ms`);
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
