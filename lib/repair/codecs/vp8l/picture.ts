import { BitReader } from './bits';
import { begin, blocksOf, type Coded, type Place, readCodes, readImage } from './image';

/** Bits of the signature and of width, height, alpha and version (RFC 9649, 3.4). */
const headBits = 40;
const sideBits = 14;

/** What the encoder did to the pixels (3.5), in the order in which it did; blocks have sides of so many bits. */
export type Transform =
  | { kind: 'predictor' | 'colour'; bits: number; across: number; blocks: Int32Array }
  | { kind: 'green' }
  | { kind: 'palette'; colours: Int32Array; bits: number };

/** A lossless picture up to its first pixel. */
export type Lossless = {
  width: number;
  height: number;
  transforms: readonly Transform[];
  /** The bit at which its cache and codes begin, behind all that tells how pixels were changed. */
  codesAt: number;
  coded: Coded;
  first: Place;
};

/** Reads all that stands before the pixels of a lossless picture (3.4 to 3.7); null where it makes no sense, or is over. */
export function readLossless(data: Uint8Array): Lossless | null {
  const bits = new BitReader(data, 8);
  const width = bits.read(sideBits) + 1;
  const height = bits.read(sideBits) + 1;
  bits.at = headBits;
  const transforms: Transform[] = [];
  const used = new Set<number>();
  let across = width;
  while (bits.flag()) {
    const type = bits.read(2);
    const one = used.has(type) ? null : readTransform(bits, type, across, height);
    if (!one || bits.isOver) return null;
    used.add(type);
    transforms.push(one);
    if (one.kind === 'palette') across = blocksOf(across, one.bits);
  }
  const codesAt = bits.at;
  const coded = readCodes(bits, across, height, true);
  return coded && { width, height, transforms, codesAt, coded, first: begin(coded, bits) };
}

const paletteType = 3;
const greenType = 2;

function readTransform(bits: BitReader, type: number, width: number, height: number): Transform | null {
  if (type === greenType) return { kind: 'green' };
  if (type === paletteType) {
    const count = bits.read(8) + 1;
    const colours = readImage(bits, count, 1);
    // Up to 16 colours share the eight bits of a pixel's green (3.5.4).
    return colours && { kind: 'palette', colours, bits: count > 16 ? 0 : count > 4 ? 1 : count > 2 ? 2 : 3 };
  }
  const side = bits.read(3) + 2;
  const across = blocksOf(width, side);
  const blocks = readImage(bits, across, blocksOf(height, side));
  return blocks && { kind: type === 0 ? 'predictor' : 'colour', bits: side, across, blocks };
}
