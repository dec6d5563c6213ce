import { cut, overwrite, type Recipe, wipe } from './common';

/** Damage of WebP files (RFC 9649). */
export const webpRecipes: Recipe[] = [
  { name: 'RIFF wiped', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(4)) },
  { name: 'size of all zeroed', apply: (bytes) => overwrite(bytes, 4, Buffer.alloc(4)) },
  { name: 'WEBP wiped', apply: (bytes) => overwrite(bytes, 8, Buffer.alloc(4)) },
  { name: 'head of 12 bytes cut out', apply: (bytes) => cut(bytes, 0, 12) },
  { name: 'first chunk length zeroed', apply: (bytes) => overwrite(bytes, 16, Buffer.alloc(4)) },
  { name: 'first chunk length huge', apply: (bytes) => overwrite(bytes, 16, Buffer.from([0, 0, 0, 0x70])) },
  { name: 'VP8X wiped', apply: (bytes) => (bytes.includes('VP8X') ? overwrite(bytes, 12, Buffer.alloc(18)) : null) },
  { name: 'ANIM wiped', apply: wipe('ANIM') },
  { name: 'second ANMF wiped', apply: wipe('ANMF', 1, 0) },
  { name: 'bytes behind the end', apply: (bytes) => Buffer.concat([bytes, Buffer.alloc(200, 7)]) },
];
