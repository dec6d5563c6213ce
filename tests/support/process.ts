import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A whole Mendara of its own: port, data folder, output. */
export type Site = {
  url: string;
  process: ChildProcess;
  output: () => string;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

/** A data folder that is removed with {@link removeFolder}. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'mendara-test-'));
}

/** Removes a folder of {@link newFolder}. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

const running = new Set<ChildProcess>();

/** Ends every site that a test left running, as after a failure. */
export function stopAllSites(): void {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
}

/** Starts `npm start`'s program on the build that the tests made; `within` is a program that runs it, such as one that mounts a disk first. */
export function startSite(
  port: number,
  dataDir: string,
  env: Record<string, string> = {},
  within: readonly string[] = [],
): Site {
  const [program = '', ...args] = [...within, process.execPath, 'lib/cli/start.mjs'];
  const child = spawn(program, args, {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      NEXT_DIST_DIR: process.env.NEXT_DIST_DIR ?? '.next-test',
      RATE_LIMITS: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  return { url: `http://localhost:${port}`, process: child, output: () => Buffer.concat(chunks).toString(), exited };
}

/** Waits until the site answers; fails when its process ends first. */
export async function untilUp(site: Site, timeoutMs = 60_000): Promise<number> {
  const start = Date.now();
  while (Date.now() - start < timeoutMs) {
    if (site.process.exitCode !== null) throw new Error(`The site ended: ${site.output()}`);
    try {
      if ((await fetch(`${site.url}/api/v1/health`)).ok) return Date.now() - start;
    } catch {
      // Not up yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The site did not come up: ${site.output()}`);
}
