import 'server-only';
import path from 'node:path';
import { z } from 'zod';
import type { ToolType } from '../../contract/repair';
import { start } from '../../repair/host/processes';
import { reportSchema } from '../../repair/report/schema';
import type { Env } from '../env';

/** One repair for the child process: absolute paths, the tool's type and the original name. */
export type RepairJob = {
  inputPath: string;
  outputPath: string;
  samplePath?: string | undefined;
  fileName: string;
  type: ToolType;
};

/** How a child ended: with the engine's report, over its time, over its memory, or unforeseen. */
export type RepairEnd =
  | { kind: 'report'; report: z.output<typeof reportSchema> }
  | { kind: 'timeout' }
  | { kind: 'memory' }
  | { kind: 'crash'; detail: string };

/** Room beside the heap: the program itself, buffers, WebAssembly. */
const NATIVE_HEADROOM_MB = 768;
const STDOUT_LIMIT = 8 * 2 ** 20;

const message = z.object({ report: reportSchema });

/**
 * Runs the engine on one file in a process of its own, with as little environment as it needs, a heap limit, a limit on
 * its memory in all (where prlimit exists) and on its time. Rejects when `signal` ends it.
 */
export async function spawnRepair(env: Env, job: RepairJob, signal: AbortSignal): Promise<RepairEnd> {
  const script = path.join(bundleDirectory(), 'repair-child.mjs');
  const child = start('repair', process.execPath, [`--max-old-space-size=${env.REPAIR_MEMORY_MB}`, script], {
    env: { MENDARA_HEAP_MB: String(env.REPAIR_MEMORY_MB), REPAIR_FFMPEG: env.REPAIR_FFMPEG },
    milliseconds: env.REPAIR_TIMEOUT_SECONDS * 1000,
    signal,
    limits: { memoryBytes: (env.REPAIR_MEMORY_MB + NATIVE_HEADROOM_MB) * 2 ** 20 },
  });
  let out = '';
  let said = '';
  child.output?.on('data', (chunk: Buffer) => {
    if (out.length < STDOUT_LIMIT) out += chunk.toString('utf8');
  });
  child.errors?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-4000);
  });
  // The pipe stays open while we live: its end tells the child that its parent is gone.
  child.input?.write(`${JSON.stringify(job)}\n`);
  const { code, killedBy, reason, error } = await child.done;
  if (error) throw error;
  signal.throwIfAborted();
  return reason === 'time' ? { kind: 'timeout' } : endOf(out, said, code, killedBy);
}

function endOf(out: string, said: string, code: number | null, killedBy: string | null): RepairEnd {
  if (code === 0) {
    try {
      return { kind: 'report', ...message.parse(JSON.parse(out)) };
    } catch {
      return { kind: 'crash', detail: 'The engine’s report could not be read.' };
    }
  }
  if (/out of memory|heap limit|ERR_WORKER_OUT_OF_MEMORY|Cannot allocate|Array buffer allocation failed/i.test(said)) {
    return { kind: 'memory' };
  }
  return { kind: 'crash', detail: `ended with ${killedBy ?? code}: ${said.slice(-500)}` };
}

/** Where the build puts the bundles that run outside Next. */
function bundleDirectory(): string {
  return process.env.MENDARA_BUNDLE_DIR || path.join(process.cwd(), '.next', 'bundle');
}
