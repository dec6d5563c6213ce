import { Buffer } from '../../host/bytes';

/** A file without a stretch that stood in it twice, and how many bytes that took out. */
export type Once = { bytes: Buffer; how: 'twice'; count: number };

/** Lengths of what is stored or sent at a time: sectors and clusters, and what packets of usual networks carry (RFC 9293, 3.7.1; RFC 791). */
const lengths = [
  ...[512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536],
  ...[536, 1380, 1400, 1440, 1448, 1460],
] as const;
/** Bytes of the longest stretch that is looked for. */
export const longestRepeat = Math.max(...lengths);
/** Bytes between the places that are compared, bytes that speak for looking closer, and by how many more than the stretch two neighbours may agree. */
const sparse = { step: 64, glance: 8, beyond: 4 };
/** Kinds of bytes in a stretch below which it is text, rows of one colour or the like, which repeat by themselves. */
const leastKinds = 64;

/**
 * The file without the second of two stretches that follow each other and are the same, byte for byte and no longer than what is copied at
 * a time; null where there is none. Whether it was one is for the file's format to say.
 */
export function withoutRepeat(bytes: Buffer): Once | null {
  const repeat = repeatIn(bytes);
  if (!repeat) return null;
  const { from, length } = repeat;
  const once = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
  return { bytes: once, how: 'twice', count: length };
}

/** Where the second of two such stretches begins, and how long it is, in bytes. */
export function repeatIn(bytes: Buffer): { from: number; length: number } | null {
  for (const length of lengths) {
    for (let at = 0; at + length + sparse.glance <= bytes.length; at += sparse.step) {
      if (bytes[at] !== bytes[at + length] || isEven(bytes, at) || !isAlike(bytes, at, length)) continue;
      const { from, to } = runAround(bytes, at, length);
      at = Math.max(at, to - (to % sparse.step));
      if (to - from < length || to - from > length + sparse.beyond) {
        // Of what repeats all the time every place would be looked around again.
        if (to - from > length) at = Math.max(at, endOfRun(bytes, at, length));
        continue;
      }
      if (new Set(bytes.subarray(from, from + length)).size < leastKinds) continue;
      return { from: from + length, length };
    }
  }
  return null;
}

/** Whether one byte stands here over and over: a wiped stretch is like itself everywhere. */
function isEven(bytes: Buffer, at: number): boolean {
  for (let step = 1; step < sparse.glance; step++) if (bytes[at + step] !== bytes[at]) return false;
  return true;
}

const isAlike = (bytes: Buffer, at: number, length: number): boolean =>
  bytes.compare(bytes, at + length, at + length + sparse.glance, at, at + sparse.glance) === 0;

/** The last place of a glance, from `at` on, up to which bytes are the same as those `length` further on. */
function endOfRun(bytes: Buffer, at: number, length: number): number {
  let to = at;
  while (to + length < bytes.length && bytes[to] === bytes[to + length]) to++;
  return to - (to % sparse.step);
}

/** The stretch around a place that is the same as what follows it by `length` bytes, looked at as far as tells how long it is. */
function runAround(bytes: Buffer, at: number, length: number): { from: number; to: number } {
  let [from, to] = [at, at];
  const most = length + sparse.beyond + 1;
  while (from > 0 && at - from < most && bytes[from - 1] === bytes[from - 1 + length]) from--;
  while (to + length < bytes.length && to - from < most && bytes[to] === bytes[to + length]) to++;
  return { from, to };
}
