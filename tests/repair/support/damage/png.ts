import { randomBytes } from '../random';
import { cut, overwrite, type Recipe } from './common';

/** Damage of PNG files (ISO/IEC 15948). */
export const pngRecipes: Recipe[] = [
  { name: 'signature wiped', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(8)) },
  { name: 'IHDR zeroed', apply: (bytes) => overwrite(bytes, 16, Buffer.alloc(13)) },
  { name: 'IHDR cut out', apply: (bytes) => cut(bytes, 8, 25) },
  {
    name: 'IHDR width wrong',
    apply: (bytes, random) => overwrite(bytes, 18, Buffer.from([0, 7 + Math.floor(random() * 240)])),
  },
  { name: 'IHDR height wrong', apply: (bytes) => overwrite(bytes, 22, Buffer.from([0, 31])) },
  { name: 'IHDR colour type wrong', apply: (bytes) => overwrite(bytes, 25, Buffer.from([bytes[25] === 2 ? 6 : 2])) },
  { name: 'IHDR depth wrong', apply: (bytes) => overwrite(bytes, 24, Buffer.from([bytes[24] === 8 ? 16 : 8])) },
  {
    name: 'check sums wrong',
    apply: (bytes) => pngChunks(bytes, (at, length, result) => result.writeUInt32BE(1, at + 8 + length)),
  },
  {
    name: 'chunk lengths wrong',
    apply: (bytes) => pngChunks(bytes, (at, length, result) => result.writeUInt32BE(length + 77, at)),
  },
  {
    name: 'a chunk length huge',
    apply: (bytes) => pngChunks(bytes, (at, _, result, index) => index === 0 && result.writeUInt32BE(0x7ffffff0, at)),
  },
  {
    name: 'chunk types wrong',
    apply: (bytes, random) =>
      pngChunks(bytes, (at, _, result, index) => index % 2 === 0 && randomBytes(random, 4).copy(result, at + 4)),
  },
  { name: 'IEND cut', apply: (bytes) => bytes.subarray(0, bytes.length - 12) },
  {
    name: 'first IDAT header wiped',
    apply: (bytes) => pngChunks(bytes, (at, _, result, index) => index === 0 && result.fill(0, at, at + 8)),
  },
  {
    name: 'PLTE name wiped',
    apply: (bytes) => (bytes.includes('PLTE') ? overwrite(bytes, bytes.indexOf('PLTE'), Buffer.alloc(4)) : null),
  },
  {
    name: 'one bit flipped in IDAT',
    apply: (bytes, random) => {
      const start = bytes.indexOf('IDAT') + 6;
      const at = start + Math.floor((bytes.length - start - 20) * (0.1 + 0.8 * random()));
      return overwrite(bytes, at, Buffer.from([(bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))]));
    },
  },
  {
    name: 'block of 64 bytes random',
    apply: (bytes, random) =>
      overwrite(bytes, Math.floor(bytes.length * (0.2 + 0.6 * random())), randomBytes(random, 64)),
  },
  {
    name: '40 bytes inserted',
    apply: (bytes, random) => {
      const at = Math.floor(bytes.length * (0.2 + 0.6 * random()));
      return Buffer.concat([bytes.subarray(0, at), randomBytes(random, 40), bytes.subarray(at)]);
    },
  },
];

function pngChunks(
  bytes: Buffer,
  change: (at: number, length: number, result: Buffer, index: number) => unknown,
): Buffer {
  const result = Buffer.from(bytes);
  let index = 0;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') change(at, bytes.readUInt32BE(at), result, index++);
  return result;
}
