import { overwrite, type Recipe } from './common';

/** Damage of PNG files (ISO/IEC 15948). */
export const pngRecipes: Recipe[] = [
  { name: 'signature wiped', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(8)) },
  { name: 'IHDR zeroed', apply: (bytes) => overwrite(bytes, 16, Buffer.alloc(13)) },
  {
    name: 'check sums wrong',
    apply: (bytes) => pngChunks(bytes, (at, length, result) => result.writeUInt32BE(1, at + 8 + length)),
  },
  {
    name: 'chunk lengths wrong',
    apply: (bytes) => pngChunks(bytes, (at, length, result) => result.writeUInt32BE(length + 77, at)),
  },
  { name: 'IEND cut', apply: (bytes) => bytes.subarray(0, bytes.length - 12) },
];

function pngChunks(bytes: Buffer, change: (at: number, length: number, result: Buffer) => void): Buffer {
  const result = Buffer.from(bytes);
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') change(at, bytes.readUInt32BE(at), result);
  return result;
}
