import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { ToolType } from '../../contract/tool-types';
import { type Sandbox, Workplace } from '../../repair/host/processes/sandbox';
import { reportSchema } from '../../repair/report/schema';
import type { Env } from '../config/env';
import { bundleDirectory, repairSandbox, workFolder } from './sandbox';

/** One repair for the child process: absolute paths, the tool's type and the original name. */
export type RepairJob = {
  inputPath: string;
  outputPath: string;
  samplePath?: string | undefined;
  fileName: string;
  type: ToolType;
  /** When it is ended at the latest. */
  seconds: number;
};

/**
 * How a child ended: with the engine's report, over its time, over its memory, for want of something that this machine lacks just now
 * (`machine`), or unforeseen.
 */
export type RepairEnd =
  | { kind: 'report'; report: z.output<typeof reportSchema> }
  | { kind: 'timeout' }
  | { kind: 'memory' }
  | { kind: 'machine'; detail: string }
  | { kind: 'crash'; detail: string };

/** Room beside the heap: the program itself, buffers, WebAssembly. */
const NATIVE_HEADROOM_MB = 768;
const STDOUT_LIMIT = 8 * 2 ** 20;

/** A repaired file may be larger than the damaged one, as packed pictures come back unpacked. */
const OUTPUT_BYTES_MIN = 2 ** 30;
const OUTPUT_PER_INPUT = 2;
/** A repair works in one thread; beside it libraries have theirs. */
const PROCESSORS = 2;
/** What a shell and bubblewrap make of a program that the kernel ended for taking too much processor time (128 + SIGXCPU). */
const CODE_OF_SIGXCPU = 152;

/** What the system says when room, descriptors or rights are missing: no fault of the file. */
const lacking = /\b(ENOSPC|EDQUOT|EMFILE|ENFILE|EROFS|EAGAIN)\b/;

const message = z.object({ report: reportSchema });

/**
 * Runs the engine on one file in a process of its own, shut in as far as this machine can, with limits on its heap, its private
 * memory, its output and its time. The result is moved to `outputPath`, in the scratch folder, when the process is gone. Rejects
 * when `signal` ends it.
 */
export async function spawnRepair(env: Env, job: RepairJob, signal: AbortSignal): Promise<RepairEnd> {
  try {
    return await spawnIn(await repairSandbox(env), env, job, signal);
  } catch (error) {
    // Walls that cannot be had, no room, no descriptors: another attempt may find them.
    const { code, name, message } = error as NodeJS.ErrnoException;
    if (name === 'StartError' || (code && lacking.test(code))) return { kind: 'machine', detail: message };
    throw error;
  }
}

async function spawnIn(sandbox: Sandbox, env: Env, job: RepairJob, signal: AbortSignal): Promise<RepairEnd> {
  const place = await Workplace.make(workFolder(env.DATA_DIR), sandbox.user);
  try {
    const end = await runIn(sandbox, place, env, job, signal);
    if (end.kind === 'report') await place.publish(job.outputPath);
    return end;
  } finally {
    await place.remove();
  }
}

async function runIn(
  sandbox: Sandbox,
  place: Workplace,
  env: Env,
  job: RepairJob,
  signal: AbortSignal,
): Promise<RepairEnd> {
  const script = path.join(bundleDirectory(), 'repair-child.mjs');
  const { size } = await fs.stat(job.inputPath);
  const { child, seen } = await sandbox.start(
    'repair',
    { input: job.inputPath, sample: job.samplePath, place },
    [`--max-old-space-size=${env.REPAIR_MEMORY_MB}`, script],
    {
      env: { MENDARA_HEAP_MB: String(env.REPAIR_MEMORY_MB), REPAIR_FFMPEG: sandbox.decoder },
      milliseconds: job.seconds * 1000,
      signal,
      limits: {
        memoryBytes: (env.REPAIR_MEMORY_MB + NATIVE_HEADROOM_MB) * 2 ** 20,
        cpuSeconds: job.seconds * PROCESSORS,
        fileBytes: Math.max(OUTPUT_BYTES_MIN, size * OUTPUT_PER_INPUT),
      },
    },
  );
  let out = '';
  let said = '';
  child.output?.on('data', (chunk: Buffer) => {
    if (out.length < STDOUT_LIMIT) out += chunk.toString('utf8');
  });
  child.errors?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-4000);
  });
  const { fileName, type } = job;
  const seenJob = { inputPath: seen.input, samplePath: seen.sample, outputPath: seen.output, fileName, type };
  // The pipe stays open while we live: its end tells the child that its parent is gone.
  child.input?.write(`${JSON.stringify(seenJob)}\n`);
  const { code, killedBy, reason, error } = await child.done;
  // The program could not even be started.
  if (error) return { kind: 'machine', detail: error.message };
  signal.throwIfAborted();
  const isOverTime = reason === 'time' || killedBy === 'SIGXCPU' || code === CODE_OF_SIGXCPU;
  return isOverTime ? { kind: 'timeout' } : endOf(out, said, code, killedBy);
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
  if (lacking.test(said)) return { kind: 'machine', detail: said.slice(-500) };
  return { kind: 'crash', detail: `ended with ${killedBy ?? code}: ${said.slice(-500)}` };
}
