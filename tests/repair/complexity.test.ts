import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { filesBelow } from '@/lib/cli/steps/fingerprint.mjs';

type Rules = { complexity?: Record<string, { level?: string; options?: object } | string> };
type Config = { linter: { rules: Rules }; overrides: { includes: string[]; linter?: { rules: Rules } }[] };

const config = JSON.parse(readFileSync('biome.json', 'utf8')) as Config;

it('no function anywhere is more complex than 25, and none but groups of tests longer than 80 lines', () => {
  expect(config.linter.rules.complexity).toMatchObject({
    noExcessiveCognitiveComplexity: { level: 'error', options: { maxAllowedComplexity: 25 } },
    noExcessiveLinesPerFunction: { level: 'error', options: { maxLines: 80 } },
  });
  const exempt = config.overrides.filter(({ linter }) => linter?.rules.complexity !== undefined);
  expect(exempt).toEqual([
    {
      includes: ['tests/**/*.test.ts', 'tests/**/*.test.tsx', 'tests/**/*.spec.ts'],
      linter: { rules: { complexity: { noExcessiveLinesPerFunction: 'off' } } },
    },
  ]);
});

it('no place asks the linter to look away from it', () => {
  const asking = ['app', 'components', 'lib', 'services', 'store', 'tests']
    .flatMap((folder) => [...filesBelow(folder)])
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.endsWith('complexity.test.ts'))
    .filter((path) => /biome-ignore lint\/complexity\/noExcessive/.test(readFileSync(path, 'utf8')));
  expect(asking).toEqual([]);
});
