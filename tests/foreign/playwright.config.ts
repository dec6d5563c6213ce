import { defineConfig } from '@playwright/test';
import base from '../../playwright.config';

const { webServer: _none, projects: _others, ...rest } = base;

/** The site against a product API on another origin: two processes of their own, the site's build pointing at the API. */
export default defineConfig({
  ...rest,
  testDir: '.',
  globalSetup: './build.ts',
  outputDir: '../../test-results/foreign',
  reporter: [['list'], ['json', { outputFile: '../../test-results/foreign.json' }]],
  workers: 1,
});
