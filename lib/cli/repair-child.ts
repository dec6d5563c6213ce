import { createInterface } from 'node:readline';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { repairFile } from '@/lib/repair';
import { endWithParent } from '@/lib/repair/host/processes/end-with-parent';

/**
 * The process in which one repair runs. The work is done in a thread, so that this process keeps listening: when its
 * parent is gone (the end of standard input), it ends too, even in the middle of an endless loop.
 * Reads one job as a line of JSON, writes `{"report": …}` and ends with 0; anything else is a crash.
 */
type Job = Parameters<typeof repairFile>[0];

function main(): void {
  endWithParent();
  const lines = createInterface({ input: process.stdin });
  let isStarted = false;
  lines.on('line', (line) => {
    if (isStarted) return;
    isStarted = true;
    start(JSON.parse(line) as Job);
  });
}

function start(job: Job): void {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: Number(process.env.MENDARA_HEAP_MB) || 1024 },
    // What a library prints must not mix with the report.
    stdout: true,
  });
  let hasReport = false;
  worker.on('message', (report: unknown) => {
    hasReport = true;
    process.stdout.write(JSON.stringify({ report }), () => process.exit(0));
  });
  worker.on('error', (error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`, () => process.exit(1));
  });
  // The thread may be gone before its report has left for the parent: then the write ends the process.
  worker.on('exit', (code) => {
    if (!hasReport) process.exit(code === 0 ? 2 : code);
  });
}

async function work(): Promise<void> {
  const report = await repairFile(workerData as Job);
  parentPort?.postMessage(report);
}

if (isMainThread) main();
else await work();
