import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

type Override = {
  includes: string[];
  linter: { rules: { complexity?: { noExcessiveCognitiveComplexity?: string } } };
};

const isExemption = ({ linter }: Override) => linter.rules.complexity?.noExcessiveCognitiveComplexity === 'off';

it('only files with a function over the limit of complexity are exempt from it, none by a pattern', () => {
  const config = JSON.parse(readFileSync('biome.json', 'utf8')) as { overrides: Override[]; vcs: object };
  const exempt = config.overrides.filter(isExemption).flatMap(({ includes }) => includes);
  expect(exempt.filter((path) => /[*?!]/.test(path))).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'complexity-'));
  try {
    const overrides = config.overrides.filter((override) => !isExemption(override));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, overrides, vcs: { enabled: false } }));
    const complaints = exempt.length === 0 ? '' : lint(folder, exempt);
    expect(exempt.filter((path) => !complaints.includes(path))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);

/** What the linter says of files by the configuration in a folder; it ends with an error where it says anything. */
function lint(folder: string, files: readonly string[]): string {
  const options = ['lint', `--config-path=${folder}`, '--max-diagnostics=none', '--reporter=github', ...files];
  try {
    return execFileSync('node_modules/.bin/biome', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  }
}
