// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What a file of plain Node imports before it runs, from itself and from whatever it imports: packages, by who names them. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const imports = [...readFileSync(file, 'utf8').matchAll(/^import[^;]*?'([^']+)';/gm)].map(([, name = '']) => name);
  return imports.flatMap((name) => {
    if (name.startsWith('node:')) return [];
    return name.startsWith('.') ? packagesOf(resolve(dirname(file), name), seen) : [`${file}: ${name}`];
  });
}

describe('what npm runs on a fresh clone', () => {
  const commands = readdirSync('lib/cli').filter((name) => name.endsWith('.mjs'));
  const installs = commands.filter((name) =>
    readFileSync(`lib/cli/${name}`, 'utf8').match(/installDependencies\(\)|runBundled\(/),
  );

  it('is known: start, test, build and the tools', () => {
    expect(installs).toEqual(
      expect.arrayContaining([
        'build.mjs',
        'coverage.mjs',
        'e2e.mjs',
        'move.mjs',
        'repair.mjs',
        'start.mjs',
        'test.mjs',
        'tool.mjs',
      ]),
    );
  });

  it.each(installs)('%s imports no package before it has installed any', (name) => {
    expect(packagesOf(resolve('lib/cli', name))).toEqual([]);
  });
});
