import { Buffer } from '../../host/bytes';
import { space } from './directory';
import type { Layout } from './layout';

/** Pictures that a file may consist of: one a strip or tile. */
const mostPictures = 20_000;

/** What the frame header of a JPEG tells (ISO/IEC 10918-1, B.2.2): pixels, components, and whether the first component is finer than the others. */
export type JpegFrame = { width: number; height: number; components: number; subsampled: boolean };

/** Reads the first frame header of a JPEG that begins at `at`; null when the markers before it cannot be followed. */
export function jpegFrame(bytes: Buffer, at: number): JpegFrame | null {
  if (bytes[at] !== 0xff || bytes[at + 1] !== 0xd8) return null;
  let place = at + 2;
  for (let markers = 0; markers < 64 && place + 10 < bytes.length && bytes[place] === 0xff; markers++) {
    const marker = bytes[place + 1] ?? 0;
    if (marker === 0xda || marker < 0xc0) return null;
    if (marker >= 0xc0 && marker <= 0xc2) {
      const [height, width] = [bytes.readUInt16BE(place + 5), bytes.readUInt16BE(place + 7)];
      const components = bytes[place + 9] ?? 0;
      if (bytes[place + 4] !== 8 || width === 0 || height === 0 || components < 1 || components > 4) return null;
      return { width, height, components, subsampled: components === 3 && (bytes[place + 11] ?? 0x11) > 0x11 };
    }
    place += 2 + bytes.readUInt16BE(place + 2);
  }
  return null;
}

/** A layout whose strips are JPEG, set right by what the first of them says; null where they already agree or nothing can be read. */
export function layoutOfFrame(layout: Layout, bytes: Buffer): Layout | null {
  const frame = jpegFrame(bytes, layout.segments[0]?.at ?? 0);
  if (!frame) return null;
  const { width, height, components, subsampled } = frame;
  const differences = subsampled || layout.photometric !== space.rgb;
  const next: Layout = {
    ...layout,
    compression: 7,
    depth: 8,
    predictor: 1,
    samples: components,
    photometric: components === 3 ? (differences ? 6 : 2) : components === 4 ? 5 : 1,
  };
  if (layout.tile) return { ...next, tile: { width, height } };
  const count = layout.segments.length;
  const fits = layout.height > (count - 1) * height && layout.height <= count * height;
  const last = jpegFrame(bytes, layout.segments[count - 1]?.at ?? 0)?.height ?? height;
  return { ...next, width, rowsPerStrip: height, height: fits ? layout.height : (count - 1) * height + last };
}

/** The layout of a file without a directory whose strips are JPEG, one behind the other (TIFF Technical Note 2); null when it has none. */
export function jpegLayout(bytes: Buffer): Layout | null {
  const places: number[] = [];
  const start = Buffer.from([0xff, 0xd8, 0xff]);
  let tables: Buffer | null = null;
  for (let at = bytes.indexOf(start); at >= 0 && places.length < mostPictures; at = bytes.indexOf(start, at + 3)) {
    const end = jpegFrame(bytes, at) ? -1 : tablesEnd(bytes, at);
    if (end > 0) tables ??= bytes.subarray(at, end);
    else if (jpegFrame(bytes, at)) places.push(at);
  }
  const first = places[0];
  // Plain samples may hold something that looks like a JPEG, but not at their very beginning.
  if (first === undefined || first > Math.max(4096, bytes.length / 4)) return null;
  const segments = places.map((at, index) => ({ at, count: (places[index + 1] ?? bytes.length) - at }));
  const blank: Layout = {
    width: 0,
    height: 0,
    samples: 3,
    depth: 8,
    compression: 7,
    photometric: 6,
    predictor: 1,
    planes: false,
    rowsPerStrip: 1,
    tile: null,
    segments,
    faxOptions: 0,
    isTurned: false,
    jpegTables: tables,
    subsampling: [2, 2],
    kept: [],
  };
  return layoutOfFrame(blank, bytes);
}

/** Where a JPEG that holds nothing but tables ends; -1 when something else stands there. */
function tablesEnd(bytes: Buffer, at: number): number {
  let place = at + 2;
  for (let markers = 0; markers < 16 && place + 4 <= bytes.length && bytes[place] === 0xff; markers++) {
    const marker = bytes[place + 1];
    if (marker === 0xd9) return markers > 0 ? place + 2 : -1;
    if (marker !== 0xdb && marker !== 0xc4) return -1;
    place += 2 + bytes.readUInt16BE(place + 2);
  }
  return -1;
}
