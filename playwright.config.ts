import { defineConfig } from '@playwright/test';
import { writeContentIndex } from './lib/cli/steps/content-index.mjs';

// The list of routes that the tests walk through follows from the files of the content.
writeContentIndex();

const port = Number(process.env.MENDARA_TEST_PORT ?? 3217);

/** Tests of whole servers: starts, kills, nodes, attacks. */
const killed = /\/(process|nodes|attack)\.spec\.ts$/;

/** End to end, in a real browser, against the real embedded API on its own port and data folder. */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/e2e',
  // Patience for a busy machine; no test passes or fails by how long something takes.
  timeout: 360_000,
  expect: { timeout: 60_000 },
  // As many as the cores that it is measured on: a third browser makes all of them wait where those are slow.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  // A second try on a shared machine; a test that needed it is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  // The second kind starts servers of its own, kills and floods them, so it runs when no page is looked at.
  projects: [
    { name: 'browser', testIgnore: killed },
    { name: 'process', testMatch: killed, dependencies: ['browser'] },
  ],
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    actionTimeout: 60_000,
    navigationTimeout: 90_000,
    // Recording each test takes its time; one that needs a second try is recorded then, another by `--trace on`.
    trace: process.env.CI ? 'on-first-retry' : 'off',
    launchOptions: {
      ...(process.env.MENDARA_BROWSER ? { executablePath: process.env.MENDARA_BROWSER } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: 'node lib/cli/start.mjs',
    url: `http://localhost:${port}/api/v1/health`,
    timeout: 420_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 12_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    env: {
      PORT: String(port),
      DATA_DIR: `.data-test/${process.pid}`,
      NEXT_DIST_DIR: process.env.NEXT_DIST_DIR ?? '.next-test',
      RATE_LIMITS: 'off',
    },
  },
});
