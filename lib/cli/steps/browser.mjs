import { existsSync } from 'node:fs';
import { run } from './run.mjs';

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of Playwright's own Chromium if it has been downloaded. */
async function playwrightBrowser() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return path && existsSync(path) ? path : null;
}

/**
 * Finds a Chromium for the end-to-end tests: Playwright's own, else the system's, else a download by Playwright, else
 * Debian's package.
 *
 * @returns {Promise<string | null>} its path, null when none can be had
 */
export async function findBrowser() {
  const present = (await playwrightBrowser()) ?? systemBrowsers.find((path) => existsSync(path));
  if (present) return present;
  console.log('Installing a browser for the tests …');
  await run(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', '--with-deps', 'chromium'], {
    quiet: true,
  });
  const downloaded = await playwrightBrowser();
  if (downloaded) return downloaded;
  if (existsSync('/usr/bin/apt-get')) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { quiet: true, env });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { quiet: true, env });
  }
  return systemBrowsers.find((path) => existsSync(path)) ?? null;
}
