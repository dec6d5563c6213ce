import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damaged } from '../../support/damage';
import { recipesFor } from '../../support/recipes';
import { type Cost, measureRepair } from './measure';
import { largeOriginals } from './originals';

type Row = Cost & { format: string; content: string; recipe: string };

const seed = 1;
/** The goal: seconds for nine in ten, seconds for all, megabytes for all. */
const goal = { most: 3, all: 10, megabytes: 512 };

/**
 * Damages every original of about 5 MB by every recipe of its format, repairs each file in a fresh process, and prints seconds and
 * memory by format, with every run that misses the goal. `only` keeps to a format, `recipes` to recipes with that in their name.
 */
export async function printSpeedBench(only = '', recipes = ''): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'speed-'));
  const rows: Row[] = [];
  try {
    for (const { format, content, make } of largeOriginals) {
      if (only && format !== only) continue;
      const bytes = await make();
      const [input, output] = [join(folder, `in.${format}`), join(folder, `out.${format}`)];
      const run = async (recipe: string, file: Buffer) => {
        await writeFile(input, file);
        rows.push({ ...(await measureRepair(input, output)), format, content, recipe });
        await rm(output, { force: true });
      };
      // The first run may have to bundle the program, which no repair has to pay for.
      await writeFile(input, bytes);
      if (rows.length === 0) await measureRepair(input, output);
      await run('none', bytes);
      const verdict = rows.at(-1)?.verdict;
      console.log(`${format}, ${content}: ${(bytes.length / 2 ** 20).toFixed(1)} MB, undamaged: ${verdict}`);
      for (const recipe of recipesFor(format)) {
        const file = recipe.name.includes(recipes) ? damaged(bytes, recipe, seed) : null;
        if (file) await run(recipe.name, file);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(speedTable(rows));
}

/** Seconds and memory by format: median, 90th percentile, most; then what misses the goal. */
function speedTable(rows: readonly Row[]): string {
  const lines = [
    'Seconds on the clock, and of the processor, which on a busy machine say more: median, 90th percentile, longest',
    `${'format'.padEnd(8)} files   clock                    processor                most memory`,
  ];
  for (const format of [...new Set(rows.map((row) => row.format)), '']) {
    const some = rows.filter((row) => format === '' || row.format === format);
    const most = Math.round(Math.max(...some.map(({ megabytes }) => megabytes)));
    lines.push(
      `${(format || 'all').padEnd(8)} ${String(some.length).padStart(5)} ${spread(some.map(({ seconds }) => seconds))} ${spread(
        some.map(({ processor }) => processor),
      )} ${String(most).padStart(6)} MB`,
    );
  }
  const slow = rows.filter(({ seconds }) => seconds > goal.most);
  const missed = rows.filter(
    ({ seconds, megabytes, verdict }) =>
      seconds > goal.all || megabytes > goal.megabytes || verdict.startsWith('failed'),
  );
  lines.push(
    `over ${goal.most} s: ${slow.length} of ${rows.length}; over ${goal.all} s or ${goal.megabytes} MB: ${missed.length}`,
  );
  const worst = [...new Set([...missed, ...slow])].sort((left, right) => right.processor - left.processor);
  for (const { format, content, recipe, seconds, processor, megabytes, verdict } of worst)
    lines.push(
      `  ${format}, ${content}, ${recipe}: ${seconds.toFixed(1)} s (${processor.toFixed(1)} s), ${Math.round(megabytes)} MB, ${verdict}`,
    );
  return lines.join('\n');
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((left, right) => left - right);
  const share = (part: number) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0;
  return [0.5, 0.9, 1].map((part) => share(part).toFixed(2).padStart(7)).join(' ');
}
