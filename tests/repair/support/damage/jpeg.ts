import { cut, overwrite, type Recipe } from './common';

/** Overwrites or removes JPEG segments by their marker (ISO/IEC 10918-1, B.1). */
function segments(
  bytes: Buffer,
  marker: number,
  change: (at: number, end: number, result: Buffer) => void,
): Buffer | null {
  const result = Buffer.from(bytes);
  let hits = 0;
  for (let at = 2; at + 4 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; ) {
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (bytes[at + 1] === marker) {
      change(at, end, result);
      hits++;
    }
    at = end;
  }
  return hits > 0 ? result : null;
}

const scanOf = (bytes: Buffer) => bytes.indexOf(Buffer.from([0xff, 0xda]));
const inScan = (bytes: Buffer, random: () => number) =>
  Math.floor(scanOf(bytes) + (bytes.length - scanOf(bytes)) * (0.1 + random() * 0.8));

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
    name: 'segment lengths wrong',
    apply: (bytes) => segments(bytes, 0xe0, (at, _, result) => result.writeUInt16BE(0x7777, at + 2)),
  },
  { name: 'scan loses 40 bytes', apply: (bytes, random) => cut(bytes, inScan(bytes, random), 40) },
  { name: 'scan loses 1000 bytes', apply: (bytes, random) => cut(bytes, inScan(bytes, random), 1000) },
  {
    name: 'scan loses 60 bytes twice',
    apply: (bytes, random) => cut(cut(bytes, inScan(bytes, random), 60), inScan(bytes, random), 60),
  },
  { name: 'scan has 200 zeroes', apply: (bytes, random) => overwrite(bytes, inScan(bytes, random), Buffer.alloc(200)) },
];
