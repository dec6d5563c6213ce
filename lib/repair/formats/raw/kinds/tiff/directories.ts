import type { Buffer } from '../../../../host/bytes';
import { type Directory, TiffBytes, tag, tiffNumber } from '../../../tiff/directory';

/** Directories that are followed. */
const mostDirectories = 200;

/** Tags of raw photos beside those of TIFF 6.0 (DNG Specification 1.6, chapter 4; TIFF/EP; Canon's own). */
export const rawTag = {
  subfile: 254,
  make: 271,
  model: 272,
  tileWidth: 322,
  tileHeight: 323,
  makerNote: 37_500,
  /** How the lines of a CR2 are cut into upright slices: how many of the first width, that width, and that of the last one. */
  slices: 0xc640,
  dngVersion: 0xc612,
  whiteLevel: 0xc61d,
} as const;

/** Kinds of colours that only sensor data has: a filter for each pixel (TIFF/EP), or all colours before they are set (DNG). */
export const sensorSpace = { filters: 32_803, linear: 34_892 } as const;

/** Where a piece of a picture lies, in bytes, and what it shows of it, in pixels. */
export type Piece = { at: number; count: number; width: number; height: number };

/** A picture that a directory describes. */
export type Image = {
  directory: Directory;
  width: number;
  height: number;
  bits: number;
  samples: number;
  compression: number;
  photometric: number;
  isReduced: boolean;
  /** The value that stands for all light (DNG, WhiteLevel); zero where none is named. */
  white: number;
  slices: readonly number[];
  pieces: readonly Piece[];
};

/** All directories of a file that its head leads to, and places that should hold one and do not. */
export type Directories = { tiff: TiffBytes; found: Directory[]; broken: number[] };

/** Follows the directories of a file from its head on; null where no head of a TIFF stands. */
export function directoriesOf(bytes: Buffer): Directories | null {
  const order = bytes.toString('latin1', 0, 2);
  const tiff = new TiffBytes(bytes, order === 'II');
  if ((order !== 'II' && order !== 'MM') || tiff.u16(2) !== tiffNumber) return null;
  const found: Directory[] = [];
  const broken: number[] = [];
  const queue = [tiff.u32(4)];
  const seen = new Set<number>();
  while (queue.length > 0 && seen.size < mostDirectories) {
    const offset = queue.shift() ?? 0;
    if (offset === 0 || seen.has(offset)) continue;
    seen.add(offset);
    const directory = tiff.directory(offset);
    if (!directory) {
      broken.push(offset);
      continue;
    }
    found.push(directory);
    queue.push(
      directory.next,
      ...tiff.values(directory.fields.get(tag.subDirectories), 32),
      ...tiff.values(directory.fields.get(tag.exif), 1),
    );
  }
  return { tiff, found, broken };
}

/** Pieces of one picture that are followed. */
const mostPieces = 100_000;

/** The picture that a directory describes, in strips or tiles; null where it describes none. */
export function imageOf(tiff: TiffBytes, directory: Directory): Image | null {
  const isTiled = directory.fields.has(tag.tileOffsets);
  const places = tiff.values(directory.fields.get(isTiled ? tag.tileOffsets : tag.stripOffsets), mostPieces);
  const counts = tiff.values(directory.fields.get(isTiled ? tag.tileCounts : tag.stripCounts), mostPieces);
  if (places.length === 0 || counts.length !== places.length) return null;
  const value = (number: number, fallback: number) => tiff.value(directory, number, fallback);
  const width = value(tag.width, 0);
  const height = value(tag.height, 0);
  const across = isTiled ? value(rawTag.tileWidth, width) : width;
  const down = isTiled ? value(rawTag.tileHeight, height) : Math.min(height, value(tag.rowsPerStrip, height));
  return {
    directory,
    width,
    height,
    bits: value(tag.depth, 8),
    samples: value(tag.samples, 1),
    compression: value(tag.compression, 1),
    photometric: value(tag.photometric, -1),
    isReduced: (value(rawTag.subfile, 0) & 1) === 1,
    white: value(rawTag.whiteLevel, 0),
    slices: tiff.values(directory.fields.get(rawTag.slices), 3),
    pieces: places.map((at, index) => ({
      at,
      count: counts[index] ?? 0,
      ...pieceSize({ width, height, across, down }, index, isTiled),
    })),
  };
}

type Grid = { width: number; height: number; across: number; down: number };

/** The pixels of a piece: tiles have all of theirs also at the edges (TIFF 6.0, section 15), the last strip has what is left. */
function pieceSize(
  { width, height, across, down }: Grid,
  index: number,
  isTiled: boolean,
): { width: number; height: number } {
  if (isTiled || down < 1) return { width: across, height: down };
  return { width, height: Math.max(0, Math.min(down, height - index * down)) };
}
