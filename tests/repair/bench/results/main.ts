import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { engineVersion } from '../../../../lib/repair';
import { toolVersions } from '../tools';
import { engineState, families, lastRun, measure } from './rows';
import { tableOf } from './table';

// Arguments: `video`, `photo` or `document` to measure that family anew and take the others as they were measured last (`none` takes all
// of them so), and seeds per recipe (1 if left out). Writes what the page of results shows.
process.env.REPAIR_FFMPEG ??= 'ffmpeg';
const [, , wanted = '', seedCount = '1'] = process.argv;
const seeds = Array.from({ length: Number(seedCount) || 1 }, (_, index) => index + 1);
const chosen = wanted === '' ? families : families.filter((family) => family === wanted);
for (const family of chosen) await measure(family, seeds);
const runs = families.flatMap((family) => lastRun(family) ?? []);
const used = new Set(runs.flatMap(({ rows }) => rows.flatMap(({ tools }) => Object.keys(tools))));
const table = tableOf(runs, {
  day: new Date().toISOString().slice(0, 10),
  engine: { version: engineVersion, state: engineState() },
  machine: `${cpus().length} cores, Node.js ${process.versions.node}`,
  seeds: seeds.length,
  tools: toolVersions().filter(({ name }) => used.has(name)),
});
const file = join('lib', 'content', 'results', 'measured.json');
writeFileSync(file, `${JSON.stringify(table, null, 1)}\n`);
console.log(
  `${file}: ${table.formats.map(({ name, files, damaged, repaired }) => `${name} (${files}) ${damaged} -> ${repaired}`).join('; ')}`,
);
