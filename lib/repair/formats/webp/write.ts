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

/** The file that chunks make; of an extended header only the size of the canvas is taken. */
export function written(given: WebpParts): Buffer {
  const [old] = given.filter(({ type }) => type === 'VP8X');
  const parts = given.filter(({ type }) => type !== 'VP8X');
  const isAnimated = parts.some(({ type }) => type === 'ANMF');
  const all =
    isAnimated && !parts.some(({ type }) => type === 'ANIM')
      ? [...parts, { type: 'ANIM', data: usualAnimation }]
      : parts;
  const sorted = [...all].sort((one, other) => order.indexOf(one.type) - order.indexOf(other.type));
  const isSimple = sorted.length === 1 && sorted.every(isPicture);
  const chunks = sorted.map(({ type, data }) => writeChunk(type, data));
  const body = Buffer.concat(isSimple ? chunks : [writeChunk('VP8X', extended(sorted, old?.data)), ...chunks]);
  const head = Buffer.alloc(fileHeadBytes);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(body.length + fileHeadBytes - headBytes, 4);
  head.write('WEBP', 8, 'latin1');
  return Buffer.concat([head, body]);
}

/** Bytes of the extended header, and where the sides of its canvas stand, less one (2.7.1). */
const extendedHead = { bytes: 10, width: 4, height: 7 };
/** How many times as far as its frames reach the canvas of an animation goes at most, where it is believed. */
const mostBeyond = 2;

/** How far the frames of an animation reach, and whether one of them covers all of that: then it is the canvas, as mostly the first one is. */
export function reachOf(parts: WebpParts): { width: number; height: number; isCovered: boolean } {
  const frames = parts.filter(({ type }) => type === 'ANMF').map(({ data }) => frameOf(data));
  const width = Math.max(1, ...frames.map((frame) => frame.width));
  const height = Math.max(1, ...frames.map((frame) => frame.height));
  return {
    width,
    height,
    isCovered: frames.some((frame) => frame.isAtCorner && frame.width === width && frame.height === height),
  };
}

/** The extended header: what other chunks there are, and the size of the canvas (2.7.1), which the frames of an animation may leave the last of free. */
function extended(parts: WebpParts, old: Buffer | undefined): Buffer {
  const header = Buffer.alloc(extendedHead.bytes);
  let [bits, width, height] = [0, 1, 1];
  for (const { type, data } of parts) {
    bits |= flags[type] ?? 0;
    const shown = type === 'ANMF' ? frameOf(data) : isPicture({ type }) ? pictureAt(data, 0) : null;
    if (!shown) continue;
    if (shown.hasAlpha) bits |= alphaFlag;
    [width, height] = [Math.max(width, shown.width), Math.max(height, shown.height)];
  }
  if (old && parts.some(({ type }) => type === 'ANMF')) {
    const { width: across, height: down } = canvasOf(old);
    const isBeyond = across > width * mostBeyond || down > height * mostBeyond;
    if (across >= width && down >= height && !isBeyond) [width, height] = [across, down];
  }
  header[0] = bits;
  header.writeUIntLE(width - 1, extendedHead.width, 3);
  header.writeUIntLE(height - 1, extendedHead.height, 3);
  return header;
}

/** The canvas that an extended header tells; none where it is cut. */
export const canvasOf = (header: Buffer): { width: number; height: number } =>
  header.length < extendedHead.bytes
    ? { width: 0, height: 0 }
    : { width: header.readUIntLE(extendedHead.width, 3) + 1, height: header.readUIntLE(extendedHead.height, 3) + 1 };

/** How far a frame of an animation reaches, whether it has alpha values and begins in the corner: its place in pairs of pixels and its sides less one (2.7.1.1). */
function frameOf(data: Buffer): { width: number; height: number; hasAlpha: boolean; isAtCorner: boolean } {
  const word = (at: number) => data.readUIntLE(at, 3);
  const { chunks } = readChunks(data, frameHeadBytes, data.length);
  const hasAlpha = chunks.some(
    ({ type, start }) => type === 'ALPH' || (type === 'VP8L' && pictureAt(data, start)?.hasAlpha),
  );
  return {
    width: word(0) * 2 + word(6) + 1,
    height: word(3) * 2 + word(9) + 1,
    hasAlpha,
    isAtCorner: word(0) === 0 && word(3) === 0,
  };
}
