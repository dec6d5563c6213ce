import { Buffer } from '../host/bytes';
import { elapsed, nextTurn } from '../host/clocks';
import type { OpenFile } from '../host/files';
import type { Deadline } from '../report';

/** Most bytes that are read at once and kept, and fewest: what most readers ask for next lies in them. */
const windowBytes = 1 << 20;
const leastBytes = 1 << 14;

/** Milliseconds after which other work of the process gets its turn. */
const turnLength = 40;

/**
 * Random access to a file through one window of up to a mebibyte: positioned reads, never the file in memory. Offsets and lengths in bytes.
 * A window is twice as long as what was asked for of the one before, so that samples strewn over a file, or listed backwards, do not read
 * a mebibyte each.
 */
export class Source {
  readonly #file: OpenFile;
  readonly size: number;
  #window: Buffer = Buffer.allocUnsafe(windowBytes);
  #start = 0;
  #filled = 0;
  /** Bytes that were asked for of the window. */
  #used = 0;
  #turn = elapsed();
  /** Bytes that were set right, by the page that they lie in and their offset: reads give them instead of what the file holds. */
  readonly #mended = new Map<number, Map<number, number>>();

  constructor(file: OpenFile) {
    this.#file = file;
    this.size = file.size;
  }

  /** Up to `length` bytes from `offset`, shorter at the end of the file. A view that holds until the next read; copy what is kept. */
  read(offset: number, length: number): Buffer {
    if (offset < 0 || offset >= this.size || length <= 0) return Buffer.alloc(0);
    const wanted = Math.min(length, this.size - offset);
    if (wanted > windowBytes) return this.#fill(Buffer.allocUnsafe(wanted), offset);
    if (offset < this.#start || offset + wanted > this.#start + this.#filled) this.#move(offset, wanted);
    this.#used += wanted;
    return this.#window.subarray(offset - this.#start, Math.min(this.#filled, offset - this.#start + wanted));
  }

  /** Moves the window to bytes that it does not hold; where reading goes backwards, they come to lie in its middle. */
  #move(offset: number, wanted: number): void {
    const length = this.#nextLength(wanted);
    const isBehind = offset < this.#start && offset + length >= this.#start;
    this.#start = isBehind ? Math.max(0, offset - Math.min(length >> 1, length - wanted)) : offset;
    this.#used = 0;
    this.#filled = this.#fill(this.#window.subarray(0, length), this.#start).length;
  }

  /** How long the next window is. */
  #nextLength(wanted: number): number {
    return Math.max(wanted, leastBytes, Math.min(windowBytes, this.#used * 2));
  }

  /** Sets a byte right for all reads from here on; the file itself is never changed. */
  mend(offset: number, byte: number): void {
    const page = Math.floor(offset / leastBytes);
    const mended = this.#mended.get(page) ?? new Map<number, number>();
    this.#mended.set(page, mended.set(offset, byte));
    this.#filled = 0;
  }

  /** What was set right so far, to go back to. */
  get mends(): ReadonlyMap<number, ReadonlyMap<number, number>> {
    return new Map([...this.#mended].map(([page, bytes]) => [page, new Map(bytes)]));
  }

  /** Takes back what was set right since `mends` were those. */
  restore(mends: ReadonlyMap<number, ReadonlyMap<number, number>>): void {
    this.#mended.clear();
    for (const [page, bytes] of mends) this.#mended.set(page, new Map(bytes));
    this.#filled = 0;
  }

  #fill(buffer: Buffer, offset: number): Buffer {
    const filled = this.#file.read(buffer, offset);
    if (this.#mended.size === 0) return buffer.subarray(0, filled);
    const last = Math.floor((offset + filled) / leastBytes);
    for (let page = Math.floor(offset / leastBytes); page <= last; page++)
      for (const [place, byte] of this.#mended.get(page) ?? [])
        if (place >= offset && place < offset + filled) buffer[place - offset] = byte;
    return buffer.subarray(0, filled);
  }

  /** A copy of the bytes, which later reads leave alone. */
  copy(offset: number, length: number): Buffer {
    return Buffer.from(this.read(offset, length));
  }

  /** Big-endian 32-bit word, or -1 past the end. */
  word(offset: number): number {
    const inside = offset - this.#start;
    // Readers ask for one at each place that they come to: no view is made where the window holds it.
    if (inside >= 0 && inside + 4 <= this.#filled) {
      this.#used += 4;
      return this.#window.readUInt32BE(inside);
    }
    const bytes = this.read(offset, 4);
    return bytes.length === 4 ? bytes.readUInt32BE(0) : -1;
  }

  /** First offset of `needle` in [from, to), or -1. */
  find(needle: Buffer, from: number, to: number = this.size): number {
    for (let at = Math.max(0, from); at + needle.length <= to; ) {
      const bytes = this.read(at, Math.min(this.#ahead(at, needle.length), to - at));
      const hit = bytes.indexOf(needle.length === 1 ? (needle[0] ?? 0) : needle);
      if (hit >= 0) return this.#hit(bytes, at, hit, needle.length);
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
      if (hit >= 0) return this.#hit(bytes, at, hit, 1);
      if (bytes.length === 0) return -1;
      at += bytes.length;
    }
    return -1;
  }

  /** The place of what was found in bytes from `at` on; those behind it were not looked at. */
  #hit(bytes: Buffer, at: number, hit: number, length: number): number {
    this.#used -= bytes.length - hit - length;
    return at + hit;
  }

  /** What can be read from `at` without moving the window, if that is as much as `least`; else a whole window. */
  #ahead(at: number, least: number): number {
    const left = at >= this.#start ? this.#start + this.#filled - at : 0;
    return left >= least ? left : this.#nextLength(least);
  }

  /** Lets other work of the process run now and then, and ends the job when its time is up. */
  async pause(deadline: Deadline): Promise<void> {
    if (elapsed() - this.#turn < turnLength) return;
    deadline.check();
    await nextTurn();
    this.#turn = elapsed();
  }
}
