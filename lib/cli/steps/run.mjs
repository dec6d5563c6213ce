import { spawn } from 'node:child_process';

/**
 * Runs a program with this terminal's output and waits for it.
 *
 * @param {string} command program
 * @param {string[]} args its arguments
 * @param {{ env?: Record<string, string | undefined>, cwd?: string, quiet?: boolean }} [options] `quiet` keeps the output back unless it fails
 * @returns {Promise<number>} the exit code, 1 when it could not be started
 */
export function run(command, args, { env = {}, cwd = process.cwd(), quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    const kept = [];
    child.stdout?.on('data', (chunk) => kept.push(chunk));
    child.stderr?.on('data', (chunk) => kept.push(chunk));
    const stop = (signal) => child.kill(signal);
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    const finish = (code) => {
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
      if (quiet && code !== 0) process.stderr.write(Buffer.concat(kept));
      resolve(code);
    };
    child.once('error', () => finish(1));
    child.once('close', (code) => finish(code ?? 1));
  });
}

/**
 * Runs a program and reads what it prints; its errors go to this terminal's.
 *
 * @param {string} command program
 * @param {string[]} args its arguments
 * @returns {Promise<{ code: number, text: string }>} the exit code, 1 when it could not be started, and its output
 */
export function outputOf(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    const finish = (code) => resolve({ code, text: Buffer.concat(chunks).toString('utf8') });
    child.once('error', () => finish(1));
    child.once('close', (code) => finish(code ?? 1));
  });
}
