import { later } from '../clocks';
import { type Supervised, start } from './supervisor';

/** A process in which a program answers one request after another, in their order. */
export class AnsweringProcess<Request, Answer> {
  readonly #child: Supervised;
  readonly #waiting = new Map<number, (answer: Answer | null) => void>();
  #requests = 0;
  isGone = false;

  constructor(program: string, runtime: string) {
    // What a library prints is for nobody.
    this.#child = start('reader', runtime, [program], { messages: true, output: 'ignore' });
    this.#child.onMessage((message) => {
      const { id, answer } = message as { id: number; answer: Answer | null };
      this.#waiting.get(id)?.(answer);
    });
    void this.#child.done.then(() => this.end());
    // An idle process keeps no program from its end, and ends with it.
    this.#child.unref();
  }

  /** How many requests wait for an answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Null when there was no answer after so many milliseconds, or the process went down. */
  ask(request: Request, milliseconds: number): Promise<Answer | null> {
    const id = this.#requests++;
    return new Promise((resolve) => {
      const callOff = later(milliseconds, () => this.#waiting.has(id) && this.end());
      this.#waiting.set(id, (answer) => {
        callOff();
        this.#waiting.delete(id);
        resolve(answer);
      });
      this.#child.send({ id, request }, () => this.end());
    });
  }

  /** Ends the process; whoever waits for an answer gets null. */
  end(): void {
    this.isGone = true;
    for (const give of this.#waiting.values()) give(null);
    this.#child.kill();
  }
}
