import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleServerCode } from '@/lib/cli/steps/build.mjs';

/** Bundles lie inside the project, so that they find its packages. */
const bundles = fs.mkdtempSync(path.resolve('node_modules', '.mendara-test-'));
const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-start-'));
const dataDir = path.join(parent, 'data');

/** A file system of our own needs namespaces; where the kernel gives none, those trials are left out. */
const mayMount =
  spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', parent], { stdio: 'ignore' })
    .status === 0;

beforeAll(() => bundleServerCode(bundles, { runtime: 'tests/api/harness/runtime-process.ts' }));
afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));
afterAll(() => {
  for (const folder of [bundles, parent]) fs.rmSync(folder, { recursive: true, force: true });
});

/** Starts what the server starts with, and waits for its end. `mount` are options of a file system put over the data folder. */
function start(mount?: string, variables: Record<string, string> = {}) {
  const program = [process.execPath, path.join(bundles, 'runtime.mjs')];
  const inside = `mount -t tmpfs -o mode=700,${mount} tmpfs "$DATA_DIR" && exec "$@"`;
  const [command = '', ...args] = mount ? ['unshare', '-Urm', 'sh', '-c', inside, 'sh', ...program] : program;
  const { DATABASE_URL: _other, ...env } = process.env;
  const ended = spawnSync(command, args, {
    env: { ...env, DATA_DIR: dataDir, PORT: '0', REPAIR_SANDBOX: 'off', ...variables },
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { code: ended.status, said: `${ended.stderr}${ended.stdout}` };
}

/** One sentence or two, ending the process with 1, and nothing of where in the program it came from. */
function expectSentence({ code, said }: ReturnType<typeof start>, words: RegExp, advice: RegExp): void {
  expect(said).toMatch(words);
  expect(said).toMatch(advice);
  expect(said).not.toMatch(/\n\s+at |ENOSPC|EROFS|ENOTDIR|EEXIST/);
  expect(code).toBe(1);
}

describe('a start that can’t be says why and what to do', () => {
  it('when the data folder is a file, or below one', () => {
    fs.writeFileSync(dataDir, 'a file');
    expectSentence(start(), /must be a folder, but .*data is a file/, /Set it to a folder, or move the file away/);
    const below = start(undefined, { DATA_DIR: path.join(dataDir, 'below') });
    expectSentence(below, /is a file, or lies below one/, /Set DATA_DIR to a folder/);
    expect(fs.readFileSync(dataDir, 'utf8')).toBe('a file');
  });

  it('when the secrets are damaged', () => {
    fs.mkdirSync(dataDir);
    for (const text of ['{"paymentWebhook": "cut o', '{}', '']) {
      fs.writeFileSync(path.join(dataDir, 'secrets.json'), text);
      expectSentence(start(), /secrets\.json is damaged/, /Put it back from a backup, or remove it/);
      expect(fs.readFileSync(path.join(dataDir, 'secrets.json'), 'utf8')).toBe(text);
    }
  });

  it('when the database is damaged', { timeout: 300_000 }, () => {
    const cluster = path.join(dataDir, 'database', 'cluster');
    fs.mkdirSync(path.dirname(cluster), { recursive: true });
    const made = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        "const { PGlite } = await import('@electric-sql/pglite'); await (await PGlite.create(process.argv[1])).close();",
        cluster,
      ],
      { encoding: 'utf8' },
    );
    expect(made.stderr).toBe('');
    fs.writeFileSync(path.join(cluster, 'global', 'pg_control'), Buffer.alloc(100, 7));
    const began = start();
    expectSentence(
      began,
      /database in .*database is damaged and can’t be opened/,
      /Put it back from a backup \(npm run restore FILE\), or move/,
    );
    // The lock went with it: the next start says the same, and not that the data is in use.
    expect(start().said).toContain('is damaged');
  });

  it('as one JSON object where the log is one', () => {
    fs.writeFileSync(dataDir, 'a file');
    const { code, said } = start(undefined, { LOG_FORMAT: 'json' });
    expect(JSON.parse(said)).toMatchObject({
      level: 'error',
      event: 'start',
      words: expect.stringMatching(/is a file/),
    });
    expect(code).toBe(1);
  });

  it.runIf(mayMount)('when the disk is full, or nearly', () => {
    fs.mkdirSync(dataDir);
    expectSentence(start('size=8m'), /The disk of .*data is full/, /Make room on it, or set DATA_DIR/);
    expectSentence(start('size=1m,nr_inodes=1'), /The disk of .* is full/, /Make room/);
  });

  it.runIf(mayMount)('when the disk can only be read', () => {
    fs.mkdirSync(dataDir);
    expectSentence(start('ro'), /can only be read/, /Mount it for writing, or set DATA_DIR/);
  });
});
