import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { endWithParent } from '../repair/host/processes/end-with-parent';
import { runJob } from './media-work';

/**
 * Runs ffmpeg built for WebAssembly on one job, whose JSON file is the first argument, and prints what it prints. A process of its
 * own, since ffmpeg is under the GPL and is never linked into the rest, and since its memory goes when it ends. The work is done in
 * a thread, so that this process keeps listening: when its parent is gone it ends too, in the middle of a decoding that never ends.
 */
function main(): void {
  endWithParent();
  const worker = new Worker(new URL(import.meta.url), { workerData: process.argv[2] ?? '' });
  worker.on('message', (code: number) => process.exit(code === 0 ? 0 : 1));
  worker.on('error', () => process.exit(1));
}

async function work(): Promise<void> {
  const code = await runJob(String(workerData));
  parentPort?.postMessage(code);
}

if (isMainThread) main();
else await work();
