import { Buffer } from '../../host/bytes';

/** The longest side of a JPEG that programs write, in pixels: libjpeg's JPEG_MAX_DIMENSION. */
const mostSide = 65_500;
/** What EXIF tells of the picture it goes with: its size in pixels, when noted, and the small preview. */
export type ExifFacts = { width: number; height: number; preview: Buffer | null };

/** How a segment with Exif begins (CIPA DC-008, 4.7.2). */
export const exifMark = Buffer.from('Exif\0\0', 'latin1');

/** Reads size and preview from the application segments of a JPEG (CIPA DC-008, 4.6); zeroes and null where there is none. */
export function readExif(applications: readonly Buffer[]): ExifFacts {
  const facts: ExifFacts = { width: 0, height: 0, preview: null };
  for (const segment of applications) {
    if (segment[1] !== 0xe1 || !segment.subarray(4, 10).equals(exifMark)) continue;
    const tiff = segment.subarray(10);
    const little = tiff[0] === 0x49;
    const short = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
    const long = (at: number) => (at + 4 > tiff.length ? 0 : little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
    const fields = (directory: number) => {
      const found = new Map<number, number>();
      const count = Math.min(short(directory), 200);
      for (let index = 0; index < count; index++) {
        const at = directory + 2 + index * 12;
        found.set(short(at), short(at + 2) === 3 ? short(at + 8) : long(at + 8));
      }
      return { found, next: long(directory + 2 + count * 12) };
    };
    const first = fields(long(4));
    const own = first.found.get(0x8769);
    if (own) {
      const { found } = fields(own);
      facts.width = found.get(0xa002) ?? 0;
      facts.height = found.get(0xa003) ?? 0;
    }
    if (facts.width > mostSide || facts.height > mostSide) facts.width = facts.height = 0;
    const second = first.next > 0 ? fields(first.next).found : new Map<number, number>();
    const [start, length] = [second.get(0x0201) ?? 0, second.get(0x0202) ?? 0];
    if (start > 0 && length > 0 && tiff[start] === 0xff && tiff[start + 1] === 0xd8)
      facts.preview = tiff.subarray(start, start + length);
  }
  return facts;
}
