// `npm run e2e`: builds what the tests in a browser need, finds a browser and runs them. Arguments go to Playwright: a file, -g "part of a name".
import { buildWhenNeeded } from './steps/build.mjs';
import { installDependencies } from './steps/install.mjs';
import { requireNode } from './steps/node-version.mjs';
import { run } from './steps/run.mjs';

requireNode();
await installDependencies();
process.env.NEXT_DIST_DIR ||= '.next-test';
await buildWhenNeeded(process.env.NEXT_DIST_DIR);
if (!process.env.MENDARA_BROWSER) {
  const { findBrowser } = await import('./steps/browser.mjs');
  const browser = await findBrowser();
  if (!browser) {
    console.error('No Chromium could be found or installed for the end-to-end tests.');
    process.exit(1);
  }
  process.env.MENDARA_BROWSER = browser;
}
process.exit(await run(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', ...process.argv.slice(2)]));
