import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { endWithParent } from '../repair/host/processes/end-with-parent';
import { answerRequest, type ReadRequest } from '../repair/readers/pdf';

/**
 * The process in which a reader looks at PDFs. Answers each `{ id, request }` with `{ id, answer }`; an answer of null says that the
 * reader did not come to an end in its time. The work is done in a thread, so that this process keeps listening: when its parent is
 * gone it ends too, even in the middle of an endless loop. A reader that runs out of memory takes the process with it, and no more.
 */
const heapMegabytes = 1024;

function main(): void {
  endWithParent();
  const worker = new Worker(new URL(import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } });
  worker.on('message', (answer: object) => process.send?.(answer));
  worker.on('error', () => process.exit(1));
  process.on('message', (message) => worker.postMessage(message));
}

function work(): void {
  parentPort?.on('message', async ({ id, request }: { id: number; request: ReadRequest }) => {
    const answer = await answerRequest(request).catch(() => null);
    parentPort?.postMessage({ id, answer });
  });
}

if (isMainThread) main();
else work();
