import type { Buffer } from '../../host/bytes';
import { inflateCut, inflateRaw } from '../../host/packing';
import { LimitError } from '../../report';
import { adler32 } from '../sums';
import { inflateTolerant, type Salvage, type SalvageOptions } from './inflate';

/** Strict inflate of raw DEFLATE data by zlib; null when the data is broken or not ended. LimitError when it grows past the limit. */
export function inflateStrict(source: Uint8Array, maxOutput: number): { data: Buffer; consumed: number } | null {
  const result = inflateRaw(source, maxOutput);
  if (result === 'large') throw new LimitError('The compressed content grows to more than this tool opens.');
  return result === 'broken' ? null : result;
}

/** Bytes of packed data up to which beginning with zlib, and what it makes of an error, takes longer than reading them tolerantly. */
const tiny = 128;

/** Inflates with zlib first, since it is a hundred times faster, and with the tolerant reader only when that fails. */
export function inflateSalvage(source: Uint8Array, options: SalvageOptions): Salvage {
  if (options.clip && source.length <= tiny) return inflateTolerant(source, options);
  const strict = options.clip ? inflateClipped(source, options.maxOutput) : inflateStrict(source, options.maxOutput);
  if (strict === 'clipped') return inflateTolerant(source, options);
  if (strict) return { ...strict, complete: true, firstError: null, overflow: false };
  const cut = options.clip ? null : inflateCut(source, options.maxOutput);
  if (cut) return { data: cut, complete: false, firstError: cut.length, consumed: source.length, overflow: false };
  return inflateTolerant(source, options);
}

function inflateClipped(source: Uint8Array, most: number): ReturnType<typeof inflateStrict> | 'clipped' {
  try {
    return inflateStrict(source, most);
  } catch {
    return 'clipped';
  }
}

/** Bytes of a zlib header (RFC 1950) at `at`: 2, or 0 when there is none. */
export function zlibHeaderLength(source: Uint8Array, at = 0): number {
  const first = source[at] ?? 0;
  const second = source[at + 1] ?? 0;
  return (first & 15) === 8 && first >> 4 <= 7 && ((first << 8) | second) % 31 === 0 && (second & 32) === 0 ? 2 : 0;
}

/**
 * Inflates zlib-wrapped data tolerantly; a missing or broken two-byte header is stepped over, a missing check sum is no damage, a wrong
 * one (RFC 1950, 2.2) makes the data incomplete with an unknown place of error.
 */
export function inflateZlib(source: Uint8Array, options: SalvageOptions): Salvage {
  const header = zlibHeaderLength(source);
  const first = inflateSalvage(source.subarray(header), options);
  if (first.complete && header > 0 && !checkSumFits(source, first.consumed + header, first.data)) {
    return { ...first, consumed: first.consumed + header, complete: false, firstError: null };
  }
  if (first.complete || header > 0) return { ...first, consumed: first.consumed + header };
  const second = inflateSalvage(source.subarray(2), options);
  const better: Salvage =
    second.complete || second.data.length > first.data.length ? { ...second, consumed: second.consumed + 2 } : first;
  return better;
}

function checkSumFits(source: Uint8Array, at: number, data: Buffer): boolean {
  if (at + 4 > source.length) return true;
  return new DataView(source.buffer, source.byteOffset).getUint32(at) === adler32(data);
}
