import type { Buffer } from '../host/bytes';

/** What the head of a frame of VC-3, as DNxHD and DNxHR write it, says: sides in pixels, and the bytes of the frame (SMPTE ST 2019-1, 7.2). */
export type DnxHead = { width: number; height: number; length: number; isScaled: boolean };

/** Bytes of the head that are read, its prefix, and the versions that follow it. */
export const dnxHeadBytes = 44;
export const dnxMark = [0x00, 0x00, 0x02, 0x80] as const;
const versions = { least: 1, most: 3 };
/** Where the fields lie: lines, samples of a line, and the compression that names all else. */
const field = { lines: 24, samples: 26, compression: 40 };

/** Bytes of a frame by its compression, of pictures that have one size (DNxHD). */
const fixed: Readonly<Record<number, number>> = {
  1235: 917_504,
  1237: 606_208,
  1238: 917_504,
  1241: 917_504,
  1242: 606_208,
  1243: 917_504,
  1250: 458_752,
  1251: 458_752,
  1252: 303_104,
  1253: 917_504,
  1256: 1_835_008,
  1258: 212_992,
  1259: 417_792,
  1260: 417_792,
};
/** 255 times the bytes of a macroblock, of pictures of any size (DNxHR): 4:4:4, HQX, HQ, SQ, LB. */
const scaled: Readonly<Record<number, number>> = { 1270: 57_344, 1271: 28_672, 1272: 28_672, 1273: 18_944, 1274: 5888 };
const scale = 255;
/** Frames of any size are filled up to whole steps of bytes, the nearest one, and have at least two. */
const step = 4096;

/** Reads the head of a frame; null for what none can be. */
export function readDnxHead(head: Buffer): DnxHead | null {
  if (head.length < dnxHeadBytes || dnxMark.some((byte, index) => head[index] !== byte)) return null;
  const version = head[dnxMark.length] ?? 0;
  const [height, width] = [head.readUInt16BE(field.lines), head.readUInt16BE(field.samples)];
  const compression = head.readUInt32BE(field.compression);
  if (version < versions.least || version > versions.most || width === 0 || height === 0) return null;
  const own = fixed[compression];
  if (own) return { width, height, length: own, isScaled: false };
  const perBlock = scaled[compression];
  if (!perBlock) return null;
  const blocks = ((width + 15) >> 4) * ((height + 15) >> 4);
  const steps = Math.floor((Math.floor((blocks * perBlock) / scale) + step / 2) / step);
  return { width, height, length: Math.max(2, steps) * step, isScaled: true };
}
