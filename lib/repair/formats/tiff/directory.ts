import { Buffer } from '../../host/bytes';
/** One field of a TIFF directory (TIFF 6.0, section 2); `at` is where its values lie, `count` how many of `type` there are. */
export type Field = { tag: number; type: number; count: number; at: number };
export type Directory = {
  offset: number;
  fields: Map<number, Field>;
  next: number;
  sound: boolean;
  /** Whether its entries are those of BigTIFF. */
  isBig: boolean;
};

export const tag = {
  width: 256,
  height: 257,
  depth: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripCounts: 279,
  planar: 284,
  fax3Options: 292,
  fax4Options: 293,
  predictor: 317,
  palette: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileCounts: 325,
  subDirectories: 330,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  jpegStart: 513,
  jpegLength: 514,
  subsampling: 530,
  exif: 0x8769,
} as const;

/** Schemes of compression (TIFF 6.0, section 3, 9 to 11 and 22; Adobe Photoshop TIFF Technical Notes for the two kinds of DEFLATE). */
export const scheme = {
  none: 1,
  faxRuns: 2,
  fax3: 3,
  fax4: 4,
  lzw: 5,
  oldJpeg: 6,
  jpeg: 7,
  flate: 8,
  packBits: 32_773,
  oldFlate: 32_946,
} as const;

/** Spaces of colours: PhotometricInterpretation (TIFF 6.0, section 3 to 6, 16, 20, 21 and 23; ICCLAB of the Technical Notes). */
export const space = {
  whiteIsZero: 0,
  blackIsZero: 1,
  rgb: 2,
  palette: 3,
  mask: 4,
  separated: 5,
  yCbCr: 6,
  cieLab: 8,
  iccLab: 9,
} as const;

/** What stands behind the byte order of every TIFF file (TIFF 6.0, section 2), and of those with places of eight bytes (BigTIFF, libtiff). */
export const tiffNumber = 42;
export const bigTiffNumber = 43;

const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
/** The last type of fields, and the first of those of eight bytes, which BigTIFF alone has. */
const lastType = { classic: 13, big: 18 };
const firstWide = 16;
const mostFields = 512;
/** Directories that are looked for. */
const mostDirectories = 64;

/** Bytes of the head, of the number of entries of a directory, of an entry, and of a place in the file. */
const classicSizes = { head: 8, count: 2, entry: 12, place: 4 } as const;
const bigSizes = { head: 16, count: 8, entry: 20, place: 8 } as const;
export const sizesOf = (isBig: boolean) => (isBig ? bigSizes : classicSizes);

/** Bytes of a directory itself. */
const directoryBytes = ({ fields, isBig }: Directory): number => {
  const { count, entry, place } = sizesOf(isBig);
  return count + fields.size * entry + place;
};

/** Bytes that the values of a field take. */
export const bytesOf = ({ type, count }: Pick<Field, 'type' | 'count'>): number => (typeSizes[type] ?? 0) * count;

/** Whether the values of a field stand in its entry, which has room for as many bytes as a place takes (TIFF 6.0, section 2). */
export const isInEntry = (field: Pick<Field, 'type' | 'count'>, isBig: boolean): boolean =>
  bytesOf(field) <= sizesOf(isBig).place;

/** Reads numbers of a TIFF file in its byte order. */
export class TiffBytes {
  readonly bytes: Buffer;
  readonly little: boolean;
  readonly isBig: boolean;

  constructor(bytes: Buffer, little: boolean, isBig = false) {
    this.bytes = bytes;
    this.little = little;
    this.isBig = isBig;
  }

  /** The place of the first directory, as the head tells it. */
  get first(): number {
    return this.place(this.isBig ? 8 : 4);
  }

  /** A place or a number of values, of four bytes or, in BigTIFF, of eight. */
  place(at: number): number {
    return this.isBig ? this.u64(at) : this.u32(at);
  }

  u64(at: number): number {
    const [low, high] = this.little ? [at, at + 4] : [at + 4, at];
    return this.u32(low) + this.u32(high) * 2 ** 32;
  }

  u16(at: number): number {
    if (at < 0 || at + 2 > this.bytes.length) return 0;
    return this.little ? this.bytes.readUInt16LE(at) : this.bytes.readUInt16BE(at);
  }

  u32(at: number): number {
    if (at < 0 || at + 4 > this.bytes.length) return 0;
    return this.little ? this.bytes.readUInt32LE(at) : this.bytes.readUInt32BE(at);
  }

