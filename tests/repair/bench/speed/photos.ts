import sharp, { type Sharp } from 'sharp';
import { scene } from '../../support/scene';

const shape = [4000, 3000] as const;
let camera: Buffer | null = null;

/** A picture of 12 megapixels with the noise of a camera. */
function photo(): Sharp {
  camera ??= scene(...shape, 21);
  return sharp(camera, { raw: { width: shape[0], height: shape[1], channels: 3 } });
}

/** A part of it that makes about 5 MB where nothing is thrown away. */
const part = (width = 2400, height = 1650) => photo().extract({ left: 700, top: 500, width, height });

/** A JPEG of 12 megapixels, baseline or progressive. */
export const jpeg = (progressive: boolean, quality: number) => photo().jpeg({ quality, progressive }).toBuffer();

/** A PNG photo, in one pass or in seven. */
export const png = (progressive: boolean) => part().png({ progressive }).toBuffer();

/** A drawing as PNG: discs and soft light without noise, enlarged. */
export const drawing = () =>
  sharp(scene(1200, 700, 22), { raw: { width: 1200, height: 700, channels: 3 } })
    .median(5)
    .resize(3200, 1800)
    .png()
    .toBuffer();

export const tiff = (compression: 'none' | 'lzw' | 'deflate' | 'jpeg') =>
  (compression === 'jpeg' ? photo() : compression === 'none' ? part(1500, 1150) : part())
    .tiff({ compression, quality: 95, predictor: compression === 'none' ? 'none' : 'horizontal' })
    .toBuffer();
