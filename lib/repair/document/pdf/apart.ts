import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Supervised, start } from '../../host/processes';
import { Deadline } from '../../report';
import { type Reading, type ReadLimits, readWithPdfium, readWithPdfjs, showsAnything } from './readers';

/** What a process of readers is asked for, with the time that it may take in milliseconds. */
export type ReadRequest = { bytes: Uint8Array; milliseconds: number } & (
  | { reader: 'pdfium' | 'pdfjs'; limits: ReadLimits }
  | { reader: 'drawing' }
);
type Answer<R> = R extends { limits: ReadLimits } ? Reading : boolean;

/**
 * The last end of one reading, in milliseconds, and what a process gets on top of it to say that it did not come to an end. How much is read
 * is bounded by pages and words, and takes a few seconds at most.
 */
const readingTime = 90_000;
const grace = 1000;
/** Does what a process of readers is asked for. */
export async function answerRequest(request: ReadRequest): Promise<Reading | boolean> {
  const deadline = new Deadline(request.milliseconds, Date.now);
  if (request.reader === 'drawing') return showsAnything(request.bytes, deadline);
  const read = request.reader === 'pdfium' ? readWithPdfium : readWithPdfjs;
  return read(request.bytes, request.limits, deadline);
}

/** The program of the processes: beside this bundle, or where MENDARA_PDF_CHILD says; null where it is not built. */
function childProgram(): string | null {
  const script = process.env.MENDARA_PDF_CHILD ?? fileURLToPath(new URL('./pdf-child.mjs', import.meta.url));
  return existsSync(script) ? script : null;
}

/** A process in which one reader works on one request after another. */
class ReaderProcess {
  readonly #child: Supervised;
  readonly #waiting = new Map<number, (answer: Reading | boolean | null) => void>();
  #requests = 0;
  isGone = false;

  constructor(program: string) {
    // What a library prints is for nobody.
    this.#child = start('reader', process.execPath, [program], { messages: true, output: 'ignore' });
    this.#child.onMessage((message) => {
      const { id, answer } = message as { id: number; answer: Reading | boolean | null };
      this.#waiting.get(id)?.(answer);
    });
    void this.#child.done.then(() => this.end());
    // An idle process keeps no program from its end, and ends with it.
    this.#child.unref();
  }

  /** Null when the reader did not come to an end in its time, or went down. */
  ask<R extends ReadRequest>(request: R): Promise<Answer<R> | null> {
    const id = this.#requests++;
    return new Promise((resolve) => {
      const clock = setTimeout(
        // The answer may have come while this process was busy itself.
        () => setImmediate(() => this.#waiting.has(id) && this.end()),
        request.milliseconds + grace,
      );
      this.#waiting.set(id, (answer) => {
        clearTimeout(clock);
        this.#waiting.delete(id);
        resolve(answer as Answer<R> | null);
      });
      this.#child.send({ id, request }, () => this.end());
    });
  }

  end(): void {
    this.isGone = true;
    for (const give of this.#waiting.values()) give(null);
    this.#child.kill();
  }
}

/** Processes outlast a job, as each of them has a library to load. */
const processes = new Map<'pdfium' | 'pdfjs', ReaderProcess>();

/**
 * The readers that a PDF is looked at with, each in a process of its own: they work beside the repair, and a file that one of them
 * never comes to the end of, or that takes it down, costs that reading alone. Where the program is not built they read in this one.
 */
export class PdfReaders {
  readonly #deadline: Deadline;
  readonly #program = childProgram();

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  /** Whether readers work beside the caller rather than in its stead. */
  get areBeside(): boolean {
    return this.#program !== null;
  }

  /** What pdfium sees; null when it does not come to an end, which says nothing of the file on a busy machine. */
  pdfium(bytes: Uint8Array, limits: ReadLimits): Promise<Reading | null> {
    return this.#ask({ reader: 'pdfium', limits, bytes, milliseconds: this.#milliseconds });
  }

  /** What pdf.js sees, or null. */
  pdfjs(bytes: Uint8Array, limits: ReadLimits): Promise<Reading | null> {
    return this.#ask({ reader: 'pdfjs', limits, bytes, milliseconds: this.#milliseconds });
  }

  /** Whether a page shows anything, drawn by pdfium. */
  async showsAnything(bytes: Uint8Array): Promise<boolean> {
    return (await this.#ask({ reader: 'drawing', bytes, milliseconds: this.#milliseconds })) ?? false;
  }

  /** Ends what pdf.js is still at, when nobody waits for it any more. */
  leavePdfjs(): void {
    processes.get('pdfjs')?.end();
  }

  get #milliseconds(): number {
    return Math.max(1, Math.min(readingTime, this.#deadline.left));
  }

  async #ask<R extends ReadRequest>(request: R): Promise<Answer<R> | null> {
    if (!this.#program) return (await answerRequest(request).catch(() => null)) as Answer<R> | null;
    const name = request.reader === 'pdfjs' ? 'pdfjs' : 'pdfium';
    let reader = processes.get(name);
    if (!reader || reader.isGone) {
      reader = new ReaderProcess(this.#program);
      processes.set(name, reader);
    }
    return reader.ask(request);
  }
}
