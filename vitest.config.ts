import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { compiledEngine } from './lib/cli/steps/compiled-engine.mjs';
import { writeContentIndex } from './lib/cli/steps/content-index.mjs';

// Tests read the pages of the content by their index, which is written from the files.
writeContentIndex(fileURLToPath(new URL('.', import.meta.url)));

const root = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');
const alias = { '@': root };
const emptyModule = fileURLToPath(new URL('./lib/cli/steps/empty.mjs', import.meta.url));

/** Tests that run in plain Node, with `server-only` resolved as on a server. */
function nodeProject(
  name: string,
  timeoutMs: number,
  more: { isolate?: boolean; include?: string[]; exclude?: string[] } = {},
) {
  return {
    resolve: { alias: { ...alias, 'server-only': emptyModule } },
    test: {
      name,
      environment: 'node' as const,
      include: [`tests/${name}/**/*.test.ts`],
      testTimeout: timeoutMs,
      hookTimeout: timeoutMs,
      ...more,
    },
  };
}

/** Tests that make data folders. */
const onClusters = <P extends { test: object }>(project: P) => ({
  ...project,
  test: { ...project.test, globalSetup: ['tests/support/prepared-cluster.ts'] },
});

/** Tests of the engine as a program finds it that has just started: its modules are loaded anew between two of them. */
const anew = ['tests/repair/pdfreaders.test.ts'];

// Time-outs end what hangs; how long a test takes is the machine's affair.
export default defineConfig({
  test: {
    // One more than the cores that it is measured on: a test of a start, a kill or a lock waits.
    maxWorkers: 3,
    projects: [
      {
        plugins: [react()],
        // The build makes that sheet; tests of components need none.
        // Node takes the root of antd in its other format, and both kinds do not know of each other.
        resolve: { alias: { '@/styles/antd.css': emptyModule, 'antd/es': 'antd/lib', ...alias } },
        test: {
          name: 'unit',
          // A file of rules names node at its head: a browser's stand-in takes a second to start.
          environment: 'jsdom',
          environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
          include: ['tests/unit/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/support/unit-setup.ts'],
          // On a busy machine typing into a form letter by letter takes its time.
          testTimeout: 300_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      onClusters(nodeProject('api', 300_000)),
      onClusters(nodeProject('contract', 300_000)),
      // The engine keeps nothing between two files: each worker loads it once. What tests go through is counted in its sources.
      {
        plugins: process.env.MENDARA_COVERAGE ? [] : [compiledEngine(root)],
        ...nodeProject('repair', 900_000, { isolate: false, exclude: anew }),
      },
      nodeProject('repair-anew', 900_000, { include: anew }),
    ],
  },
});
