import os from 'node:os';
import { startPostgres } from '../../support/postgres';
import { measureAdding, measureClaims } from './claims';
import { families } from './files';
import { measureRepairs } from './repairs';
import { measureRequests } from './requests';

/** `npm run bench:scale`: the rates of lib/deploy/README.md, 2 come from here. `-- claims`, `requests` or `repairs` measures one part. */
const [, , only] = process.argv;
const say = (line: string) => console.error(line);
const wants = (part: string) => only === undefined || only === part;

const [core] = os.cpus();
console.log(
  `${os.cpus().length} cores (${core?.model.trim() ?? 'unknown'}), load before ${os.loadavg()[0]?.toFixed(2)}, PostgreSQL with fsync\n`,
);

if (wants('claims')) {
  const postgres = await startPostgres([]);
  if (!postgres) throw new Error('PostgreSQL was not found.');
  const claims = await measureClaims(postgres, [10, 1000, 100_000]);
  const adding = await measureAdding(postgres);
  await postgres.stop();
  console.log(
    '| jobs waiting | one claim, median | 95 of 100 within | claims a second, four at once |\n|---|---|---|---|',
  );
  for (const { waiting, median, p95, perSecondByFour } of claims) {
    console.log(`| ${waiting} | ${median.toFixed(1)} ms | ${p95.toFixed(1)} ms | ${perSecondByFour} |`);
  }
  console.log(`\n${adding} jobs added a second, 20 at once, each told of in its commit\n`);
}
if (wants('requests')) {
  console.log('| one web node | a second | 99 of 100 within |\n|---|---|---|');
  for (const { what, perSecond, p99 } of await measureRequests(say))
    console.log(`| ${what} | ${perSecond} | ${p99.toFixed(0)} ms |`);
  console.log('');
}
if (wants('repairs')) {
  const workerCounts = [1, 2, 4];
  const files = await families();
  const rates = await measureRepairs(files, workerCounts, say);
  console.log(
    `| repairs an hour | ${workerCounts.map((count) => `${count} worker${count > 1 ? 's' : ''}`).join(' | ')} |\n|---|${'---|'.repeat(workerCounts.length)}`,
  );
  for (const { family, file } of files) {
    const of = workerCounts.map(
      (count) => rates.find((rate) => rate.family === family && rate.workers === count)?.perHour ?? '',
    );
    console.log(`| ${family}, ${(file.bytes.length / 1024).toFixed(0)} kB | ${of.join(' | ')} |`);
  }
}
process.exit(0);
