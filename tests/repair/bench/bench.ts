import { damaged } from '../support/damage';
import { originals } from '../support/originals';
import { groups, isHeldBack, recipesFor } from '../support/recipes';
import { repairBytes } from '../support/run';
import { scoreAgainst } from '../support/score';
import { peerScores } from './peers';

/** One damaged file and what became of it, values from 0 to 1. */
export type Result = {
  group: string;
  writer: string;
  format: string;
  recipe: string;
  seed: number;
  heldBack: boolean;
  verdict: string;
  before: number;
  after: number;
  peers: Record<string, number>;
  milliseconds: number;
};

type Original = Awaited<ReturnType<typeof originals>>[number];
type Recipe = ReturnType<typeof recipesFor>[number];

/** Damages, repairs and scores one file. */
async function benchOne(
  original: Original,
  recipe: Recipe,
  seed: number,
  bytes: Buffer,
  peers: boolean,
): Promise<Result> {
  const { format, writer } = original;
  const run = await repairBytes(bytes, `file.${format}`);
  return {
    group: groups[format] ?? '',
    writer,
    format,
    recipe: recipe.name,
    seed,
    heldBack: isHeldBack(recipe.name, seed),
    verdict: run.report.verdict,
    before: await scoreAgainst(format, original.bytes, bytes),
    after: run.output ? await scoreAgainst(format, original.bytes, run.output) : 0,
    peers: peers ? await peerScores(format, original.bytes, bytes) : {},
    milliseconds: run.milliseconds,
  };
}

/** The damaged files of a recipe, by seed; recipes without chance give the same file for every seed, and once is enough. */
function* damagedBy(
  original: Original,
  recipe: Recipe,
  seeds: readonly number[],
): Generator<{ seed: number; bytes: Buffer }> {
  const seen = new Set<string>();
  for (const seed of seeds) {
    const bytes = damaged(original.bytes, recipe, seed);
    const key = bytes ? bytes.toString('latin1') : '';
    if (!bytes || seen.has(key)) continue;
    seen.add(key);
    yield { seed, bytes };
  }
}

/** Damages each of the originals by every recipe with each seed, repairs it, and scores both; `peers` runs the tools found on the machine too. */
export async function runBench(
  chosen: readonly Original[],
  seeds: readonly number[],
  peers: boolean,
  recipesOf: (original: Original) => readonly Recipe[] = ({ format }) => recipesFor(format),
): Promise<Result[]> {
  const results: Result[] = [];
  for (const original of chosen) {
    for (const recipe of recipesOf(original)) {
      for (const { seed, bytes } of damagedBy(original, recipe, seeds)) {
        results.push(await benchOne(original, recipe, seed, bytes, peers));
      }
    }
  }
  return results;
}

/** The originals of a group or format that are scored; all of these without one. */
export async function scoredOriginals(only = ''): Promise<Original[]> {
  return (await originals()).filter(({ format }) => {
    const group = groups[format];
    return group !== undefined && (!only || group === only || format === only);
  });
}

/** Those of the healthy originals that are called damaged, with what is said of them. */
export async function falseAlarms(chosen: readonly Original[]): Promise<string[]> {
  const alarms: string[] = [];
  for (const { format, writer, bytes } of chosen) {
    const { report } = await repairBytes(bytes, `file.${format}`);
    if (report.verdict !== 'healthy') alarms.push(`${format} by ${writer}: ${report.summary}`);
  }
  return alarms;
}

const mean = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (value: number) => (value * 100).toFixed(1).padStart(6);

/** The table of a bench, by group and by recipe, with false successes, false alarms and times. */
export function benchTable(results: readonly Result[]): string {
  const groupsSeen = [...new Set(results.map((result) => result.group))];
  return groupsSeen
    .flatMap((group) =>
      groupLines(
        group,
        results.filter((result) => result.group === group),
      ),
    )
    .join('\n');
}

function groupLines(group: string, rows: readonly Result[]): string[] {
  const lines: string[] = [];
  const peers = [...new Set(rows.flatMap((row) => Object.keys(row.peers)))];
  const known = rows.filter((row) => !row.heldBack);
  const held = rows.filter((row) => row.heldBack);
  lines.push('', `${group}: ${rows.length} damaged files`);
  lines.push(
    `  damaged ${percent(mean(rows.map((row) => row.before)))}   repaired ${percent(mean(rows.map((row) => row.after)))}`,
  );
  lines.push(
    `  tuned on ${percent(mean(known.map((row) => row.after)))}   held back ${percent(mean(held.map((row) => row.after)))}`,
  );
  for (const peer of peers)
    lines.push(`  ${peer.padEnd(28)} ${percent(mean(rows.map((row) => row.peers[peer] ?? 0)))}`);
  const handedOut = rows.filter((row) => row.verdict !== 'unrepairable' && row.after < 0.02);
  const worse = rows.filter((row) => row.after < row.before - 0.02);
  const missed = rows.filter((row) => row.verdict === 'healthy' && row.after < 0.98);
  const times = rows.map((row) => row.milliseconds).sort((left, right) => left - right);
  for (const [what, some] of Object.entries({
    'under 2 % but handed out': handedOut,
    'worse than before': worse,
    'damage not noticed': missed,
  }))
    lines.push(`  ${what}: ${some.length}`, ...some.map((row) => `    ${row.writer}, ${row.recipe}, seed ${row.seed}`));
  lines.push(
    `  time: median ${Math.round(times[times.length >> 1] ?? 0)} ms, longest ${Math.round(times.at(-1) ?? 0)} ms`,
  );
  for (const recipe of new Set(rows.map((row) => row.recipe))) {
    const some = rows.filter((row) => row.recipe === recipe);
    lines.push(
      `    ${recipe.padEnd(30)} ${percent(mean(some.map((row) => row.before)))} -> ${percent(mean(some.map((row) => row.after)))}`,
    );
  }
  return lines;
}
