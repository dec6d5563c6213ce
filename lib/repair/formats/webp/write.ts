import { Buffer } from '../../host/bytes';
import { pictureAt } from './bitstream';
import { fileHeadBytes, frameHeadBytes, headBytes, isPicture, readChunks, type WebpParts, writeChunk } from './chunks';

/** Flags of `VP8X` (RFC 9649, 2.7.1), by the chunk that each promises. */
const flags: Record<string, number> = { ICCP: 0x20, ALPH: 0x10, EXIF: 0x08, 'XMP ': 0x04, ANMF: 0x02 };
const alphaFlag = 0x10;
/** The order in which chunks stand (2.7), those that are not named as they were. */
const order = ['ICCP', 'ANIM', 'ALPH', 'VP8 ', 'VP8L', 'ANMF', 'EXIF', 'XMP '];
/** Background and number of loops of an animation that lost them (2.7.1.1): transparent, and for ever. */
const usualAnimation = Buffer.alloc(6);

/** The file that chunks make. */
export function written(parts: WebpParts): Buffer {
  const isAnimated = parts.some(({ type }) => type === 'ANMF');
  const all =
    isAnimated && !parts.some(({ type }) => type === 'ANIM')
      ? [...parts, { type: 'ANIM', data: usualAnimation }]
      : parts;
  const sorted = [...all].sort((one, other) => order.indexOf(one.type) - order.indexOf(other.type));
  const isSimple = sorted.length === 1 && sorted.every(isPicture);
  const chunks = sorted.map(({ type, data }) => writeChunk(type, data));
  const body = Buffer.concat(isSimple ? chunks : [writeChunk('VP8X', extended(sorted)), ...chunks]);
  const head = Buffer.alloc(fileHeadBytes);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(body.length + fileHeadBytes - headBytes, 4);
  head.write('WEBP', 8, 'latin1');
  return Buffer.concat([head, body]);
}

/** The extended header: what other chunks there are, and the size of the canvas (2.7.1). */
function extended(parts: WebpParts): Buffer {
  const header = Buffer.alloc(10);
  let [bits, width, height] = [0, 1, 1];
  for (const { type, data } of parts) {
    bits |= flags[type] ?? 0;
    const shown = type === 'ANMF' ? frameOf(data) : isPicture({ type }) ? pictureAt(data, 0) : null;
    if (!shown) continue;
    if (shown.hasAlpha) bits |= alphaFlag;
    [width, height] = [Math.max(width, shown.width), Math.max(height, shown.height)];
  }
  header[0] = bits;
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  return header;
}

/** How far a frame of an animation reaches, and whether it has alpha values: its place in pairs of pixels and its sides less one (2.7.1.1). */
function frameOf(data: Buffer): { width: number; height: number; hasAlpha: boolean } {
  const word = (at: number) => data.readUIntLE(at, 3);
  const { chunks } = readChunks(data, frameHeadBytes, data.length);
  const hasAlpha = chunks.some(
    ({ type, start }) => type === 'ALPH' || (type === 'VP8L' && pictureAt(data, start)?.hasAlpha),
  );
  return { width: word(0) * 2 + word(6) + 1, height: word(3) * 2 + word(9) + 1, hasAlpha };
}
