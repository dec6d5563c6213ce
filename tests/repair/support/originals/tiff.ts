import { type Original, photos, picture } from './picture';

/** Valid TIFF files in the kinds that cameras and programs write. */
export const tiffs = (): Promise<Original[]> =>
  photos([
    ['plain', 'tif', picture(240, 160, 9).tiff({ compression: 'none' })],
    ['LZW', 'tif', picture(280, 200, 10).tiff({ compression: 'lzw', predictor: 'none', tileHeight: 32 })],
    ['LZW with predictor', 'tif', picture(280, 300, 11).tiff({ compression: 'lzw', predictor: 'horizontal' })],
    ['Deflate', 'tif', picture(280, 200, 12).tiff({ compression: 'deflate', predictor: 'horizontal' })],
    ['JPEG inside', 'tif', picture(280, 200, 13).tiff({ compression: 'jpeg' })],
  ]);
