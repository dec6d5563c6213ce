import type { Buffer } from '../host/bytes';

/** Identifiers of the elements that hold a block, SimpleBlock and BlockGroup (RFC 9559, 5.1.3). */
const blockIds = new Set([0xa3, 0xa0]);
/** Blocks in a row, each of which leads to the next, that no other data holds by chance. */
const enough = 4;
/** Highest number of a track that is believed. */
const mostTracks = 15;
/** Bytes of an element's size at most (RFC 8794, 5). */
const mostSizeBytes = 4;

/** Where the block's element at a place ends, by its size; 0 where none begins, its track being no small number. */
function endOfBlock(bytes: Buffer, at: number): number {
  const id = bytes[at] ?? 0;
  if (!blockIds.has(id)) return 0;
  const width = Math.clz32(bytes[at + 1] ?? 0) - 23;
  if (width > mostSizeBytes || at + 1 + width > bytes.length) return 0;
  const body = at + 1 + width;
  const length = bytes.readUIntBE(at + 1, width) - 2 ** (7 * width);
  // A group holds its block first, with a size of its own.
  const inner = id === 0xa0 && bytes[body] === 0xa1 ? body + 1 + (Math.clz32(bytes[body + 1] ?? 0) - 23) : body;
  const track = (bytes[inner] ?? 0) - 0x80;
  return track >= 1 && track <= mostTracks && length > 4 ? body + length : 0;
}

/** Whether blocks of Matroska stand in a row, of a file that lost its head with the beginning of its clusters. */
export function holdsBlocks(bytes: Buffer): boolean {
  for (let start = bytes.indexOf(0xa3); start >= 0; start = bytes.indexOf(0xa3, start + 1)) {
    let [at, count] = [start, 0];
    for (let end = endOfBlock(bytes, at); end > 0 && end < bytes.length && count < enough; count++) {
      at = end;
      end = endOfBlock(bytes, at);
    }
    if (count === enough) return true;
  }
  return false;
}
