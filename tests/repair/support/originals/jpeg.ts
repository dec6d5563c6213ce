import sharp from 'sharp';
import { scene } from '../scene';
import { exifSegment, segmentOf, type WriterOptions, writeJpeg } from './jpegwriter';
import { type Original, photos, picture } from './picture';

/** A large original is too slow to be damaged in every way by the tests; the bench takes it. */
export const largeWriter = 'camera, large';

async function preview(rgb: Buffer, width: number, height: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 as const };
  return sharp(rgb, { raw }).resize(160, 120, { fit: 'fill' }).jpeg({ quality: 80, optimiseCoding: false }).toBuffer();
}

/** What a camera writes: EXIF with a preview in front, then the picture. */
async function camera(name: string, rgb: Buffer, width: number, height: number, options: Partial<WriterOptions>) {
  const segments = [exifSegment(width, height, await preview(rgb, width, height))];
  const defaults: WriterOptions = { quality: 90, horizontal: 2, vertical: 1, restart: 0, segments };
  return { writer: name, format: 'jpg', bytes: writeJpeg(rgb, width, height, { ...defaults, ...options }) };
}

async function cameras(): Promise<Original[]> {
  const profile = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), Buffer.alloc(900, 0x0a)]);
  // A softer picture of many megabytes' kind is made by enlarging, as making each of its samples would take seconds.
  const raw = { width: 400, height: 300, channels: 3 as const };
  const large = await sharp(scene(400, 300, 23), { raw })
    .resize(1600, 1200)
    .raw()
    .toBuffer();
  return [
    await camera('camera, 4:2:2 with restarts', scene(512, 384, 21), 512, 384, { restart: 32 }),
    {
      writer: 'program, 4:4:4 with restarts and profile',
      format: 'jpg',
      bytes: writeJpeg(scene(333, 250, 22), 333, 250, {
        quality: 60,
        horizontal: 1,
        vertical: 1,
        restart: 9,
        segments: [
          segmentOf(0xe0, [...Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')]),
          segmentOf(0xe2, profile),
        ],
      }),
    },
    await camera('camera, 4:2:0', scene(448, 320, 24), 448, 320, { quality: 95, vertical: 2 }),
    await camera(largeWriter, large, 1600, 1200, { quality: 82, vertical: 2 }),
  ];
}

/** Valid JPEG files in the kinds that cameras and programs write. */
export const jpegs = async (): Promise<Original[]> => [
  ...(await photos([
    ['standard tables', 'jpg', picture(480, 352, 1).jpeg({ quality: 85, optimiseCoding: false })],
    ['optimised tables', 'jpg', picture(420, 300, 2).jpeg({ quality: 92, chromaSubsampling: '4:4:4' })],
    ['grey', 'jpg', picture(400, 296, 3).greyscale().jpeg({ quality: 75, optimiseCoding: false })],
    ['progressive', 'jpg', picture(400, 300, 4).jpeg({ quality: 80, progressive: true })],
  ])),
  ...(await cameras()),
];
