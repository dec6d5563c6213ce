import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { MediaJob, MediaOrder, PictureJob } from '../repair/host/media/job';
import { endWithParent } from '../repair/host/processes/end-with-parent';
import { decodePictures } from './media-pictures';
import { runJob } from './media-work';

/** A job for the thread that does it, and ffmpeg compiled for one that needs it. */
type Task = { job: MediaJob; program: WebAssembly.Module } | { job: PictureJob };

/** What readers of lines take for the end of one. */
const lineEnds = /\r\n|[\n\r\u2028\u2029]/;

/**
 * Runs ffmpeg built for WebAssembly on jobs, each a line of JSON, and prints what it prints of each, or a decoder of pictures that ffmpeg
 * is built without. A process of its own, since ffmpeg is under the GPL and is never linked into the rest. Each job has a thread and an
 * instance of its own, whose memory goes with it, and so
 * this process keeps listening: when its parent is gone it ends too, in the middle of a decoding that never ends. What all jobs share
 * is the program: it is compiled once, and what one of them ran is not compiled again for the next.
 */
function main(): void {
  endWithParent();
  // Of 32 MB of functions a job runs a few: each is validated when it is first called, not all of them before the first.
  setFlagsFromString('--wasm-lazy-validation');
  const require = createRequire(import.meta.url);
  const program = WebAssembly.compile(readFileSync(require.resolve('@ffmpeg/core/wasm')));
  const threads = new Map<number, Worker>();
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, job } = JSON.parse(line) as MediaOrder;
    if (job === null) return void threads.get(id)?.terminate();
    const task: Task = 'pictures' in job ? { job } : { job, program: await program };
    // What a library prints by itself must not mix with what the job prints.
    const thread = new Worker(new URL(import.meta.url), { workerData: task, stdout: true, stderr: true });
    thread.stdout.resume();
    thread.stderr.resume();
    threads.set(id, thread);
    let result = 1;
    thread.on('message', (told: string | number) => {
      if (typeof told === 'string') return print(id, told);
      result = told === 0 ? 0 : 1;
      return void thread.terminate();
    });
    thread.once('error', () => undefined);
    thread.once('exit', () => {
      threads.delete(id);
      writeSync(1, `${id}=${result}\n`);
    });
  });
}

function print(id: number, lines: string): void {
  const whole = lines.slice(0, -1).split(lineEnds);
  writeSync(1, whole.map((line) => `${id} ${line}\n`).join(''));
}

async function work(): Promise<void> {
  const task = workerData as Task;
  const take = (lines: string) => parentPort?.postMessage(lines);
  const code = 'program' in task ? await runJob(task.job, task.program, take) : await decodePictures(task.job, take);
  parentPort?.postMessage(code);
}

if (isMainThread) main();
else await work();
