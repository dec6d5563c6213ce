import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Supervised, start } from '../../lib/repair/host/processes';
import { harbour, onePage, pdfOf } from './support/pdfwriter';
import { runningWith, survivorsOf } from './support/survivors';
import { videos } from './support/videos';

/** `SURVIVORS=200,20` counts after 200 repairs and 20 kills; a short share of that without. */
const [repairs = 8, kills = 3] = (process.env.SURVIVORS ?? '').split(',').filter(Boolean).map(Number);

let folder = '';
const parents = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mendara-processes-'));
});
afterEach(() => {
  for (const parent of parents) parent.kill('SIGKILL');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('a process under supervision', () => {
  const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
  /** Runs `script`, which finds in `grandchild(mark)` a way to start a process that only SIGKILL ends. */
  function run(mark: string, script: string, options?: Parameters<typeof start>[3]): Supervised {
    const grandchild = `const grandchild = () => require('node:child_process').spawn(process.execPath,
      ['-e', ${JSON.stringify(stubborn)}, ${JSON.stringify(mark)}], { stdio: 'ignore' });`;
    return start('repair', process.execPath, ['-e', `${grandchild}\n${script}`, mark], options);
  }
  /** Waits until both are seen, or the first is at its end, as on a machine that is too busy to look meanwhile. */
  const untilBoth = async (mark: string, child: Supervised) => {
    let isOver = false;
    void child.done.then(() => {
      isOver = true;
    });
    while (!isOver && runningWith(mark).length < 2) await pause(20);
  };

  it('tells its end, and takes what it started along: on success, failure and crash', async () => {
    for (const [name, script, end] of [
      ['success', 'process.exit(0)', { code: 0, killedBy: null, reason: 'itself' }],
      ['failure', 'process.exit(7)', { code: 7, killedBy: null, reason: 'itself' }],
      ['crash', "process.kill(process.pid, 'SIGSEGV')", { code: null, killedBy: 'SIGSEGV', reason: 'itself' }],
    ] as const) {
      const mark = join(folder, name);
      // It ends once it has been seen with what it started.
      const seen = JSON.stringify(`${mark} seen`);
      const child = run(
        mark,
        `grandchild(); setInterval(() => { if (require('node:fs').existsSync(${seen})) { ${script} } }, 20)`,
      );
      await untilBoth(mark, child);
      await writeFile(`${mark} seen`, '');
      expect(await child.done).toMatchObject(end);
      expect(await survivorsOf(mark)).toEqual([]);
    }
  });

  it('is ended by its time, by a signal and by hand, also when it does not want to', async () => {
    const mark = join(folder, 'stubborn');
    const slow = run(mark, `grandchild(); ${stubborn}`, { milliseconds: 1500 });
    await untilBoth(mark, slow);
    expect(await slow.done).toMatchObject({ reason: 'time' });
    expect(await survivorsOf(mark)).toEqual([]);
    const controller = new AbortController();
    const aborted = run(mark, `grandchild(); ${stubborn}`, { signal: controller.signal });
    await untilBoth(mark, aborted);
    controller.abort();
    expect(await aborted.done).toMatchObject({ reason: 'aborted' });
    expect(await survivorsOf(mark)).toEqual([]);
    const killed = run(mark, `grandchild(); ${stubborn}`);
    await untilBoth(mark, killed);
    killed.kill();
    expect(await killed.done).toMatchObject({ reason: 'killed' });
    expect(await survivorsOf(mark)).toEqual([]);
  });

  it('says that it could not be started', async () => {
    const child = start('decoder', join(folder, 'no such program'), []);
    const end = await child.done;
    expect(end.code).not.toBe(0);
    expect(end.reason === 'error' || end.code === 127).toBe(true);
  });

  it('sees none of our environment but where programs lie', async () => {
    process.env.MENDARA_TEST_SECRET = 'secret';
    const child = start('probe', process.execPath, ['-p', 'JSON.stringify(process.env)'], { env: { OWN: 'yes' } });
    let out = '';
    child.output?.on('data', (chunk) => {
      out += chunk;
    });
    await child.done;
    delete process.env.MENDARA_TEST_SECRET;
    expect(JSON.parse(out)).toMatchObject({ OWN: 'yes', PATH: process.env.PATH, NODE_ENV: 'production' });
    expect(out).not.toContain('secret');
    expect(Object.keys(JSON.parse(out)).length).toBeLessThan(15);
  });
});

describe('the engine’s processes', () => {
  let bundles = '';
  let files: string[] = [];
  beforeAll(async () => {
    bundles = await mkdtemp(join(process.cwd(), 'node_modules', '.cache-processes-'));
    // As a build's folder, so that root's repairs can run as somebody else.
    await chmod(bundles, 0o755);
    const step = new URL('../../lib/cli/steps/build.mjs', import.meta.url).pathname;
    const { bundleServerCode } = (await import(step)) as {
      bundleServerCode: (to: string, more?: Record<string, string>) => Promise<void>;
    };
    await bundleServerCode(bundles, { parent: 'tests/repair/support/parent.ts' });
    const samples = {
      'no-page.pdf': pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']),
      'own-parent.pdf': pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1/Parent 2 0 R>>']),
      'letter.pdf': Buffer.concat([Buffer.from('junk before\n'), pdfOf(onePage(harbour))]),
      'film.mp4': videos.mp4,
    };
    files = Object.keys(samples).map((name) => join(folder, name));
    await Promise.all(Object.entries(samples).map(([name, bytes]) => writeFile(join(folder, name), bytes)));
  });
  afterAll(() => rm(bundles, { recursive: true, force: true }));

  async function parentOf(mode: string, count: number) {
    const output = join(folder, `output-${parents.size}`);
    await mkdir(output, { recursive: true });
    const program = [join(bundles, 'parent.mjs'), mode, bundles, output, String(count), ...files];
    const parent = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
    parents.add(parent);
    let out = '';
    parent.stdout.on('data', (chunk: Buffer) => {
      out += chunk;
    });
    const ended = new Promise((resolve) => parent.once('close', resolve));
    return { parent, ended, out: () => out };
  }

  const modes = ['auto', 'off'] as const;
  it.each(modes)(`leave nobody behind after ${repairs} repairs, sandbox %s`, { timeout: 600_000 }, async (mode) => {
    const { ended, out } = await parentOf(mode, repairs);
    expect(await ended).toBe(0);
    expect(out().trim().split('\n')).toEqual(Array.from({ length: repairs }, () => '0'));
    expect(await survivorsOf(bundles)).toEqual([]);
  });

  it.each(modes)(`leave nobody behind when killed ${kills} times, sandbox %s`, { timeout: 600_000 }, async (mode) => {
    for (let kill = 0; kill < kills; kill++) {
      const { parent, ended } = await parentOf(mode, 1000);
      while (parent.exitCode === null && runningWith('repair-child.mjs', bundles).length < 1) await pause(10);
      // Between the first moments of the first process and the middle of the second repair.
      await pause((kill / kills) * 900);
      parent.kill('SIGKILL');
      await ended;
      expect(await survivorsOf(bundles), `killed the ${kill + 1}th time`).toEqual([]);
    }
  });

  it('end when their parent was gone before they listened', async () => {
    for (const name of ['pdf-child.mjs', 'repair-child.mjs', 'media-child.mjs']) {
      const messages = name === 'pdf-child.mjs';
      const child = spawn(process.execPath, [join(bundles, name)], {
        stdio: messages ? ['ignore', 'ignore', 'ignore', 'ipc'] : ['pipe', 'ignore', 'ignore'],
      });
      parents.add(child);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (messages) child.disconnect();
      else child.stdin?.destroy();
      await ended;
    }
    expect(await survivorsOf(bundles)).toEqual([]);
  });
});

it('all start in one place', () => {
  const starters = readdirSync('lib', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name))
    .filter((name) => /['"](node:)?child_process['"]/.test(readFileSync(join('lib', name), 'utf8')))
    .map((name) => name.replaceAll('\\', '/'));
  // The steps of npm's commands run before anything is installed or built, and start npm and the build only.
  expect(starters.filter((name) => !name.startsWith('repair/host/processes/'))).toEqual(['cli/steps/run.mjs']);
});
