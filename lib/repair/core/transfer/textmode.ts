import type { DocumentTold } from '../../families/document';
import { Buffer } from '../../host/bytes';

/** The bytes as they were before a transfer changed them, what it had done, and how many bytes it had added. */
export type Undone = { bytes: Buffer; kind: 'textmode.utf8' | 'textmode.added'; count: number };

/** Tells what was undone. */
export function tellUndone({ damages, steps }: DocumentTold, { kind, count }: Undone): void {
  damages.push({ kind, offset: 0 });
  steps.push({ kind, count });
}

/** Fewer line ends than this all having a CR may be chance. */
const leastLines = 4;

/** Share of line ends that may lack their CR where further damage fell on them. */
const mostBare = 0.02;

/**
 * Ways in which the bytes may have been changed as text on their way, undone: a CR before every LF, or every byte above 7f written as a
 * character of UTF-8. Both can be undone without loss; whether that makes a readable file the caller must see.
 */
export function withoutTextMode(bytes: Buffer): Undone[] {
  const found: Undone[] = [];
  const narrow = fromUtf8(bytes);
  if (narrow) found.push({ bytes: narrow, kind: 'textmode.utf8', count: bytes.length - narrow.length });
  const stripped = withoutReturns(narrow ?? bytes);
  if (stripped) found.push({ bytes: stripped, kind: 'textmode.added', count: bytes.length - stripped.length });
  return found;
}

/** The bytes without the CR before each LF; null unless nearly every LF has one. */
function withoutReturns(bytes: Buffer): Buffer | null {
  let lines = 0;
  let bare = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    lines++;
    if (bytes[at - 1] !== 13) bare++;
  }
  if (lines < leastLines || bare > lines * mostBare) return null;
  const result = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 13 && bytes[at + 1] === 10) continue;
    result[length++] = bytes[at] ?? 0;
  }
  return result.subarray(0, length);
}

/** Bytes out of characters below 100 hex in UTF-8; null when anything else is among them, or nothing needed two bytes. */
function fromUtf8(bytes: Buffer): Buffer | null {
  const result = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      result[length++] = byte;
      continue;
    }
    const next = bytes[at + 1] ?? 0;
    // The last character may be cut in two.
    if (at + 1 === bytes.length && (byte === 0xc2 || byte === 0xc3)) break;
    if ((byte !== 0xc2 && byte !== 0xc3) || (next & 0xc0) !== 0x80) return null;
    result[length++] = ((byte & 3) << 6) | (next & 0x3f);
    at++;
  }
  return length < bytes.length ? result.subarray(0, length) : null;
}
