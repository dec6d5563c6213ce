import { spawnSync } from 'node:child_process';
import { chmod, link, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, Workplace } from '../../lib/repair/host/processes/sandbox';
import { packages } from '../../lib/repair/host/processes/sandbox/layout';
import type { Answer, Ask } from './support/hostile-driver';

let bundles = '';
let folder = '';

beforeAll(async () => {
  bundles = await mkdtemp(join(process.cwd(), 'node_modules', '.cache-sandbox-'));
  folder = await mkdtemp(join(tmpdir(), 'mendara-sandbox-'));
  const step = new URL('../../lib/cli/steps/build.mjs', import.meta.url).pathname;
  const { bundleServerCode } = (await import(step)) as {
    bundleServerCode: (to: string, more?: Record<string, string>) => Promise<void>;
  };
  await bundleServerCode(bundles, {
    hostile: 'tests/repair/support/hostile-child.ts',
    driver: 'tests/repair/support/hostile-driver.ts',
  });
  await chmod(bundles, 0o755);
  await chmod(folder, 0o777);
});
afterAll(async () => {
  await rm(bundles, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

/** Somebody without any power on this machine. */
const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'];
const isRoot = process.getuid?.() === 0;

/** Runs the driver as we are, or as nobody when we are root; a sentence when that cannot be done here. */
async function drive(ask: Pick<Ask, 'mode' | 'only'>, who: 'ourselves' | 'nobody'): Promise<Answer> {
  const own = join(folder, `${ask.only ?? 'none'}-${who}`);
  const command = [process.execPath, join(bundles, 'driver.mjs'), JSON.stringify({ ...ask, bundles, folder: own })];
  if (who === 'nobody' && !isRoot) return { refused: 'only root can become nobody' };
  const [program = '', ...args] = who === 'nobody' ? [...nobody, ...command] : command;
  const { stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', STRIPE_SECRET_KEY: 'sk_secret' },
  });
  return stdout ? (JSON.parse(stdout) as Answer) : { refused: error?.message ?? stderr.slice(0, 300) };
}

/** What came of the attempts of one kind. */
const matching = (outcome: Record<string, string>, kind: string) =>
  Object.fromEntries(Object.entries(outcome).filter(([name]) => name.startsWith(kind)));

describe.each(['bwrap', 'unshare'] as const)('a hostile repair shut in by %s', (only) => {
  it.for(['ourselves', 'nobody'] as const)('as %s reaches nothing', { timeout: 300_000 }, async (who, { skip }) => {
    const answer = await drive({ mode: 'require', only }, who);
    // Where the kernel or the tools do not allow it, the run says why.
    if ('refused' in answer) return skip(answer.refused);
    const { outcome, paths, missing, connections, published } = answer;
    expect(answer.isolation).toBe(only);
    expect(published).toBe('mended, 0 left');
    expect(outcome.output).toBe('done');
    const { 'read /in/file': input, ...reads } = matching(outcome, 'read ');
    expect(input).toBe('done');
    expect(Object.keys(reads)).toContain(`read ${paths.secrets}`);
    expect(new Set(Object.values(reads))).toEqual(new Set(['ENOENT']));
    const { 'list /': root, ...lists } = matching(outcome, 'list ');
    expect(root).toBe('done');
    expect(Object.values(lists)).not.toContain('done');
    expect(Object.values(matching(outcome, 'write '))).toHaveLength(6);
    expect(Object.values(matching(outcome, 'write '))).not.toContain('done');
    expect(outcome.connect).not.toBe('done');
    expect(connections).toBe(0);
    expect(outcome.signal).toBe('ESRCH');
    expect(outcome.environment).not.toMatch(/SECRET|PATH/);
    if (!missing.includes('file size limit')) expect(outcome.fill).toBe('EFBIG');
    if (!missing.includes('process limit')) expect(outcome.fork).not.toBe('done');
  });
});

it('a hostile repair that is not shut in reaches all of it, so that what is tested above can fail', async () => {
  const answer = await drive({ mode: 'off' }, 'ourselves');
  if ('refused' in answer) throw new Error(answer.refused);
  const { outcome, paths, connections, published, missing } = answer;
  for (const path of [paths.secrets, paths.other, paths.database]) expect(outcome[`read ${path}`]).toBe('done');
  expect(outcome.connect).toBe('done');
  expect(connections).toBe(1);
  expect(outcome.signal).toBe('done');
  expect(published).toBe('mended, 0 left');
  expect(outcome.environment).not.toMatch(/SECRET/);
  expect(missing).toEqual(expect.arrayContaining(['files', 'network', 'processes', 'users', 'process limit']));
});

describe('the sandbox', () => {
  it('is refused in a sentence where it is required and cannot be had, and told where it is not', async () => {
    const options = { bundles: folder, workFolder: join(folder, 'work') };
    await expect(openSandbox({ mode: 'require', ...options })).rejects.toThrow(/cannot shut repairs in: .+\.$/);
    const without = await openSandbox({ mode: 'auto', ...options });
    expect(without.isolation).toBe('none');
    expect(without.missing).toEqual(expect.arrayContaining(['files', 'network', 'processes', 'users']));
    expect(without.reasons.join()).not.toBe('');
    expect((await openSandbox({ mode: 'off', ...options })).reasons).toEqual(['switched off']);
  });

  it('shows every package that the programs of a repair import', async () => {
    const entryPoints = ['repair-child', 'pdf-child', 'media-child', 'sandbox-probe'].map(
      (name) => `lib/cli/${name}.ts`,
    );
    const { metafile } = await build({
      entryPoints,
      outdir: folder,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      metafile: true,
      write: false,
    });
    const imported = Object.values(metafile.inputs)
      .flatMap(({ imports }) => imports)
      .filter(({ external, path }) => external && !path.startsWith('node:'))
      .map(({ path }) =>
        path
          .split('/')
          .slice(0, path.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    expect(imported.length).toBeGreaterThan(5);
    for (const name of new Set(imported)) expect(packages).toContain(name);
  });

  it('hands out a plain file only, as a link would lead to what the repair could not see', async () => {
    const secret = join(folder, 'secret');
    await writeFile(secret, 'private');
    const place = await Workplace.make(join(folder, 'work'), null);
    const published = join(folder, 'published');
    expect(await place.publish(published)).toBe(false);
    await symlink(secret, place.result);
    await expect(place.publish(published)).rejects.toThrow(/something else than a file/);
    await rm(place.result);
    await link(secret, place.result);
    await expect(place.publish(published)).rejects.toThrow(/something else than a file/);
    await place.remove();
  });
});
