import type { Buffer } from '../../host/bytes';
import { LineEnds, withoutReturns } from './lineends';
import { fromUtf8 } from './utf8';

/** The bytes as they were before a transfer changed them as text, what it had done, and how many bytes it had added. */
export type Undone = { bytes: Buffer; how: 'utf8' | 'added'; count: number };

/**
 * Ways in which the bytes may have been changed as text on their way, undone: every byte above 7f written as a character of UTF-8, or a CR
 * put before every LF, or both. Each can be undone without loss.
 */
export function undoings(bytes: Buffer): Undone[] {
  const found: Undone[] = [];
  const narrow = fromUtf8(bytes);
  if (narrow) found.push({ bytes: narrow, how: 'utf8', count: bytes.length - narrow.length });
  const before = narrow ?? bytes;
  if (!new LineEnds().add(before).areChanged) return found;
  const stripped = withoutReturns(before);
  return [...found, { bytes: stripped, how: 'added', count: bytes.length - stripped.length }];
}

/** What a format made of bytes, and how much that is worth: whole parts that were found, or damage below zero. */
type Judged<T> = { read: T; worth: number };

/**
 * The reading of a file before a transfer, where its format makes more of that than of the file as it is; null where it does not. Neither
 * is asked for unless the bytes speak for a transfer.
 */
export function beforeTransfer<T>(
  bytes: Buffer,
  asItIs: () => Judged<T>,
  readAs: (bytes: Buffer) => Judged<T>,
): { read: T; undone: Undone } | null {
  const candidates = undoings(bytes);
  if (candidates.length === 0) return null;
  let best: { read: T; undone: Undone } | null = null;
  let { worth: most } = asItIs();
  for (const undone of candidates) {
    const { read, worth } = readAs(undone.bytes);
    if (worth <= most) continue;
    best = { read, undone };
    most = worth;
  }
  return best;
}
