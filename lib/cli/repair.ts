import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FamilyCode, repairFile } from '../repair';
import { RepairMisuse } from '../repair/report/limits';
import { repairGuarded } from './repair-guard';

const usage = `Usage: npm run --silent repair -- INPUT OUTPUT [--type 17|18|19] [--sample FILE]

Repairs INPUT and writes OUTPUT; INPUT is only read. The report is written to standard output as JSON.
  --type N       accept only videos (17), documents (18) or photos (19)
  --sample FILE  a working file from the same camera, for videos that lost their index

Exit codes: 0 healthy, repaired or partly repaired; 2 not repairable (no OUTPUT is written); 1 wrong use.`;

type Arguments = { input: string; output: string; type: FamilyCode | undefined; sample: string | undefined };

const typeCodes: Record<string, FamilyCode> = { '17': 17, '18': 18, '19': 19 };

function parseArguments(argv: readonly string[]): Arguments {
  // Behind two dashes alone everything is a path.
  const end = argv.indexOf('--');
  const rest = end < 0 ? [...argv] : argv.slice(0, end);
  const paths: string[] = [];
  let type: FamilyCode | undefined;
  let sample: string | undefined;
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (!argument.startsWith('-') || argument === '-') {
      paths.push(argument);
      continue;
    }
    const [name, inline] = splitOption(argument);
    if (name !== '--type' && name !== '--sample') throw new RepairMisuse(`Unknown option ${argument}.`);
    const value = inline ?? rest.shift();
    if (!value) throw new RepairMisuse(`${name} needs a value.`);
    if (name === '--sample') sample = value;
    else type = typeOf(value);
  }
  const [input, output, extra] = [...paths, ...(end < 0 ? [] : argv.slice(end + 1))];
  if (!input || !output || extra !== undefined) throw new RepairMisuse('Name one INPUT and one OUTPUT.');
  return { input, output, type, sample };
}

function typeOf(value: string): FamilyCode {
  const type = typeCodes[value];
  if (!type) throw new RepairMisuse(`Unknown type ${value}; it is 17, 18 or 19.`);
  return type;
}

function splitOption(argument: string): [string, string | undefined] {
  const equals = argument.indexOf('=');
  return equals < 0 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

/** Runs the repair command with the arguments after the program's name; resolves with the exit code, never rejects. */
export async function main(argv: readonly string[], repair: typeof repairFile): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stderr.write(`${usage}\n`);
    return argv.length === 1 ? 0 : 1;
  }
  try {
    const { input, output, type, sample } = parseArguments(argv);
    const report = await repair({
      inputPath: input,
      outputPath: output,
      fileName: basename(input),
      type,
      samplePath: sample,
    });
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return report.verdict === 'unrepairable' ? 2 : 0;
  } catch (error) {
    const misuse = error instanceof RepairMisuse;
    process.stderr.write(`${(error as Error).message}\n${misuse ? `\n${usage}\n` : ''}`);
    return 1;
  }
}

/** Whether this module is the program that Node was started with; links are followed, as npm starts programs through them. */
function isEntry(): boolean {
  const program = process.argv[1];
  if (!program) return false;
  try {
    return realpathSync(program) === realpathSync(fileURLToPath(import.meta.url));
  } catch {
    return false;
  }
}

// The exit code is set rather than exit() called, so that a long report reaches a pipe in full.
if (isEntry()) process.exitCode = await main(process.argv.slice(2), repairGuarded);
