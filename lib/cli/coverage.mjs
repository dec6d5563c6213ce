// `npm run coverage`: the tests that run without a browser, with what they go through, by folder; fails below a floor. Arguments go to Vitest.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { writeContentIndex } from './steps/content-index.mjs';
import { coverageByFolder, coverageTable } from './steps/coverage.mjs';
import { installDependencies } from './steps/install.mjs';
import { requireNode } from './steps/node-version.mjs';
import { run } from './steps/run.mjs';

requireNode();
await installDependencies();
writeContentIndex();
const folder = 'test-results/coverage';
rmSync(folder, { recursive: true, force: true });
const args = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--coverage.enabled',
  '--coverage.provider=v8',
  '--coverage.reportOnFailure',
  '--coverage.reporter=json-summary',
  `--coverage.reportsDirectory=${folder}`,
  '--coverage.include={app,components,lib,services,store}/**/*.{ts,tsx}',
  '--coverage.exclude=lib/content/generated/**',
  ...process.argv.slice(2),
];
const code = await run(process.execPath, args, { env: { MENDARA_COVERAGE: '1' } });
// What was gone through is told of a run with a failed test as well; one that could not begin wrote nothing.
if (!existsSync(`${folder}/coverage-summary.json`)) process.exit(code || 1);
const { lines, below } = coverageTable(
  coverageByFolder(JSON.parse(readFileSync(`${folder}/coverage-summary.json`, 'utf8'))),
);
console.log(`\n${lines.join('\n')}`);
if (below.length > 0) console.error(`Below its floor: ${below.join(', ')}.`);
process.exit(below.length > 0 ? 1 : code);
