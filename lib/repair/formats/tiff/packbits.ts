import { Buffer } from '../../host/bytes';

/** Decodes PackBits (TIFF 6.0, section 9). */
export function decodePackBits(source: Buffer, most: number): Buffer {
  // Two bytes give 128 at most.
  const output = Buffer.alloc(Math.min(most, source.length * 64 + 128));
  let length = 0;
  for (let at = 0; at < source.length && length < most; ) {
    const head = source.readInt8(at++);
    if (head >= 0) {
      const piece = source.subarray(at, Math.min(at + head + 1, at + most - length));
      piece.copy(output, length);
      length += piece.length;
      at += head + 1;
    } else if (head !== -128) {
      const end = Math.min(most, length + 1 - head);
      output.fill(source[at++] ?? 0, length, end);
      length = end;
    }
  }
  return output.subarray(0, length);
}

/** Where PackBits data that gives `wanted` bytes ends, if it gives exactly as many; -1 otherwise. */
export function packBitsEnd(source: Buffer, start: number, wanted: number): number {
  let [at, length] = [start, 0];
  while (length < wanted && at < source.length) {
    const head = source.readInt8(at);
    if (head >= 0) at += head + 2;
    else at += head === -128 ? 1 : 2;
    length += head >= 0 ? head + 1 : head === -128 ? 0 : 1 - head;
  }
  return length === wanted ? at : -1;
}
