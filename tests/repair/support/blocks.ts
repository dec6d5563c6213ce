/** Places and sizes of the blocks of the first track, SimpleBlocks with sizes of two bytes or more (RFC 9559, 10.2). */
export function framesOf(bytes: Buffer): { from: number; to: number }[] {
  const frames: { from: number; to: number }[] = [];
  const first = bytes.indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75]));
  for (let at = first; at < bytes.length - 8; at++) {
    if (bytes[at] !== 0xa3) continue;
    const width = Math.clz32(bytes[at + 1] ?? 0) - 23;
    if (width < 1 || width > 3) continue;
    const size = bytes.readUIntBE(at + 1, width) & (2 ** (7 * width) - 1);
    const body = at + 1 + width;
    if (bytes[body] !== 0x81 || body + size > bytes.length) continue;
    frames.push({ from: body + 4, to: body + size });
    at = body + size - 1;
  }
  return frames;
}
