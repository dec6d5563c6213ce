import { type Original, photos, picture } from './picture';

/** Valid PNG files in the kinds that cameras and programs write. */
export const pngs = (): Promise<Original[]> =>
  photos([
    ['colour', 'png', picture(260, 180, 5).png()],
    ['palette', 'png', picture(260, 180, 6).png({ palette: true })],
    ['grey', 'png', picture(300, 200, 7).greyscale().png({ compressionLevel: 9 })],
    ['interlaced', 'png', picture(240, 160, 8).png({ progressive: true })],
  ]);
