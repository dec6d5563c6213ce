import { isBoxType } from '../../core/boxes';
import type { Buffer } from '../../host/bytes';

/** Flags of a full box and how many bytes each adds to it (ISO/IEC 14496-12, 8.8.7.1 and 8.8.8.1). */
type Optional = readonly (readonly [flag: number, bytes: number])[];

const headFields: Optional = [
  [0x1, 8],
  [0x2, 4],
  [0x8, 4],
  [0x10, 4],
  [0x20, 4],
];
const runFields: Optional = [
  [0x1, 4],
  [0x4, 4],
];
const sampleFields: Optional = [
  [0x100, 4],
  [0x200, 4],
  [0x400, 4],
  [0x800, 4],
];

/** Bytes of tfhd up to the first field that may be missing, and of trun; 8.8.12, tfdt in version 1. */
const leastBytes = 16;
const wideTime = 20;

const bytesOf = (fields: Optional, flags: number) =>
  fields.reduce((sum, [flag, bytes]) => sum + (flags & flag ? bytes : 0), 0);
const flagsOf = (bytes: Buffer, at: number) => bytes.readUInt32BE(at + 8) & 0xffffff;

/** The size of a box where another one, or the end of all, follows it; 0 where it leads nowhere. */
function sizeOf(bytes: Buffer, at: number): number {
  const size = bytes.readUInt32BE(at);
  const end = at + size;
  const isEnd =
    end === bytes.length || (end + 8 <= bytes.length && isBoxType(bytes.toString('latin1', end + 4, end + 8)));
  return size >= leastBytes && isEnd ? size : 0;
}

/** Flags that differ in one bit from what stands there, of those that say which fields there are. */
const otherFlags = (flags: number, fields: Optional) => fields.map(([flag]) => flags ^ flag);

/** Flags of the heads and runs of each track that its boxes bore out, and whether others were seen of which they must tell. */
export type UsualFlags = { heads: Map<number, number>; runs: Map<number, number>; isAsked: boolean };
export const noFlags = (): UsualFlags => ({ heads: new Map(), runs: new Map(), isAsked: false });

/** The only one that fits, or, of several, that with the usual flags; undefined where none is. */
function chosen<T extends { flags: number }>(
  all: readonly T[],
  usual: UsualFlags,
  known: number | undefined,
): T | undefined {
  const told = all.length > 1 ? all.filter(({ flags }) => flags === known) : all;
  if (all.length > 1) usual.isAsked = true;
  return told.length === 1 ? told[0] : undefined;
}

/** The flags of a track fragment header (tfhd) that its size bears out: one bit of them may be wrong. */
export function headFlags(bytes: Buffer, at: number, usual: UsualFlags): { flags: number; isWrong: boolean } {
  const [flags, track] = [flagsOf(bytes, at), bytes.readUInt32BE(at + 12)];
  const size = sizeOf(bytes, at);
  const fits = (one: number) => leastBytes + bytesOf(headFields, one) === size;
  if (size > 0 && fits(flags)) usual.heads.set(track, flags);
  else if (size > 0) {
    const others = otherFlags(flags, headFields).filter(fits);
    const right = chosen(
      others.map((one) => ({ flags: one, isWrong: true })),
      usual,
      usual.heads.get(track),
    );
    if (right) return right;
  }
  return { flags, isWrong: false };
}

/** Flags and number of samples of a run (trun) that its size bears out: one bit of either may be wrong. */
export function runHead(
  bytes: Buffer,
  at: number,
  track: number,
  usual: UsualFlags,
): { flags: number; count: number; isWrong: boolean } {
  const [flags, count] = [flagsOf(bytes, at), bytes.readUInt32BE(at + 12)];
  const size = sizeOf(bytes, at);
  const fits = (one: number, samples: number) =>
    leastBytes + bytesOf(runFields, one) + bytesOf(sampleFields, one) * samples === size;
  if (size > 0 && fits(flags, count)) usual.runs.set(track, flags);
  else if (size > 0) {
    const others = otherFlags(flags, [...runFields, ...sampleFields]).filter((one) => fits(one, count));
    const counts = Array.from({ length: 32 }, (_, bit) => (count ^ (1 << bit)) >>> 0).filter((one) => fits(flags, one));
    const right = chosen(
      [
        ...others.map((one) => ({ flags: one, count, isWrong: true })),
        ...counts.map((one) => ({ flags, count: one, isWrong: true })),
      ],
      usual,
      usual.runs.get(track),
    );
    if (right) return right;
  }
  return { flags, count, isWrong: false };
}

/** Whether a time of a fragment (tfdt, 8.8.12) has 64 bits, by the size of its box where that leads on, else by its version. */
export function isWideTime(bytes: Buffer, at: number): { isWide: boolean; isWrong: boolean } {
  const [size, version] = [sizeOf(bytes, at), bytes[at + 8] ?? 0];
  const isTold = size === leastBytes || size === wideTime;
  const isWide = isTold ? size === wideTime : version === 1;
  return { isWide: isWide && at + wideTime <= bytes.length, isWrong: isTold && version !== (isWide ? 1 : 0) };
}
