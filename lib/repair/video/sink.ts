import { Buffer } from '../host/bytes';
import type { OpenFile } from '../host/files';
import type { Source } from './source';

/** Bytes that are gathered before they are written. */
const blockBytes = 1 << 20;

/** Writes a file front to back through one block of a mebibyte; what is known only later is patched in place. */
export class Sink {
  readonly #file: OpenFile;
  readonly #block = Buffer.allocUnsafe(blockBytes);
  #held = 0;
  #flushed = 0;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  /** Bytes written so far: the offset of the next write. */
  get position(): number {
    return this.#flushed + this.#held;
  }

  write(bytes: Uint8Array): void {
    if (this.#held + bytes.length > blockBytes) this.flush();
    if (bytes.length >= blockBytes) {
      this.#flushed += this.#put(bytes, this.#flushed);
    } else {
      this.#block.set(bytes, this.#held);
      this.#held += bytes.length;
    }
  }

  /** Copies `length` bytes of the source; returns how many there were. */
  take(source: Source, offset: number, length: number): number {
    let done = 0;
    while (done < length) {
      const part = source.read(offset + done, Math.min(1 << 19, length - done));
      if (part.length === 0) break;
      this.write(part);
      done += part.length;
    }
    return done;
  }

  patch(offset: number, bytes: Uint8Array): void {
    this.flush();
    this.#put(bytes, offset);
  }

  flush(): void {
    if (this.#held > 0) this.#flushed += this.#put(this.#block.subarray(0, this.#held), this.#flushed);
    this.#held = 0;
  }

  #put(bytes: Uint8Array, offset: number): number {
    this.#file.write(bytes, offset);
    return bytes.length;
  }
}
