import { Buffer } from '../../../host/bytes';
import type { Candidate } from '../layout';

/** Bytes from the beginning on in which the signature of a kind is looked for. */
const searched = 1 << 16;

/** The file from its maker's signature on, which stands `place` bytes behind its beginning; nothing where it is not found further in. */
export function* behindSignature(bytes: Buffer, signature: Buffer, place: number): Generator<Candidate> {
  const at = bytes.subarray(0, searched).indexOf(signature);
  if (at > place) yield { data: bytes.subarray(at - place), steps: [{ kind: 'head', how: 'cut', bytes: at - place }] };
}

/** The file with another head in place of its first bytes. The rest stays as it is. */
export const withHead = (bytes: Buffer, head: Buffer, how: 'written' | 'leads'): Candidate => ({
  data: Buffer.concat([head, bytes.subarray(head.length)]),
  steps: [{ kind: 'head', how }],
});
