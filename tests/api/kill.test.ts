import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleServerCode } from '@/lib/cli/steps/build.mjs';

/** Bundles lie inside the project, so that they find its packages. */
const bundles = fs.mkdtempSync(path.resolve('node_modules', '.mendara-test-'));
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-kill-'));
const running = new Set<ChildProcess>();

beforeAll(async () => {
  await bundleServerCode(bundles, { runtime: 'tests/api/harness/runtime-process.ts' });
});

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of [bundles, dataDir]) fs.rmSync(folder, { recursive: true, force: true });
});

type Said = { status: string | null; child: number | null };

function start(...args: string[]) {
  const child = spawn(process.execPath, [path.join(bundles, 'runtime.mjs'), ...args], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      MENDARA_BUNDLE_DIR: path.resolve('tests/api/harness/bundle'),
      PORT: '0',
      // The engine's stand-in leaves marks beside its input, which no repair that is shut in could do.
      REPAIR_SANDBOX: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    child,
    ended,
    errors: () => errors,
    async until(isDone: (said: Said) => boolean): Promise<Said> {
      for (let tries = 0; tries < 500; tries += 1) {
        const line = out.trim().split('\n').at(-1);
        const said = line ? (JSON.parse(line) as Said) : null;
        if (said && isDone(said)) return said;
        if (child.exitCode !== null) throw new Error(`It ended: ${errors}`);
        await pause(100);
      }
      throw new Error(`It took too long: ${errors}`);
    },
  };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that ended but was not waited for is a zombie, which is as good as gone.
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('kill -9 in the middle of a repair', () => {
  it('loses nothing: after a restart the repair ends, and a second process was refused meanwhile', async () => {
    const first = start('make');
    const { child } = await first.until((said) => said.status === 'running' && said.child !== null);
    const second = start();
    first.child.kill('SIGKILL');
    await first.ended;
    // The second waited for the directory, took over the lock that was left, and goes on at once.
    await second.until((said) => said.status === 'success');
    expect(isAlive(child ?? 0)).toBe(false);
    expect(fs.readdirSync(path.join(dataDir, 'results'))).toHaveLength(1);

    const third = start();
    expect(await third.ended).toBe(1);
    expect(third.errors()).toContain(`in use by another process (pid ${second.child.pid})`);
    expect(third.errors()).toContain(dataDir);
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    // It ended in order: its lock is given back.
    expect(fs.existsSync(path.join(dataDir, 'database', 'lock'))).toBe(false);
    // Three starts with a database each, and waits for a lock: a busy machine takes its time.
  }, 240_000);
});

describe('the repair process', () => {
  function repair(job: object) {
    const child = spawn(process.execPath, [path.join(bundles, 'repair-child.mjs')], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    running.add(child);
    child.stdin.write(`${JSON.stringify(job)}\n`);
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { child, ended, out: () => out };
  }

  it('answers the engine’s report and ends', async () => {
    const inputPath = path.join(dataDir, 'input.pdf');
    fs.writeFileSync(inputPath, 'this is no document at all');
    const run = repair({ inputPath, outputPath: path.join(dataDir, 'output.pdf'), fileName: 'input.pdf', type: 18 });
    expect(await run.ended).toBe(0);
    expect(JSON.parse(run.out())).toMatchObject({ report: { verdict: 'unrepairable', input: { bytes: 26 } } });
  });

  it('ends with its parent', async () => {
    const run = repair({});
    run.child.stdin.destroy();
    expect(await run.ended).not.toBe(null);
  });
});
