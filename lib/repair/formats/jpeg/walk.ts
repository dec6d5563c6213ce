import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import type { Buffer } from '../../host/bytes';
import { type Stretch, splitStretches } from './stretches';

/** Where an MCU begins: its number, the byte of the file, the bit of that byte, and the DC values that it counts from. */
export type Begin = { place: number; byte: number; bit: number; predictors: ArrayLike<number> };

/** What reading the next MCU comes to: it was read, the data ends, or it makes no sense there. */
export type Walked = 'read' | 'end' | 'fault';

/** Bits before its end from which on data that makes no sense only ends within an MCU. */
const cutShort = 32;

/** Reads MCUs from the bytes of a file, one after another, over stuffing and restart markers (ISO/IEC 10918-1, B.1.1.5 and B.2.1). */
export class Walk {
  /** The MCU that is read next. */
  place: number;
  readonly #bytes: Buffer;
  readonly #plan: ScanPlan;
  readonly #interval: number;
  readonly #first: number;
  readonly #stretches: Stretch[];
  #index = 0;
  reader: McuReader;
  /** A byte of the file, and how far it lies in the data of the stretch. */
  #raw: number;
  #at = 0;

  constructor(bytes: Buffer, begin: Begin, end: number, plan: ScanPlan, interval: number) {
    this.#bytes = bytes;
    this.#plan = plan;
    this.#interval = interval;
    this.#first = begin.place;
    this.place = begin.place;
    this.#stretches = splitStretches(bytes, begin.byte, end, interval > 0 ? Number.POSITIVE_INFINITY : 0);
    this.#raw = begin.byte;
    this.reader = new McuReader(this.#stretches[0]?.data ?? bytes.subarray(0, 0), plan);
    this.reader.seek(begin.bit, begin.predictors);
  }

  /** The byte of the file in which the next MCU begins. */
  offset(): number {
    const wanted = this.reader.position >> 3;
    for (; this.#at < wanted; this.#at++)
      this.#raw += this.#bytes[this.#raw] === 0xff && this.#bytes[this.#raw + 1] === 0 ? 2 : 1;
    return this.#raw;
  }

  /** Steps over the marker between two intervals, where the next MCU begins one; a fault where none with the right number is there. */
  enter(): Walked {
    const { place } = this;
    if (this.#interval > 0 && place > this.#first && place % this.#interval === 0) {
      const next = this.#stretches[this.#index + 1];
      if (!this.reader.finished()) return 'fault';
      if (!next) return 'end';
      if (next.restart !== (place / this.#interval - 1) % 8) return 'fault';
      this.#index++;
      this.reader = new McuReader(next.data, this.#plan);
      this.#raw = next.offset;
      this.#at = 0;
    }
    return this.reader.finished() ? 'end' : 'read';
  }

  /** Reads the next MCU. */
  next(): Walked {
    const { reader } = this;
    if (reader.mcu()) {
      this.place++;
      return 'read';
    }
    return reader.end - reader.position < cutShort && this.#index === this.#stretches.length - 1 ? 'end' : 'fault';
  }
}
