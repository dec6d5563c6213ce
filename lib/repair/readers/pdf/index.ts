import { now } from '../../host/clocks';
import { AnsweringProcess } from '../../host/processes';
import { childProgram, runtime } from '../../host/programs';
import { Deadline } from '../../report';
import { readWithPdfium, showsAnything } from './pdfium';
import { readWithPdfjs } from './pdfjs';
import type { Reading, ReadLimits } from './reading';

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
  const deadline = new Deadline(request.milliseconds, now);
  if (request.reader === 'drawing') return showsAnything(request.bytes, deadline);
  const read = request.reader === 'pdfium' ? readWithPdfium : readWithPdfjs;
  return read(request.bytes, request.limits, deadline);
}

/** Processes outlast a job, as each of them has a library to load. */
const processes = new Map<'pdfium' | 'pdfjs', AnsweringProcess<ReadRequest, Reading | boolean>>();

/**
 * The readers that a PDF is looked at with, each in a process of its own: they work beside the repair, and a file that one of them
 * never comes to the end of, or that takes it down, costs that reading alone. Where the program is not built they read in this one.
 */
export class PdfReaders {
  readonly #deadline: Deadline;
  readonly #program = childProgram('pdf-child');
  #waitingForPdfjs = 0;

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
  async pdfjs(bytes: Uint8Array, limits: ReadLimits): Promise<Reading | null> {
    this.#waitingForPdfjs++;
    const reading = await this.#ask({ reader: 'pdfjs', limits, bytes, milliseconds: this.#milliseconds });
    this.#waitingForPdfjs--;
    return reading;
  }

  /** Whether a page shows anything, drawn by pdfium. */
  async showsAnything(bytes: Uint8Array): Promise<boolean> {
    return (await this.#ask({ reader: 'drawing', bytes, milliseconds: this.#milliseconds })) ?? false;
  }

  /** Ends what pdf.js is still at for this file, when nobody waits for it any more: but not what it reads for another one in the same program. */
  leavePdfjs(): void {
    const reader = processes.get('pdfjs');
    if (reader && reader.waiting <= this.#waitingForPdfjs) reader.end();
  }

  get #milliseconds(): number {
    return Math.max(1, Math.min(readingTime, this.#deadline.left));
  }

  async #ask<R extends ReadRequest>(request: R): Promise<Answer<R> | null> {
    if (!this.#program) return (await answerRequest(request).catch(() => null)) as Answer<R> | null;
    const name = request.reader === 'pdfjs' ? 'pdfjs' : 'pdfium';
    let reader = processes.get(name);
    if (!reader || reader.isGone) {
      reader = new AnsweringProcess<ReadRequest, Reading | boolean>(this.#program, runtime());
      processes.set(name, reader);
    }
    return (await reader.ask(request, request.milliseconds + grace)) as Answer<R> | null;
  }
}
