import { writePng } from '../pngwriter';
import { scene } from '../scene';
import { type Original, photos, picture } from './picture';

/** Valid PNG files in the kinds that cameras and programs write. */
export async function pngs(): Promise<Original[]> {
  const made = await photos([
    ['colour', 'png', picture(260, 180, 5).png()],
    ['palette', 'png', picture(260, 180, 6).png({ palette: true })],
    ['grey', 'png', picture(300, 200, 7).greyscale().png({ compressionLevel: 9 })],
    ['interlaced', 'png', picture(240, 160, 8).png({ progressive: true })],
    ['filtered', 'png', picture(320, 240, 15).png({ adaptiveFiltering: true })],
    ['alpha', 'png', picture(240, 180, 16).ensureAlpha(0.8).png({ adaptiveFiltering: true })],
    ['16 bits', 'png', picture(200, 150, 17).toColourspace('rgb16').png({ adaptiveFiltering: true })],
    ['large', 'png', picture(1000, 750, 18).blur(0.7).png({ adaptiveFiltering: true })],
  ]);
  const own = (writer: string, layout: Omit<Parameters<typeof writePng>[0], 'pixels' | 'channels'>, seed: number) => ({
    writer: `fflate, ${writer}`,
    format: 'png',
    bytes: writePng({ ...layout, channels: 3, pixels: scene(layout.width, layout.height, seed) }),
  });
  return [
    ...made,
    own('Paeth in one part', { width: 300, height: 220, filter: 4 }, 19),
    own('least sum in parts of 4 kB', { width: 280, height: 200, filter: 'least sum', chunk: 4096 }, 20),
    own('Up', { width: 256, height: 192, filter: 2, chunk: 32_768, level: 9 }, 21),
  ];
}
