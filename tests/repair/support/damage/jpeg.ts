import { randomBytes } from '../random';
import { cut, overwrite, type Recipe } from './common';

/** Where the photo's own header ends: its first scan, past any preview that lies in a segment (ISO/IEC 10918-1, B.1). */
function scanOf(bytes: Buffer): number {
  let at = 2;
  while (at + 4 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda) at += 2 + bytes.readUInt16BE(at + 2);
  return at;
}

/** Overwrites or removes JPEG segments by their marker. */
function segments(
  bytes: Buffer,
  marker: number,
  change: (at: number, end: number, result: Buffer) => void,
): Buffer | null {
  const result = Buffer.from(bytes);
  let hits = 0;
  for (let at = 2; at + 4 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; ) {
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (bytes[at + 1] === marker || (marker === 0xc0 && bytes[at + 1] === 0xc2)) {
      change(at, end, result);
      hits++;
    }
    at = end;
  }
  return hits > 0 ? result : null;
}

const inScan = (bytes: Buffer, random: () => number) =>
  Math.floor(scanOf(bytes) + (bytes.length - scanOf(bytes)) * (0.1 + random() * 0.8));

/** Places of restart markers in the scan. */
function restarts(bytes: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(0xff, scanOf(bytes) + 14); at >= 0; at = bytes.indexOf(0xff, at + 1))
    if (((bytes[at + 1] ?? 0) & 0xf8) === 0xd0) places.push(at);
  return places;
}

function gaps(count: number, length: number): Recipe {
  return {
    name: `scan loses ${length} ${length === 1 ? 'byte' : 'bytes'}${['', '', ' twice', ' three times'][count]}`,
    apply: (bytes, random) => {
      let result = bytes;
      for (let gap = 0; gap < count; gap++) result = cut(result, inScan(result, random), length);
      return result;
    },
  };
}

/** Damage of JPEG files. */
export const jpegRecipes: Recipe[] = [
  { name: 'SOI wiped', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(2)) },
  { name: 'EOI cut', apply: (bytes) => bytes.subarray(0, bytes.length - 2) },
  { name: 'DQT wiped', apply: (bytes) => segments(bytes, 0xdb, (at, end, result) => result.fill(0, at, end)) },
  { name: 'DHT wiped', apply: (bytes) => segments(bytes, 0xc4, (at, end, result) => result.fill(0, at, end)) },
  { name: 'SOF wiped', apply: (bytes) => segments(bytes, 0xc0, (at, end, result) => result.fill(0, at, end)) },
  {
    name: 'height zeroed',
    apply: (bytes) => segments(bytes, 0xc0, (at, _, result) => result.writeUInt16BE(0, at + 5)),
  },
  {
    name: 'width wrong',
    apply: (bytes) =>
      segments(bytes, 0xc0, (at, _, result) => result.writeUInt16BE(bytes.readUInt16BE(at + 7) + 160, at + 7)),
  },
  {
    name: 'size zeroed',
    apply: (bytes) => segments(bytes, 0xc0, (at, _, result) => result.fill(0, at + 5, at + 9)),
  },
  {
    name: 'segment lengths wrong',
    apply: (bytes) => segments(bytes, 0xe0, (at, _, result) => result.writeUInt16BE(0x7777, at + 2)),
  },
  {
    name: 'EXIF length zeroed',
    apply: (bytes) => segments(bytes, 0xe1, (at, _, result) => result.writeUInt16BE(0, at + 2)),
  },
  {
    name: 'EXIF overwritten',
    apply: (bytes, random) =>
      segments(bytes, 0xe1, (at, end, result) => randomBytes(random, Math.min(90, end - at - 2)).copy(result, at + 2)),
  },
  {
    name: 'restart markers wiped',
    apply: (bytes, random) => {
      const result = Buffer.from(bytes);
      const some = restarts(bytes).filter(() => random() < 0.3);
      for (const at of some) result.fill(0, at, at + 2);
      return some.length > 0 ? result : null;
    },
  },
  {
    name: 'restart markers lost',
    apply: (bytes) => {
      const places = restarts(bytes);
      const pieces = [0, ...places.map((at) => at + 2)].map((at, index) => bytes.subarray(at, places[index]));
      return places.length > 0 ? Buffer.concat(pieces) : null;
    },
  },
  ...[1, 2, 3].flatMap((count) => [1, 7, 40, 1000].map((length) => gaps(count, length))),
  {
    name: 'scan has 200 zeroes',
    apply: (bytes, random) => overwrite(bytes, inScan(bytes, random), Buffer.alloc(200)),
  },
  {
    name: 'scan has 60 random bytes',
    apply: (bytes, random) => overwrite(bytes, inScan(bytes, random), randomBytes(random, 60)),
  },
  {
    name: 'scan gains 30 bytes',
    apply: (bytes, random) => {
      const at = inScan(bytes, random);
      return Buffer.concat([bytes.subarray(0, at), randomBytes(random, 30), bytes.subarray(at)]);
    },
  },
];
