import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Deadline } from '../../report';
import { type Reading, type ReadLimits, readWithPdfium, readWithPdfjs, showsAnything } from './readers';

/** What a thread of readers is asked for, with the time that it may take in milliseconds. */
export type ReadRequest = { bytes: Uint8Array; milliseconds: number } & (
  | { reader: 'pdfium' | 'pdfjs'; limits: ReadLimits }
  | { reader: 'drawing' }
);
type Answer<R> = R extends { limits: ReadLimits } ? Reading : boolean;

/** Time that one reading may take, in milliseconds, and what a thread gets on top of it to say that it did not come to an end. */
const readingTime = 30_000;
const grace = 1000;
/** Memory of a thread for its own objects, in megabytes. */
const heapMegabytes = 512;

/** Does what a thread of readers is asked for. */
export async function answerRequest(request: ReadRequest): Promise<Reading | boolean> {
  const deadline = new Deadline(request.milliseconds, Date.now);
  if (request.reader === 'drawing') return showsAnything(request.bytes, deadline);
  const read = request.reader === 'pdfium' ? readWithPdfium : readWithPdfjs;
  return read(request.bytes, request.limits, deadline);
}

/** The program of the threads: beside this bundle, or where MENDARA_PDF_CHILD says; null where it is not built. */
function threadProgram(): string | null {
  const script = process.env.MENDARA_PDF_CHILD ?? fileURLToPath(new URL('./pdf-child.mjs', import.meta.url));
  return existsSync(script) ? script : null;
}

/** A thread in which one reader works on one request after another. */
class ReaderThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: Reading | boolean | null) => void>();
  #requests = 0;
  isGone = false;

  constructor(program: string) {
    // What a library prints is for nobody.
    const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes };
    this.#worker = new Worker(program, { resourceLimits, stdout: true, stderr: true });
    this.#worker.on('message', ({ id, answer }: { id: number; answer: Reading | boolean | null }) =>
      this.#waiting.get(id)?.(answer),
    );
    this.#worker.on('error', () => this.end());
    this.#worker.on('exit', () => this.end());
    // An idle thread keeps no program from its end: listening to it does, so this comes last.
    this.#worker.unref();
  }

  /** Milliseconds in which the thread was busy. */
  get busy(): number {
    return this.isGone ? 0 : this.#worker.performance.eventLoopUtilization().active;
  }

  /** Null when the reader did not come to an end in its time, or went down. */
  ask<R extends ReadRequest>(request: R): Promise<Answer<R> | null> {
    const id = this.#requests++;
    return new Promise((resolve) => {
      const clock = setTimeout(
        // The answer may have come while this thread was busy itself.
        () => setImmediate(() => this.#waiting.has(id) && this.end()),
        request.milliseconds + grace,
      );
      this.#waiting.set(id, (answer) => {
        clearTimeout(clock);
        this.#waiting.delete(id);
        resolve(answer as Answer<R> | null);
      });
      this.#worker.postMessage({ id, request });
    });
  }

  end(): void {
    this.isGone = true;
    for (const give of this.#waiting.values()) give(null);
    void this.#worker.terminate();
  }
}

/** Threads outlast a job, as each of them has a library to load. */
const threads = new Map<'pdfium' | 'pdfjs', ReaderThread>();

/**
 * The readers that a PDF is looked at with, each in a thread of its own: they work beside the repair, and a file that one of them
 * never comes to the end of, or that takes it down, costs that reading alone. Where the threads are not built they read in this one.
 */
export class PdfReaders {
  readonly #deadline: Deadline;
  readonly #program = threadProgram();
  #shared: { from: Uint8Array; copy: Uint8Array } | null = null;

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
    const before = busyTime();
    deadline.besides(() => Math.max(0, busyTime() - before));
  }

  /** Whether readers work beside the caller rather than in its stead. */
  get areBeside(): boolean {
    return this.#program !== null;
  }

  /** What pdfium sees; null when it does not come to an end, which says nothing of the file on a busy machine. */
  pdfium(bytes: Uint8Array, limits: ReadLimits): Promise<Reading | null> {
    return this.#ask({ reader: 'pdfium', limits, ...this.#common(bytes) });
  }

  /** What pdf.js sees, or null. */
  pdfjs(bytes: Uint8Array, limits: ReadLimits): Promise<Reading | null> {
    return this.#ask({ reader: 'pdfjs', limits, ...this.#common(bytes) });
  }

  /** Whether a page shows anything, drawn by pdfium. */
  async showsAnything(bytes: Uint8Array): Promise<boolean> {
    return (await this.#ask({ reader: 'drawing', ...this.#common(bytes) })) ?? false;
  }

  /** Ends what pdf.js is still at, when nobody waits for it any more. */
  leavePdfjs(): void {
    threads.get('pdfjs')?.end();
  }

  /** Both readers look at the same memory. */
  #common(bytes: Uint8Array): { bytes: Uint8Array; milliseconds: number } {
    const milliseconds = Math.max(1, Math.min(readingTime, this.#deadline.left));
    if (!this.#program) return { bytes, milliseconds };
    if (this.#shared?.from !== bytes) {
      const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
      copy.set(bytes);
      this.#shared = { from: bytes, copy };
    }
    return { bytes: this.#shared.copy, milliseconds };
  }

  async #ask<R extends ReadRequest>(request: R): Promise<Answer<R> | null> {
    if (!this.#program) return (await answerRequest(request).catch(() => null)) as Answer<R> | null;
    const name = request.reader === 'pdfjs' ? 'pdfjs' : 'pdfium';
    let thread = threads.get(name);
    if (!thread || thread.isGone) {
      thread = new ReaderThread(this.#program);
      threads.set(name, thread);
    }
    return thread.ask(request);
  }
}

function busyTime(): number {
  return [...threads.values()].reduce((sum, { busy }) => sum + busy, 0);
}
