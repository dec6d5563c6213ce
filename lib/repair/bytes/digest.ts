import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileDigest } from '../report';

/** Length and SHA-256 of a file, read in pieces. Rejects with the file system's error. */
export async function digestFile(path: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const piece = chunk as Buffer;
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
