// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { lastLines, playwrightOutcome, vitestOutcome } from '@/lib/cli/steps/outcome.mjs';

const vitest = vitestOutcome(
  {
    numPassedTests: 7,
    numFailedTests: 0,
    testResults: [
      { name: '/here/tests/a.test.ts', assertionResults: [{ status: 'passed' }, { status: 'skipped' }] },
      { name: '/here/tests/b.test.ts', assertionResults: [{ status: 'pending' }, { status: 'pending' }] },
    ],
  },
  '/here',
);
const playwright = playwrightOutcome({
  stats: { expected: 3, flaky: 1, unexpected: 0, skipped: 1 },
  suites: [
    {
      file: 'buy.spec.ts',
      specs: [{ title: 'buys', tests: [{ status: 'flaky' }] }],
      suites: [{ specs: [{ title: 'pays', tests: [{ status: 'expected' }, { status: 'skipped' }] }] }],
    },
  ],
});

describe('the last lines of the gate', () => {
  it('count what passed, failed, was skipped and tried twice, and name the last two', () => {
    expect(lastLines([vitest, playwright])).toEqual([
      'Skipped: tests/a.test.ts',
      'Skipped: tests/b.test.ts (2)',
      'Skipped: buy.spec.ts',
      'Passed at the second try only, to be mended: buy.spec.ts: buys',
      '11 passed, 0 failed, 4 skipped, 1 retry',
    ]);
  });

  it('are one where all went well', () => {
    expect(lastLines([{ passed: 2, failed: 0, skipped: [], retried: [] }])).toEqual([
      '2 passed, 0 failed, 0 skipped, 0 retries',
    ]);
  });
});