  /** Values of an integer field, at most `most`. */
  values(field: Field | undefined, most = 1_000_000): number[] {
    if (!field) return [];
    const size = typeSizes[field.type] ?? 1;
    const count = Math.min(field.count, most, Math.floor((this.bytes.length - field.at) / size));
    const values: number[] = [];
    for (let at = field.at, end = at + Math.max(0, count) * size; at < end; at += size)
      if (field.type >= firstWide) values.push(this.u64(at));
      else values.push(size === 1 ? (this.bytes[at] ?? 0) : size === 2 ? this.u16(at) : this.u32(at));
    return values;
  }

  /** The field of the entry at a place, of whatever type. */
  entry(at: number): Field {
    const [number, type, count] = [this.u16(at), this.u16(at + 2), this.place(at + 4)];
    const own = at + 4 + sizesOf(this.isBig).place;
    return { tag: number, type, count, at: isInEntry({ type, count }, this.isBig) ? own : this.place(own) };
  }

  value(directory: Directory, number: number, fallback: number): number {
    return this.values(directory.fields.get(number), 1)[0] ?? fallback;
  }

  /**
   * Reads a directory; null when what stands there is none. Fields whose values lie outside the file make it unsound; with `lenient`
   * entries that cannot be are left out, and make it unsound too.
   */
  directory(offset: number, lenient = false): Directory | null {
    const sizes = sizesOf(this.isBig);
    const count = this.isBig ? this.u64(offset) : this.u16(offset);
    const end = offset + sizes.count + count * sizes.entry;
    if (offset < sizes.head || count < 1 || count > mostFields || end > this.bytes.length) return null;
    const fields = new Map<number, Field>();
    let last = -1;
    let disorder = 0;
    let sound = true;
    for (let index = 0; index < count; index++) {
      const field = this.entry(offset + sizes.count + index * sizes.entry);
      const { tag: number, type } = field;
      const size = bytesOf(field);
      const odd = type < 1 || type > (this.isBig ? lastType.big : lastType.classic) || number === 0;
      if (odd && !lenient) return null;
      if (lenient && (odd || (number <= last && fields.has(number)) || size > this.bytes.length)) {
        sound = false;
        continue;
      }
      if (number <= last) disorder++;
      last = number;
      if (field.at + size > this.bytes.length) sound = false;
      fields.set(number, field);
    }
    if (disorder > 2 && !lenient) return null;
    return { offset, fields, next: this.place(end), sound, isBig: this.isBig };
  }
}

/** Where the directory and the values that lie outside it stand: from the first byte up to the one behind the last. */
export function placesOf(directory: Directory): { from: number; to: number }[] {
  const { offset, fields } = directory;
  const own = { from: offset, to: offset + directoryBytes(directory) };
  const values = [...fields.values()].map(({ at, type, count }) => ({
    from: at,
    to: at + (typeSizes[type] ?? 1) * count,
  }));
  return [own, ...values.filter(({ from }) => from < own.from || from >= own.to)];
}

/** Whether a directory describes an image: size and the places of strips, tiles or a JPEG stream. */
export function describesImage(directory: Directory): boolean {
  const { fields } = directory;
  const data = fields.has(tag.stripOffsets) || fields.has(tag.tileOffsets) || fields.has(tag.jpegStart);
  return fields.has(tag.width) && fields.has(tag.height) && data;
}

/** Whether files have the least byte of a number first, and places of eight bytes. */
export const kinds = [
  [true, false],
  [false, false],
  [true, true],
  [false, true],
] as const;

/** Looks for directories that describe images at every even place, in both byte orders, the best first. */
export function searchDirectories(bytes: Buffer): { tiff: TiffBytes; directory: Directory }[] {
  const found: { tiff: TiffBytes; directory: Directory }[] = [];
  for (const [little, isBig] of kinds) {
    const tiff = new TiffBytes(bytes, little, isBig);
    const { count, entry } = sizesOf(isBig);
    // Width, height and depth nearly always follow each other; the bytes of the first tag are quick to find.
    const mark = little ? Buffer.from([0x00, 0x01]) : Buffer.from([0x01, 0x00]);
    for (
      let at = bytes.indexOf(mark, 10);
      at >= 0 && found.length < mostDirectories;
      at = bytes.indexOf(mark, at + 1)
    ) {
      for (const before of [count, count + entry]) {
        const directory = tiff.directory(at - before);
        if (!directory || !describesImage(directory) || directory.fields.size < 6) continue;
        if (found.some((other) => other.directory.offset === directory.offset)) continue;
        found.push({ tiff, directory });
      }
    }
  }
  const area = (item: { tiff: TiffBytes; directory: Directory }) =>
    item.tiff.value(item.directory, tag.width, 0) * item.tiff.value(item.directory, tag.height, 0);
  return found.sort(
    (left, right) => Number(right.directory.sound) - Number(left.directory.sound) || area(right) - area(left),
  );
}
