import type { Buffer } from '../../host/bytes';
import { BitReader } from '../bits';

/** What a video object layer says of how its planes are coded (ISO/IEC 14496-2, 6.2.3). */
export type LayerFields = {
  width: number;
  height: number;
  /** Bits of vop_time_increment. */
  clockBits: number;
  interlaced: boolean;
  resync_marker_disable: boolean;
};

/** Start codes of a layer, first and last, and of a plane (table 6-3). */
export const codes = { firstLayer: 0x20, lastLayer: 0x2f, plane: 0xb6 } as const;
/** aspect_ratio_info that a ratio of its own follows, and bits of the parameters of a buffer (6.2.3). */
const ownRatio = 15;
const bufferBits = 79;
const mostMatrix = 64;

/** vop_coding_type (table 6-20). */
export const planeTypes = { intra: 0, predicted: 1, between: 2, sprite: 3 } as const;

/** A matrix of quantisers: up to 64 bytes, the last of which is zero where there are fewer. */
function skipMatrix(bits: BitReader): void {
  if (bits.bit() === 0) return;
  for (let count = 0; count < mostMatrix && bits.take(8) !== 0; count++);
}

/** The version of the layer's syntax, behind its type. */
function versionOf(bits: BitReader): number {
  if (bits.bit() === 0) return 1;
  const version = bits.take(4);
  bits.skip(3);
  return version;
}

/** Passes over the aspect ratio and the parameters of control. */
function skipControl(bits: BitReader): void {
  if (bits.take(4) === ownRatio) bits.skip(16);
  if (bits.bit() === 0) return;
  bits.skip(3);
  if (bits.bit() === 1) bits.skip(bufferBits);
}

/**
 * Reads a layer behind its start code; null where it has what is not read here: shapes, sprites, overlapped motion, other depths of samples,
 * data in partitions, more layers.
 */
export function readLayer(layer: Buffer): LayerFields | null {
  const bits = new BitReader(layer);
  bits.skip(9);
  const version = versionOf(bits);
  skipControl(bits);
  const isRectangle = bits.take(2) === 0;
  const marked = bits.bit();
  const resolution = bits.take(16);
  if (!isRectangle || marked + bits.bit() < 2 || resolution === 0) return null;
  const clockBits = Math.max(1, 32 - Math.clz32(resolution - 1));
  if (bits.bit() === 1) bits.skip(clockBits);
  bits.skip(1);
  const width = bits.take(13);
  bits.skip(1);
  const height = bits.take(13);
  bits.skip(1);
  const interlaced = bits.bit() === 1;
  const isPlain = bits.bit() === 1;
  const sprite = bits.take(version === 1 ? 1 : 2);
  // Samples of other depths than eight bits.
  if (!isPlain || sprite !== 0 || bits.bit() === 1) return null;
  if (bits.bit() === 1) {
    skipMatrix(bits);
    skipMatrix(bits);
  }
  if (version !== 1) bits.skip(1);
  const isEstimated = bits.bit() === 0;
  const resync_marker_disable = bits.bit() === 1;
  const isPartitioned = bits.bit() === 1;
  const isOfLaterTools = version !== 1 && bits.take(2) !== 0;
  const isScaled = bits.bit() === 1;
  if (isEstimated || isPartitioned || isOfLaterTools || isScaled || bits.over || width * height === 0) return null;
  return { width, height, clockBits, interlaced, resync_marker_disable };
}

/**
 * The beginning of a plane (6.2.5); `body` is the place in bits of its first macroblock, and `left` tells of a plane between others which
 * macroblocks it leaves out, once that was asked: null where it is not known.
 */
export type PlaneFields = {
  vop_coding_type: number;
  vop_coded: boolean;
  /** Quantisers from which on DC is coded like other coefficients. */
  dcUntil: number;
  quantiser: number;
  vop_fcode_forward: number;
  vop_fcode_backward: number;
  body: number;
  left?: Uint8Array | null;
};

/** By intra_dc_vlc_thr (table 6-21). */
const dcUntil = [32, 13, 15, 17, 19, 21, 23, 0];
/** Seconds that one plane may lie behind the one before: more are damage. */
const mostSeconds = 60;

/** Passes over the clock of a plane, or of a packet of it; false where its markers are missing. */
export function skipClock(bits: BitReader, clockBits: number): boolean {
  let seconds = 0;
  while (seconds <= mostSeconds && bits.bit() === 1) seconds++;
  if (seconds > mostSeconds || bits.bit() === 0) return false;
  bits.skip(clockBits);
  return bits.bit() === 1;
}

/** What stands between the clock and the first macroblock of a plane that is coded, in frames or in fields; `at` is its place in bits. */
export function readCoding(unit: Buffer, at: number, vop_coding_type: number, interlaced = false) {
  const bits = new BitReader(unit);
  bits.skip(at);
  if (vop_coding_type === planeTypes.predicted) bits.skip(1);
  const threshold = bits.take(3);
  if (interlaced) bits.skip(2);
  const quantiser = bits.take(5);
  const vop_fcode_forward = vop_coding_type === planeTypes.intra ? 1 : bits.take(3);
  const vop_fcode_backward = vop_coding_type === planeTypes.between ? bits.take(3) : 1;
  return {
    ...{ vop_coding_type, quantiser, vop_fcode_forward, vop_fcode_backward },
    dcUntil: dcUntil[threshold] ?? 0,
    body: bits.position,
  };
}

/** Reads the head of a plane, from the last byte of its start code on; null where it is none. */
export function readPlaneFields(unit: Buffer, layer: LayerFields): PlaneFields | null {
  const bits = new BitReader(unit, 1);
  const vop_coding_type = bits.take(2);
  if (!skipClock(bits, layer.clockBits)) return null;
  const vop_coded = bits.bit() === 1;
  const coding = readCoding(unit, bits.position, vop_coding_type, layer.interlaced);
  if (!vop_coded) return { ...coding, vop_coded };
  const { quantiser, vop_fcode_forward, vop_fcode_backward, body } = coding;
  const isPlane = quantiser > 0 && vop_fcode_forward > 0 && vop_fcode_backward > 0 && body <= unit.length * 8;
  return isPlane ? { ...coding, vop_coded } : null;
}
