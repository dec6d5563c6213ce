import { Buffer } from '../host/bytes';
import { elapsed, nextTurn } from '../host/clocks';
import type { OpenFile } from '../host/files';
import type { Deadline } from '../report';

/** Bytes that are read at once and kept: what most readers ask for next lies in them. */
const windowBytes = 1 << 20;

/** Milliseconds after which other work of the process gets its turn. */
const turnLength = 40;

/** Random access to a file through one window of a mebibyte: positioned reads, never the file in memory. Offsets and lengths in bytes. */
export class Source {
  readonly #file: OpenFile;
  readonly size: number;
  #window: Buffer = Buffer.allocUnsafe(windowBytes);
  #start = 0;
  #filled = 0;
  #turn = elapsed();
  /** Bytes that were set right, by their offset: reads give them instead of what the file holds. */
  readonly #mended = new Map<number, number>();

  constructor(file: OpenFile) {
    this.#file = file;
    this.size = file.size;
  }

  /** Up to `length` bytes from `offset`, shorter at the end of the file. A view that holds until the next read; copy what is kept. */
  read(offset: number, length: number): Buffer {
    if (offset < 0 || offset >= this.size || length <= 0) return Buffer.alloc(0);
    const wanted = Math.min(length, this.size - offset);
    if (wanted > windowBytes) return this.#fill(Buffer.allocUnsafe(wanted), offset);
    if (offset < this.#start || offset + wanted > this.#start + this.#filled) {
      this.#start = offset;
      this.#filled = this.#fill(this.#window, offset).length;
    }
    return this.#window.subarray(offset - this.#start, Math.min(this.#filled, offset - this.#start + wanted));
  }

  /** Sets a byte right for all reads from here on; the file itself is never changed. */
  mend(offset: number, byte: number): void {
    this.#mended.set(offset, byte);
    this.#filled = 0;
  }

  #fill(buffer: Buffer, offset: number): Buffer {
    const filled = this.#file.read(buffer, offset);
    for (const [place, byte] of this.#mended)
      if (place >= offset && place < offset + filled) buffer[place - offset] = byte;
    return buffer.subarray(0, filled);
  }

  /** A copy of the bytes, which later reads leave alone. */
  copy(offset: number, length: number): Buffer {
    return Buffer.from(this.read(offset, length));
  }

  /** Big-endian 32-bit word, or -1 past the end. */
  word(offset: number): number {
    const bytes = this.read(offset, 4);
    return bytes.length === 4 ? bytes.readUInt32BE(0) : -1;
  }

  /** First offset of `needle` in [from, to), or -1. */
  find(needle: Buffer, from: number, to: number = this.size): number {
    for (let at = Math.max(0, from); at + needle.length <= to; ) {
      const bytes = this.read(at, Math.min(this.#ahead(at, needle.length), to - at));
      const hit = bytes.indexOf(needle);
      if (hit >= 0) return at + hit;
      if (bytes.length < needle.length) return -1;
      at += bytes.length - needle.length + 1;
    }
    return -1;
  }

  /** First offset in [from, to) of a byte that is not zero, or -1. */
  findNonZero(from: number, to: number = this.size): number {
    for (let at = Math.max(0, from); at < to; ) {
      const bytes = this.read(at, Math.min(this.#ahead(at, 1), to - at));
      const hit = bytes.findIndex((byte) => byte !== 0);
      if (hit >= 0) return at + hit;
      if (bytes.length === 0) return -1;
      at += bytes.length;
    }
    return -1;
  }

  /** What can be read from `at` without moving the window, if that is as much as `least`; else a whole window. */
  #ahead(at: number, least: number): number {
    const left = at >= this.#start ? this.#start + this.#filled - at : 0;
    return left >= least ? left : windowBytes;
  }

  /** Lets other work of the process run now and then, and ends the job when its time is up. */
  async pause(deadline: Deadline): Promise<void> {
    if (elapsed() - this.#turn < turnLength) return;
    deadline.check();
    await nextTurn();
    this.#turn = elapsed();
  }
}
