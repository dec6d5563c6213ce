import sharp from 'sharp';
import { scene } from '../scene';
import { type TiffLayout, writeTiffLayout } from '../tiffwriter';
import { type Original, photos, picture } from './picture';

const grey = (pixels: Buffer) =>
  Buffer.from(Uint8Array.from({ length: pixels.length / 3 }, (_, at) => pixels[at * 3 + 1] ?? 0));

/** Layouts that libvips does not write. */
function own(): Original[] {
  const make = (writer: string, ...pages: TiffLayout[]): Original => ({
    writer: `own writer, ${writer}`,
    format: 'tif',
    bytes: writeTiffLayout(pages),
  });
  const colour = (width: number, height: number, seed: number): TiffLayout => ({
    width,
    height,
    samples: 3,
    depth: 8,
    photometric: 2,
    pixels: scene(width, height, seed),
    little: true,
    first: true,
    compression: 1,
    rowsPerStrip: 16,
  });
  const lines = grey(scene(320, 240, 27));
  const bilevel = Buffer.alloc(40 * 240);
  for (let at = 0; at < lines.length; at++)
    if ((lines[at] ?? 0) > 120) bilevel[at >> 3] = (bilevel[at >> 3] ?? 0) | (128 >> (at & 7));
  const wide = Buffer.alloc(200 * 150 * 6);
  for (const [at, byte] of scene(200, 150, 28).entries()) wide.writeUInt16BE(byte * 257, at * 2);
  const ramp = Array.from({ length: 256 }, (_, level) => level * 257);
  return [
    make('directory first, big-endian', { ...colour(240, 170, 22), little: false }),
    make('directory first, LZW', { ...colour(260, 180, 23), compression: 5 }),
    make('directory first, Deflate', { ...colour(260, 180, 24), compression: 8, predictor: true, rowsPerStrip: 30 }),
    make('PackBits', { ...colour(240, 160, 25), compression: 32773, first: false, little: false }),
    make('grey, LZW with predictor', {
      ...colour(300, 220, 26),
      samples: 1,
      photometric: 1,
      pixels: grey(scene(300, 220, 26)),
      compression: 5,
      predictor: true,
      first: false,
      rowsPerStrip: 27,
    }),
    make('two levels', { ...colour(320, 240, 27), samples: 1, depth: 1, photometric: 0, pixels: bilevel }),
    make('16 bits, big-endian', { ...colour(200, 150, 28), depth: 16, little: false, pixels: wide, first: false }),
    make('palette', {
      ...colour(260, 190, 29),
      samples: 1,
      photometric: 3,
      pixels: grey(scene(260, 190, 29)),
      palette: [...ramp, ...ramp.toReversed(), ...ramp],
      compression: 5,
    }),
    make('planes', { ...colour(220, 160, 30), planes: true, first: false, compression: 8 }),
    make('tiles', { ...colour(250, 180, 31), tile: 64, compression: 5, first: false }),
    make('two pages', colour(200, 140, 32), { ...colour(180, 130, 33), compression: 8 }),
  ];
}

/** Valid TIFF files in the kinds that cameras and programs write. */
export async function tiffs(): Promise<Original[]> {
  const alpha = await picture(220, 160, 36).ensureAlpha(0.7).raw().toBuffer();
  return [
    ...(await photos([
      ['plain', 'tif', picture(240, 160, 9).tiff({ compression: 'none' })],
      ['LZW', 'tif', picture(280, 200, 10).tiff({ compression: 'lzw', predictor: 'none', tileHeight: 32 })],
      ['LZW with predictor', 'tif', picture(280, 300, 11).tiff({ compression: 'lzw', predictor: 'horizontal' })],
      ['Deflate', 'tif', picture(280, 200, 12).tiff({ compression: 'deflate', predictor: 'horizontal' })],
      ['JPEG inside', 'tif', picture(280, 200, 13).tiff({ compression: 'jpeg' })],
      [
        'tiles, Deflate',
        'tif',
        picture(300, 220, 34).tiff({ compression: 'deflate', tile: true, tileWidth: 128, tileHeight: 128 }),
      ],
      ['16 bits', 'tif', picture(200, 150, 35).toColourspace('rgb16').tiff({ compression: 'lzw', predictor: 'none' })],
      [
        'alpha',
        'tif',
        sharp(alpha, { raw: { width: 220, height: 160, channels: 4 } }).tiff({ compression: 'lzw', predictor: 'none' }),
      ],
      ['large', 'tif', picture(1000, 750, 37).blur(0.7).tiff({ compression: 'lzw', predictor: 'horizontal' })],
    ])),
    ...own(),
  ];
}
