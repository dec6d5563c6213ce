import 'server-only';
import path from 'node:path';
import { openSandbox, type Sandbox } from '../../repair/host/processes/sandbox';
import { logSecurity } from '../base/log';
import { startError } from '../base/start-error';
import type { Env } from '../config/env';

/** Where the process keeps what it found out, by the settings: the routes' bundle and the server's share it. */
const slot = Symbol.for('mendara.sandbox');
const shared = globalThis as { [slot]?: Map<string, Promise<Sandbox>> };

/** How this process shuts repairs in; tried out at the first call. Throws a `StartError` when REPAIR_SANDBOX=require finds no way. */
export function repairSandbox(env: Env): Promise<Sandbox> {
  shared[slot] ??= new Map();
  const known = shared[slot];
  const settings = settingsOf(env);
  const found = known.get(settings) ?? open(env);
  known.set(settings, found);
  found.catch(() => known.delete(settings));
  return found;
}

/** How repairs are shut in, for whoever watches the server; null in a process that repairs nothing. */
export async function sandboxState(env: Env): Promise<Pick<Sandbox, 'isolation' | 'missing'> | null> {
  const sandbox = await shared[slot]?.get(settingsOf(env))?.catch(() => null);
  return sandbox ? { isolation: sandbox.isolation, missing: sandbox.missing } : null;
}

function settingsOf(env: Env): string {
  return JSON.stringify([env.REPAIR_SANDBOX, env.REPAIR_FFMPEG, bundleDirectory()]);
}

async function open(env: Env): Promise<Sandbox> {
  try {
    return await openSandbox({
      mode: env.REPAIR_SANDBOX,
      bundles: bundleDirectory(),
      workFolder: workFolder(env.DATA_DIR),
      decoder: env.REPAIR_FFMPEG,
    });
  } catch (error) {
    logSecurity('sandbox', 'refused', { mode: env.REPAIR_SANDBOX });
    throw startError(`No repair is started, as REPAIR_SANDBOX=require asks for walls. ${(error as Error).message}`);
  }
}

/** The same in a line for the person who starts the server. */
export function describeSandbox({ isolation, missing, reasons, decoder }: Sandbox, env: Env): string {
  const parts =
    isolation === 'none'
      ? [
          `Repairs: not shut in (${reasons.join('; ')})`,
          `what a hostile file may reach or lacks a limit: ${missing.join(', ')}`,
        ]
      : [`Repairs: shut in by ${isolation}`, ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : [])];
  if (env.REPAIR_FFMPEG && !decoder) parts.push('REPAIR_FFMPEG does not run there, ffmpeg in WebAssembly does');
  return parts.join('; ');
}

/** Where repairs write before their result is published. */
export function workFolder(dataDir: string): string {
  return path.join(/* turbopackIgnore: true */ dataDir, 'work');
}

/** Where the build puts the bundles that run outside Next. */
export function bundleDirectory(): string {
  return path.resolve(
    /* turbopackIgnore: true */ process.env.MENDARA_BUNDLE_DIR || path.join(process.cwd(), '.next', 'bundle'),
  );
}
