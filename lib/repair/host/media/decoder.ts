import { createInterface } from 'node:readline';
import { later } from '../clocks';
import { type ProcessEnded, type Supervised, start } from '../processes';
import { childProgram, runtime } from '../programs';
import type { MediaJob, MediaOrder, PictureJob } from './job';
import { type Ended, neverRan, type TakeLine } from './process';

/** A job that is being done: what takes its lines, and what takes its code, or how the process ended in the middle of it. */
type Running = { take: (text: string) => void; done: (end: number | ProcessEnded) => void };

/** A line of a job, or its code (`MediaOrder`). */
const told = /^(\d+)([ =])(.*)$/s;

/** A process of decoders in WebAssembly, which does jobs one after another, or beside each other. */
class Decoder {
  readonly script: string;
  readonly #child: Supervised;
  readonly #running = new Map<number, Running>();
  #jobs = 0;
  #isOver = false;
  #isGone = false;

  constructor(script: string) {
    this.script = script;
    this.#child = start('decoder', runtime(), ['--max-old-space-size=256', script]);
    const { output, done } = this.#child;
    if (output)
      createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (text) => this.#line(text));
    this.#child.errors?.resume();
    void done.then((ended) => {
      this.#isGone = true;
      for (const job of this.#running.values()) job.done(ended);
    });
    // An idle process keeps no program from its end, and ends with it.
    this.#child.unref();
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  end(): void {
    this.#isGone = true;
    this.#child.kill();
  }

  /** Does a job. It is stopped when enough of its lines have come; the process is ended with it when its time is over. */
  async run(job: MediaJob | PictureJob, milliseconds: number, line: TakeLine): Promise<Ended | null> {
    const id = this.#jobs++;
    let isEnough = false;
    const callOff = later(milliseconds, () => {
      this.#isOver = true;
      this.end();
    });
    this.#child.ref();
    try {
      const end = await this.#order(id, job, (text) => {
        if (isEnough || line(text)) return;
        isEnough = true;
        this.#send({ id, job: null });
      });
      if (typeof end !== 'number' && neverRan(end)) return null;
      return { code: typeof end === 'number' ? end : end.code, isOver: this.#isOver, isEnough };
    } finally {
      callOff();
      this.#running.delete(id);
      if (this.#running.size === 0) this.#child.unref();
    }
  }

  #order(id: number, job: MediaJob | PictureJob, take: (text: string) => void): Promise<number | ProcessEnded> {
    return new Promise((resolve, reject) => {
      const failed = (error: unknown) => {
        this.#send({ id, job: null });
        reject(error);
      };
      const guarded = (text: string) => {
        try {
          take(text);
        } catch (error) {
          failed(error);
        }
      };
      this.#running.set(id, { take: guarded, done: resolve });
      this.#send({ id, job });
    });
  }

  #send(order: MediaOrder): void {
    this.#child.input?.write(`${JSON.stringify(order)}\n`);
  }

  #line(text: string): void {
    const [, id, kind, rest = ''] = told.exec(text) ?? [];
    const job = this.#running.get(Number(id));
    if (kind === '=') job?.done(Number(rest));
    else job?.take(rest);
  }
}

/** It takes long to start, and what it has compiled for one job serves the next. */
let decoder: Decoder | null = null;

function decoderOf(script: string): Decoder {
  if (decoder?.script === script && !decoder.isGone) return decoder;
  decoder?.end();
  decoder = new Decoder(script);
  return decoder;
}

/** Runs a job by a decoder in WebAssembly, which no hostile file can break out of, for at most `milliseconds`; null where it is not built. */
export async function runMediaJob(
  job: MediaJob | PictureJob,
  milliseconds: number,
  line: TakeLine,
): Promise<Ended | null> {
  const script = childProgram('media-child');
  return script ? decoderOf(script).run(job, milliseconds, line) : null;
}
