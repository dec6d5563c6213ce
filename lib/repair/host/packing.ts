import { constants, crc32, deflateRawSync, deflateSync, inflateRawSync, inflateSync } from 'node:zlib';
import { Gunzip, Inflate } from 'fflate';
import { Buffer } from './bytes';

/** CRC-32 (ISO/IEC 15948, annex D), as an unsigned number; `seed` continues an earlier sum. */
export { crc32 };

/** Packs bytes as DEFLATE data (RFC 1951), with levels from 1 to 9. */
export const deflateRaw = (bytes: Uint8Array, level = 6) => deflateRawSync(bytes, { level });

/** Packs bytes as a zlib stream (RFC 1950). */
export const deflate = (bytes: Uint8Array, level = 6) => deflateSync(bytes, { level });

/** Bytes of the rooms that zlib unpacks into, at least and at most: of its own accord 16 KB each, which stay held by what little was unpacked. */
const room = { least: 64, most: 16_384 };
/** Times of its packed length that data mostly takes. */
const growth = 4;
const roomFor = (bytes: Uint8Array, most: number) =>
  Math.min(room.most, Math.max(room.least, Math.min(most, bytes.length * growth)));

/** Unpacks whole DEFLATE data, and how many bytes of it that took; 'broken' where it is, 'large' where more than `most` bytes come out. */
export function inflateRaw(bytes: Uint8Array, most: number) {
  try {
    // What `info` adds to the answer is missing in its type.
    const result = inflateRawSync(bytes, {
      maxOutputLength: Math.max(1, most),
      chunkSize: roomFor(bytes, most),
      info: true,
    }) as unknown as {
      buffer: ReturnType<typeof inflateRawSync>;
      engine: { bytesWritten: number };
    };
    return { data: result.buffer, consumed: result.engine.bytesWritten };
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? 'large' : 'broken';
  }
}

const flushed = { finishFlush: constants.Z_SYNC_FLUSH };

/** Unpacks DEFLATE data that may stop anywhere; null where it is broken in another way, or more than `most` bytes come out. */
export function inflateCut(bytes: Uint8Array, most: number) {
  try {
    return inflateRawSync(bytes, { ...flushed, maxOutputLength: Math.max(1, most), chunkSize: roomFor(bytes, most) });
  } catch {
    return null;
  }
}

/** Whether a zlib stream (RFC 1950) is whole, by the sum at its end, and no more than `most` bytes come out; `mayStop`: behind a flush, too. */
export function inflates(bytes: Uint8Array, most: number, mayStop = false): boolean {
  try {
    inflateSync(bytes, { ...(mayStop ? flushed : {}), maxOutputLength: most });
    return true;
  } catch {
    return false;
  }
}

/** Unpacks DEFLATE data (RFC 1951), or gzip with its head (RFC 1952), one stretch after another, as far as it is whole. */
export class Inflating {
  readonly #stream: Gunzip | Inflate;
  #out: Uint8Array[] = [];
  isOver = false;

  constructor(isGzip: boolean) {
    const take = (bytes: Uint8Array, isLast: boolean) => {
      this.#out.push(bytes);
      this.isOver ||= isLast;
    };
    this.#stream = isGzip ? new Gunzip(take) : new Inflate(take);
  }

  /** The next stretch. */
  next(bytes: Uint8Array): Buffer {
    return this.#push(bytes, false);
  }

  /** What is left when nothing follows. */
  end(): Buffer {
    return this.#push(new Uint8Array(0), true);
  }

  #push(bytes: Uint8Array, isLast: boolean): Buffer {
    try {
      if (!this.isOver) this.#stream.push(bytes, isLast);
    } catch {
      this.isOver = true;
    }
    return Buffer.concat(this.#out.splice(0));
  }
}
