import type { Deadline, Effort } from '../../report';
import { type Codes, codesOf, fixedCodes, peekBits, readCodeLengths } from './codes';

/** How a block begins (RFC 1951, 3.2.3): with stored bytes, whose length stands at byte `at`, or with codes and symbols from bit `bit` on. */
export type BlockHead = { final: boolean } & (
  | { kind: 'stored'; at: number }
  | { kind: 'codes'; codes: Codes; bit: number; isOwn: boolean }
  | { kind: 'none' }
);

/** Bits of the head of a block, and of the lengths of a stored one (3.2.4). */
export const headBits = 3;
const storedLengthBytes = 4;

/** Whether a block that begins at a bit would bring codes of its own. */
export const hasOwnCodes = (bytes: Uint8Array, bit: number): boolean => (peekBits(bytes, bit) & 6) === 4;

/** The head of the block that begins at a bit; the codes of `isOwn` are its own and not those of all. */
export function blockHead(bytes: Uint8Array, bit: number): BlockHead {
  const head = peekBits(bytes, bit);
  const final = (head & 1) === 1;
  const type = (head >> 1) & 3;
  if (type === 0) return { final, kind: 'stored', at: (bit + headBits + 7) >>> 3 };
  if (type === 1) return { final, kind: 'codes', codes: fixedCodes(), bit: bit + headBits, isOwn: false };
  const lengths = type === 2 ? readCodeLengths(bytes, bit + headBits) : null;
  return lengths
    ? { final, kind: 'codes', codes: codesOf(lengths), bit: lengths.end, isOwn: true }
    : { final, kind: 'none' };
}

/** The length of a stored block, by the bytes before its first one; `bad` when its complement does not fit, `input` when they lie beyond `end`. */
export function storedLength(bytes: Uint8Array, at: number, end: number): number | 'bad' | 'input' {
  if (at + storedLengthBytes > end) return 'input';
  const word = (place: number) => (bytes[place] ?? 0) | ((bytes[place + 1] ?? 0) << 8);
  const length = word(at);
  return (length ^ word(at + 2)) === 0xffff ? length : 'bad';
}

/** Where the bytes of a stored block begin. */
export const storedBytesAt = (at: number): number => at + storedLengthBytes;

/** Whether the header of a dynamic block goes on at `bit` and ends before `end`; chance bits hardly ever make one. */
export function isBlockHeader(source: Uint8Array, bit: number, end: number): boolean {
  return (readCodeLengths(source, bit)?.end ?? Number.POSITIVE_INFINITY) <= end;
}

/**
 * Bit of the next place at or after `from`, below `end`, where the input ends, that may be the head of a stored block: bytes of a length and its complement (RFC 1951,
 * 3.2.4), which chance makes once in 65,536, with another head behind as many bytes, or the end. The head is taken to be the last bits before
 * the length, whose first may be padding, so that a last block may not show as such. -1 where there is none.
 */
export function nextStoredHeader(source: Uint8Array, from: number, end: number, effort: Effort): number {
  const first = (from + headBits + 7) >>> 3;
  const last = (end >>> 3) - storedLengthBytes;
  let at = first;
  while (at < last && !isStoredLength(source, at, end >>> 3)) at++;
  effort.spend('headerBit', (at - first) * 8);
  return at < last ? at * 8 - headBits : -1;
}

/** Bytes of the check sum that a stream ends with at most (RFC 1952, 2.3.1). */
const longestEnd = 8;
/** The type of a block that ends with its byte, and is 0 for stored ones (3.2.3). */
const typeBits = 0xc0;

/** Whether the length of a stored block may stand at a byte, behind its head. */
function isStoredLength(source: Uint8Array, at: number, input: number): boolean {
  if (((source[at - 1] ?? 0) & typeBits) !== 0) return false;
  const length = storedLength(source, at, input);
  if (typeof length === 'string') return false;
  const end = storedBytesAt(at) + length;
  if (end + longestEnd >= input) return end <= input;
  const next = blockHead(source, end * 8);
  if (next.kind === 'stored') return storedLength(source, next.at, input) !== 'bad';
  // Codes of all are those of a short end, if any.
  return next.kind === 'codes' && (next.isOwn || next.final);
}

/** Bits that a block must have behind its header to be looked for. */
const leastBehind = 100;

/** Bit position of the next plausible header of a dynamic block at or after `from`, below `to`; -1 when there is none. */
export function nextHeader(source: Uint8Array, from: number, to: number, end: number, deadline: Deadline): number {
  let bit = from;
  let found = -1;
  for (; bit < to && bit + leastBehind < end && found < 0; bit++) {
    if ((bit & 0xffff) === 0) deadline.check();
    if (hasOwnCodes(source, bit) && isBlockHeader(source, bit + headBits, end)) found = bit;
  }
  deadline.effort.spend('headerBit', bit - from);
  return found;
}
