import type { Buffer } from '../../host/bytes';

/**
 * How a Canon CRX picture is laid out, as its CMP1 box tells it (LibRaw's `crxParseImageHeader`): sizes in pixels of the sensor, of which
 * four planes take every other one.
 */
export type CrxShape = {
  width: number;
  height: number;
  tileWidth: number;
  tileHeight: number;
  /** Bits of a value. */
  bits: number;
  planes: 1 | 4;
  /** 0 where planes are those of the filters, other numbers where they were mixed first. */
  encoding: number;
  /** Levels of wavelets; 0 where values are packed as they are, without loss. */
  levels: number;
  /** Bytes of the headers before the packed data. */
  headBytes: number;
};

/** Where the content of a CMP1 box tells what, in bytes; and how many of it are read. */
const at = { width: 8, height: 12, tileWidth: 16, tileHeight: 20, bits: 24, planes: 25, levels: 26, headBytes: 28 };
const shapeBytes = 32;
/** Longest side of a picture, least side of a tile (LibRaw's `crxSetupImageData`), most levels, and most bits of a value. */
const longestSide = 0xffff;
const leastTile = 0x16;
const mostLevels = 3;
const mostBits = 15;
/** Most bytes of headers: 255 tiles of four planes with ten bands each stay below. */
const mostHead = 1 << 18;

/** Versions of a CMP1 box whose content is known, and where it tells its own. */
const versions = [0x100, 0x200];
const versionAt = 4;

/** Whether a CMP1 box is of a version that is known here: what it says must make sense then. */
export const isKnownCrx = (box: Buffer): boolean =>
  box.length >= shapeBytes && versions.includes(box.readUInt16BE(versionAt));

/** Reads the content of a CMP1 box; null where no camera writes that. */
export function crxShapeOf(box: Buffer): CrxShape | null {
  if (box.length < shapeBytes) return null;
  const [width, height] = [box.readUInt32BE(at.width), box.readUInt32BE(at.height)];
  const [tileWidth, tileHeight] = [box.readUInt32BE(at.tileWidth), box.readUInt32BE(at.tileHeight)];
  const planes = (box[at.planes] ?? 0) >> 4;
  const kind = box[at.levels] ?? 0;
  const shape = { bits: box[at.bits] ?? 0, encoding: kind >> 4, levels: kind & 15 };
  const headBytes = box.readUInt32BE(at.headBytes);
  if (planes !== 1 && planes !== 4) return null;
  if (shape.levels > mostLevels || shape.bits === 0 || shape.bits > mostBits) return null;
  if (Math.max(width, height) > longestSide || Math.min(tileWidth, tileHeight) < leastTile) return null;
  if (tileWidth > width || tileHeight > height || headBytes === 0 || headBytes > mostHead) return null;
  return { width, height, tileWidth, tileHeight, planes, headBytes, ...shape };
}

/** The packed data of one band of a plane, in bytes of the file. */
export type CrxBand = { start: number; end: number };

/** A plane of a tile: its bands, and whether its lines follow from those above without being rounded. */
export type CrxPlane = { bands: CrxBand[]; isPlain: boolean };

/** A tile: its size in values of a plane, and its planes. */
export type CrxTile = { width: number; height: number; planes: CrxPlane[] };

/** Marks of headers, of older cameras and of those with version 2: of a tile, of a plane, of a band. */
const marks = { tile: [0xff01, 0xff11], plane: [0xff02, 0xff12], band: [0xff03, 0xff13] } as const;
/** Bytes of a header: mark and length in front of what the length counts, which is at least this much. */
const frontBytes = 4;
const leastLength = 8;
/** Bytes that fill up a band, in the flags of an older header; where a newer one tells them (LibRaw's `crxReadSubbandHeaders`). */
const unused = { mask: 0x7ffff, lateAt: 16 } as const;
/** Flags of a plane: lines follow from those above, and are rounded (LibRaw's `crxReadImageHeaders`). */
const plane = { follows: 8, rounded: 6 } as const;
/** Where the longer header of a tile tells of the tables that stand before its planes: their bytes, and as many more. */
const tables = { bytesAt: 12, moreAt: 16, length: 16 } as const;

