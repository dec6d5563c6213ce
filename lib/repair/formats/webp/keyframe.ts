import { modesOf, readKeyFrame } from '../../codecs/vp8/frames';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import type { Size } from '../../report/facts/photo';

/**
 * A picture with a head that fits its data, and how its size is known: told by the file, found from its data to the pixel, or so that only the number
 * of its macroblocks is sure.
 */
export type Headed = { data: Buffer; size: Size; how: 'told' | 'found' | 'roughly' };

/** Bytes of the frame tag, the start code and the sides (RFC 6386, 9.1), and where the sides stand. */
const head = { bytes: 10, code: 3, width: 6, height: 8 };
const startCode = [0x9d, 0x01, 0x2a] as const;
/** Sides in pixels, the two bits above which scale the picture for display, and those of a macroblock. */
const most = 0x3fff;
const macroblock = 16;
/** The frame tag: bit 0 is 0 in key frames, the version is 3 at most, and the frame is shown (9.1); the size of the first partition stands above. */
const tag = { version: 1, latestVersion: 3, shown: 0x10, partition: 5, mostBytes: (1 << 19) - 1 };

/** Bytes that libwebp leaves over behind the modes of the last macroblock, and behind its coefficients: in 160 sound pictures of all its settings. */
const overModes = [0, 1] as const;
const mostOver = 2;
/** Bytes of data from which on it is no chance that a size that was searched for ends where they do. */
const leastSearched = 256;
/** What a bit of VP8 costs of one of H.264, and the decisions of a macroblock at least, which may take hardly a bit. */
const costOfBit = 2;
const decisions = 4;

/** What the head of a lossy picture tells: the bytes of its first partition, and its sides. */
type Head = Size & { first: number };

const headOf = (data: Buffer): Head => ({
  first: data.readUIntLE(0, 3) >> tag.partition,
  width: data.readUInt16LE(head.width) & most,
  height: data.readUInt16LE(head.height) & most,
});

const inMacroblocks = ({ width, height }: Size) => ({
  across: Math.ceil(width / macroblock),
  down: Math.ceil(height / macroblock),
});

/** The same data with a head that tells this, and otherwise only what it may tell. */
function withHead(data: Buffer, { first, width, height }: Head): Buffer {
  const result = Buffer.from(data);
  const version = ((data[0] ?? 0) >> tag.version) & 7;
  const kept = version <= tag.latestVersion ? version : 0;
  result.writeUIntLE(first * (1 << tag.partition) + tag.shown + (kept << tag.version), 0, 3);
  for (const [index, byte] of startCode.entries()) result[head.code + index] = byte;
  const own = headOf(data);
  if (own.width !== width) result.writeUInt16LE(width, head.width);
  if (own.height !== height) result.writeUInt16LE(height, head.height);
  return result;
}

/** Whether all partitions of a picture end with its last macroblock, as closely as libwebp ends them. */
function isReadExactly(data: Buffer, effort: Effort): boolean {
  effort.spend('sliceReading');
  effort.spend('sliceBit', data.length * 8 * costOfBit);
  const end = readKeyFrame(data);
  return end !== null && end.over <= mostOver && end.missing === 0;
}

/**
 * The heads with which a lossy picture ends where its data does: with the sides that it tells, or those that others tell of it (`told`), and the first
 * partition where it says or as long as its modes are. If there is none, with another width or height, if that is one only. Where nothing else tells
 * what it should be, it is a whole number of macroblocks.
 */
