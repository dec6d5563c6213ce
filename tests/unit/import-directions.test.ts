import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

/** Wrong imports, one for each direction that the architecture forbids: where, and what. */
const wrong = [
  ['app/(site)/lint-probe.ts', '../../lib/server/env'],
  ['app/(app)/lint-probe.ts', '../../services/http'],
  ['app/api/lint-probe.ts', '../../lib/repair'],
  ['components/ui/lint-probe.ts', '../../store/toasts'],
  ['components/sections/lint-probe.ts', '../../services/http'],
  ['components/layout/lint-probe.ts', '../../store/toasts'],
  ['components/actions/lint-probe.ts', '../sections/render-sections'],
  ['components/repair/lint-probe.ts', '../../lib/repair'],
  ['components/account/lint-probe.ts', 'axios'],
  ['store/lint-probe.ts', '../components/ui/cx'],
  ['services/lint-probe.ts', '../store/toasts'],
  ['lib/server/lint-probe.ts', '../../services/http'],
  ['lib/repair/lint-probe.ts', '../contract/repair'],
  ['lib/content/lint-probe.ts', '../server/env'],
  ['lib/catalog/lint-probe.ts', '@/lib/server/env'],
] as const;

const probe = (path: string, source: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `export * from '${source}';\n`);
};
const lint = (paths: readonly string[]) =>
  spawnSync(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'lint', '--max-diagnostics=100', ...paths], {
    encoding: 'utf8',
  });

describe('import directions', () => {
  afterEach(() => {
    for (const [path] of wrong) rmSync(path, { force: true });
  });

  it('are enforced: every wrong import is a lint error', () => {
    for (const [path, source] of wrong) probe(path, source);
    const { stdout, stderr, status } = lint(wrong.map(([path]) => path));
    expect(status).not.toBe(0);
    const output = stdout + stderr;
    const missed = wrong.filter(([path]) => !output.includes(`${path}:1:15 lint/style/noRestrictedImports`));
    expect(missed).toEqual([]);
  }, 60_000);
});
