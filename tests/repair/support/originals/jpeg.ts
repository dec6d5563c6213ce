import { type Original, photos, picture } from './picture';

/** Valid JPEG files in the kinds that cameras and programs write. */
export const jpegs = (): Promise<Original[]> =>
  photos([
    ['standard tables', 'jpg', picture(480, 352, 1).jpeg({ quality: 85, optimiseCoding: false })],
    ['optimised tables', 'jpg', picture(420, 300, 2).jpeg({ quality: 92, chromaSubsampling: '4:4:4' })],
    ['grey', 'jpg', picture(400, 296, 3).greyscale().jpeg({ quality: 75, optimiseCoding: false })],
    ['progressive', 'jpg', picture(400, 300, 4).jpeg({ quality: 80, progressive: true })],
  ]);
