import { overwrite, type Recipe } from './common';

/** Damage of TIFF files. */
export const tiffRecipes: Recipe[] = [
  { name: 'byte order wiped', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(4)) },
  { name: 'directory offset wrong', apply: (bytes) => overwrite(bytes, 4, Buffer.from([7, 7, 7, 7])) },
  {
    name: 'directory wiped',
    apply: (bytes) => {
      const little = bytes[0] === 0x49;
      const at = little ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4);
      const count = little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
      return overwrite(bytes, at, Buffer.alloc(2 + count * 12 + 4));
    },
  },
];
