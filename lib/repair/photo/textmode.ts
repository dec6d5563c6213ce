import { Buffer } from '../host/bytes';
/** The bytes without the CR before each LF, when every LF has one, as after a transfer in text mode; null when nothing was added. */
export function withoutAddedReturns(bytes: Buffer): Buffer | null {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at - 1] !== 13) return null;
    lines++;
  }
  if (lines < 6) return null;
  const result = Buffer.allocUnsafe(bytes.length - lines);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 13 && bytes[at + 1] === 10) continue;
    result[length++] = bytes[at] ?? 0;
  }
  return result.subarray(0, length);
}