export function keyFramesOf(data: Buffer, told: readonly Size[], effort: Effort): Headed[] {
  if (data.length <= head.bytes) return [];
  const own = headOf(data);
  const sizes = [own, ...told].filter(({ width, height }) => isSide(width) && isSide(height));
  const known = sizes.filter(
    ({ width, height }, index) => sizes.findIndex((one) => one.width === width && one.height === height) === index,
  );
  const read = (heads: readonly Head[]) =>
    heads.flatMap((one) => {
      const tried = effort.isSpent ? null : withHead(data, one);
      return tried && isReadExactly(tried, effort) ? [{ data: tried, size: one }] : [];
    });
  const exact = (all: ReturnType<typeof read>) => all.map((one) => ({ ...one, how: 'told' as const }));
  const asTold = read(known.map(({ width, height }) => ({ first: own.first, width, height })));
  if (asTold.length > 0) return exact(asTold);
  const measured = read(
    known.flatMap((size) => partitionsFor(data, size, effort).map((first) => ({ ...size, first }))),
  );
  const isOne = new Set(measured.map((one) => headOf(one.data).first)).size === 1;
  if (measured.length > 0) return isOne ? exact(measured) : [];
  // A size that others tell as well is not what is wrong, nor is one that the modes end with.
  const isSure = told.some(({ width, height }) => width === own.width && height === own.height);
  if (isSure || data.length < leastSearched || endsAt(data, own, effort)) return [];
  const found = read([...otherHeights(data, own, effort), ...otherWidths(data, own, effort)]);
  return found.length === 1 ? found.map((one) => ({ ...one, how: 'roughly' })) : [];
}

/** Of several sizes with which data ends alike, with sides within one macroblock, that which holds all of them. */
export function oneOf(all: readonly Headed[]): Headed | null {
  const [first] = all;
  if (!first || all.length === 1) return first ?? null;
  const inside = all.map(({ size }) => inMacroblocks(size));
  if (inside.some(({ across, down }) => across !== inside[0]?.across || down !== inside[0].down)) return null;
  const width = Math.max(...all.map(({ size }) => size.width));
  const height = Math.max(...all.map(({ size }) => size.height));
  return {
    data: withHead(first.data, { ...headOf(first.data), width, height }),
    size: { width, height },
    how: 'roughly',
  };
}

const isSide = (side: number): boolean => side > 0 && side <= most;

/** The bytes that the first partition has up to the end of each row, with what that costs. */
function reachedBy(data: Buffer, size: { across: number; down: number }, effort: Effort): number[] {
  effort.spend('sliceReading');
  const reached = modesOf(data, size);
  effort.spend('sliceBit', ((reached.at(-1) ?? 0) * 8 + reached.length * size.across * decisions) * costOfBit);
  return reached;
}

/** How long the first partition of a picture of this size can be. */
function partitionsFor(data: Buffer, size: Size, effort: Effort): number[] {
  const inside = inMacroblocks(size);
  const reached = reachedBy(data, inside, effort);
  const last = reached[inside.down - 1];
  return last === undefined ? [] : overModes.map((over) => last + over).filter((first) => first <= tag.mostBytes);
}

const isEndOf = (first: number, reached: number | undefined): boolean =>
  reached !== undefined && overModes.some((over) => reached + over === first);

/** Whether the modes of a picture end with its first partition. */
function endsAt(data: Buffer, own: Head, effort: Effort): boolean {
  if (!isSide(own.width) || !isSide(own.height)) return false;
  const inside = inMacroblocks(own);
  return isEndOf(own.first, reachedBy(data, inside, effort)[inside.down - 1]);
}

/** The largest number of macroblocks on a side. */
const mostAcross = Math.ceil(most / macroblock);

function otherHeights(data: Buffer, own: Head, effort: Effort): Head[] {
  if (!isSide(own.width)) return [];
  const { across } = inMacroblocks(own);
  return reachedBy(data, { across, down: mostAcross }, effort).flatMap((reached, row) =>
    isEndOf(own.first, reached) ? [{ ...own, height: Math.min(most, (row + 1) * macroblock) }] : [],
  );
}

function otherWidths(data: Buffer, own: Head, effort: Effort): Head[] {
  if (!isSide(own.height)) return [];
  const { down } = inMacroblocks(own);
  const found: Head[] = [];
  const first = data.subarray(0, Math.min(data.length, head.bytes + own.first + overModes.length));
  for (let across = 1; across <= mostAcross && !effort.isSpent; across++)
    if (isEndOf(own.first, reachedBy(first, { across, down }, effort)[down - 1]))
      found.push({ ...own, width: Math.min(most, across * macroblock) });
  return found;
}