/** A header: the bytes it tells of, its flags, and those in front of or behind the data. */
type Header = { bytes: number; flags: number; unused: number; tables: number };

/** Follows headers one after another. */
class Headers {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  /** The header that stands next, when it is one of this kind with this number. */
  next(kind: keyof typeof marks, number: number): Header | null {
    if (this.#at + frontBytes + leastLength > this.#bytes.length) return null;
    const mark = this.#bytes.readUInt16BE(this.#at);
    const length = this.#bytes.readUInt16BE(this.#at + 2);
    const [old, late] = marks[kind];
    if ((mark !== old && mark !== late) || length < leastLength) return null;
    const flags = this.#bytes.readUInt32BE(this.#at + 8);
    const told = kind === 'tile' ? flags >>> 16 : flags >>> 28;
    if (told !== number) return null;
    const bytes = this.#bytes.readUInt32BE(this.#at + 4);
    const isLong = length >= tables.length && this.#at + frontBytes + length <= this.#bytes.length;
    const header = this.#at;
    this.#at += frontBytes + length;
    if (mark === old || !isLong) return { bytes, flags, unused: flags & unused.mask, tables: 0 };
    return {
      bytes,
      flags,
      unused: this.#bytes.readUInt16BE(header + unused.lateAt),
      tables: this.#bytes.readUInt32BE(header + tables.bytesAt) + this.#bytes.readUInt16BE(header + tables.moreAt),
    };
  }
}

/**
 * The tiles of the CRX picture whose headers stand at `start`, the data of each within what the tile was told to have; null where the
 * headers do not follow each other, or their sizes do not add up. `isRead` tells that all of it is of the kind whose values are read here.
 */
export function crxTilesAt(
  bytes: Buffer,
  start: number,
  shape: CrxShape,
): { tiles: CrxTile[]; end: number; isRead: boolean } | null {
  const half = shape.planes === 4 ? 2 : 1;
  const [columns, rows] = [Math.ceil(shape.width / shape.tileWidth), Math.ceil(shape.height / shape.tileHeight)];
  // The last headers end before the data begins, so that a hostile count of tiles is bounded by what is there.
  const headers = new Headers(bytes.subarray(0, start + shape.headBytes), start);
  const tiles: CrxTile[] = [];
  let data = start + shape.headBytes;
  let isRead = shape.levels === 0 && shape.encoding === 0;
  for (let index = 0; index < columns * rows; index++) {
    const tile = headers.next('tile', index);
    if (!tile) return null;
    const planes = planesOf(headers, shape, data + tile.tables, tile.bytes - tile.tables);
    if (!planes) return null;
    isRead &&= planes.every(({ isPlain }) => isPlain);
    const [x, y] = [(index % columns) * shape.tileWidth, Math.floor(index / columns) * shape.tileHeight];
    const width = Math.min(shape.tileWidth, shape.width - x) / half;
    tiles.push({ width, height: Math.min(shape.tileHeight, shape.height - y) / half, planes });
    data += tile.bytes;
  }
  return { tiles, end: data, isRead };
}

function planesOf(headers: Headers, shape: CrxShape, from: number, bytes: number): CrxPlane[] | null {
  const planes: CrxPlane[] = [];
  let sum = 0;
  for (let index = 0; index < shape.planes; index++) {
    const told = headers.next('plane', index);
    if (!told) return null;
    const bands = bandsOf(headers, 3 * shape.levels + 1, from + sum, told.bytes);
    if (!bands) return null;
    planes.push({ bands, isPlain: ((told.flags >>> 24) & (plane.follows | plane.rounded)) === plane.follows });
    sum += told.bytes;
  }
  return sum <= bytes ? planes : null;
}

function bandsOf(headers: Headers, count: number, from: number, bytes: number): CrxBand[] | null {
  const bands: CrxBand[] = [];
  let sum = 0;
  for (let index = 0; index < count; index++) {
    const told = headers.next('band', index);
    if (!told) return null;
    const start = from + sum;
    sum += told.bytes;
    bands.push({ start, end: Math.max(start, from + sum - told.unused) });
  }
  return sum <= bytes ? bands : null;
}
