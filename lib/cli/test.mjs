// `npm test`: installs what the tests need and runs the whole gate. Plain Node until the dependencies are in.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeContentIndex } from './steps/content-index.mjs';
import { installDependencies } from './steps/install.mjs';
import { requireNode } from './steps/node-version.mjs';
import { notFound } from './steps/not-found.mjs';
import { lastLines, playwrightOutcome, vitestOutcome } from './steps/outcome.mjs';
import { run } from './steps/run.mjs';

const bin = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/@playwright/test/cli.js',
};
const results = 'test-results';
const distDir = '.next-test';
/** What each runner said, in the order in which they ran. */
const outcomes = [];

/** Runs one step of the gate and says how long it took; its exit code. */
async function attempt(name, args, options = {}) {
  const start = Date.now();
  console.log(`\n— ${name}`);
  const code = await run(process.execPath, args, options);
  console.log(`  ${name}: ${code === 0 ? 'good' : 'FAILED'} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  if (options.after) options.after();
  return code;
}

/** Ends everything when one of these steps failed, once all of them are done. */
async function expectAll(...attempts) {
  const codes = await Promise.all(attempts);
  if (codes.some((code) => code !== 0)) finish(1);
}

const step = (...what) => expectAll(attempt(...what));

function finish(code) {
  // A step without tests that failed is a failure all the same.
  if (code !== 0 && outcomes.every(({ failed }) => failed === 0))
    outcomes.push({ passed: 0, failed: 1, skipped: [], retried: [] });
  console.log(`\n${lastLines(outcomes).join('\n')}`);
  for (const line of notFound()) console.log(line);
  process.exit(code);
}

/** Reads what a runner wrote, when it is done; one that could not begin wrote nothing. */
const readOutcome = (name, outcomeOf) => () => {
  const file = `${results}/${name}.json`;
  if (existsSync(file)) outcomes.push(outcomeOf(JSON.parse(readFileSync(file, 'utf8'))));
};

requireNode();
await installDependencies();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
process.env.NEXT_DIST_DIR = distDir;

// The type check, the linter and the tests read it, before there is a build.
writeContentIndex();
// What an earlier build wrote names routes that may be gone by now.
for (const folder of readdirSync('.').filter((name) => /^\.next(-|$)/.test(name))) {
  for (const types of ['types', 'dev/types']) rmSync(`${folder}/${types}`, { recursive: true, force: true });
}
const typegen = ['node_modules/next/dist/bin/next', 'typegen'];
await step('route types', typegen, { quiet: true });
// These four read and write nothing of each other's; each prints what it has to say only when it fails.
await expectAll(
  attempt('types', [bin.tsc, '--noEmit', '-p', '.'], { quiet: true }),
  attempt('lint and format', [bin.biome, 'check', '--error-on-warnings', '.'], { quiet: true }),
  attempt('import directions', ['lib/cli/check-imports.mjs'], { quiet: true }),
  attempt('unused exports and packages', ['lib/cli/check-unused.mjs'], { quiet: true }),
);
await step(
  'unit, API, contract and repair tests',
  [bin.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}/vitest.json`],
  { after: readOutcome('vitest', vitestOutcome) },
);
await step('build', ['lib/cli/build.mjs']);
const { findBrowser } = await import('./steps/browser.mjs');
const browser = await findBrowser();
if (!browser) {
  console.error('No Chromium could be found or installed for the end-to-end tests.');
  finish(1);
}
const env = { MENDARA_BROWSER: browser };
// The second has a build and ports of its own, and is short; it prints what it has to say only when it fails.
await expectAll(
  attempt('end-to-end tests', [bin.playwright, 'test'], { env, after: readOutcome('playwright', playwrightOutcome) }),
  attempt(
    'the site against another product API',
    [bin.playwright, 'test', '--config', 'tests/foreign/playwright.config.ts'],
    { env, quiet: true, after: readOutcome('foreign', playwrightOutcome) },
  ),
);
// A hole that became known overnight is nothing that a change did: it is told here, and fails `npm run check:holes`.
await run(process.execPath, ['lib/cli/known-holes.mjs']);
finish(0);
