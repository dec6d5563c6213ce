import { losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import { type Directory, type Field, scheme, type TiffBytes, tag } from '../../../tiff/directory';
import { rawTag, sensorSpace } from './directories';
import { type Entry, entriesAt, isEntry, setNumber, valueAt } from './entries';
import { rawScheme } from './image';
import { overwrite, type } from './write';

/** Tags of sensor data beside those of TIFF 6.0 (TIFF/EP, DNG Specification 1.6, chapter 4). */
export const sensorTag = {
  repeat: 33_421,
  pattern: 33_422,
  planes: 0xc616,
  cropSize: 0xc620,
  activeArea: 0xc68d,
} as const;

/** Pieces that are followed. */
const mostPieces = 100_000;

/** The directory of sensor data as it stands in a copy of a file, whose entries are read and written. */
export class Sheet {
  readonly tiff: TiffBytes;
  readonly offset: number;

  constructor(tiff: TiffBytes, offset: number) {
    this.tiff = tiff;
    this.offset = offset;
  }

  get entries(): Entry[] {
    return entriesAt(this.tiff, this.offset);
  }

  find(number: number): Entry | undefined {
    return this.entries.find((entry) => entry.tag === number);
  }

  list(number: number): number[] {
    return this.tiff.values(this.find(number) as Field | undefined, mostPieces);
  }

  one(number: number, fallback = 0): number {
    return this.list(number)[0] ?? fallback;
  }

  /** Sets a field of one number; whether it was another one. A field that there is not stays away. */
  set(number: number, value: number): boolean {
    const entry = this.find(number);
    if (!entry || (entry.count === 1 && this.one(number) === value)) return false;
    setNumber(this.tiff, entry, value);
    return true;
  }

  /** Sets one number of a list. */
  setAt(number: number, index: number, value: number): void {
    const entry = this.find(number);
    if (!entry) return;
    if (entry.count === 1) setNumber(this.tiff, entry, value);
    else
      overwrite(
        this.tiff,
        entry.at + index * (entry.type === type.short ? 2 : 4),
        value,
        entry.type === type.short ? 2 : 4,
      );
  }

  get isTiled(): boolean {
    return this.find(tag.tileOffsets) !== undefined || this.find(rawTag.tileWidth) !== undefined;
  }

  get placeTag(): number {
    return this.isTiled ? tag.tileOffsets : tag.stripOffsets;
  }

  get countTag(): number {
    return this.isTiled ? tag.tileCounts : tag.stripCounts;
  }

  get places(): number[] {
    return this.list(this.placeTag);
  }

  get counts(): number[] {
    return this.list(this.countTag);
  }

  get width(): number {
    return this.one(tag.width);
  }

  get height(): number {
    return this.one(tag.height);
  }

  get samples(): number {
    return this.one(tag.samples, 1);
  }

  /** Heights of the picture that other fields tell: of a single strip, of the part that holds light, and of what is shown. */
  get heights(): number[] {
    const strips = this.isTiled || this.places.length > 1 ? [] : this.list(tag.rowsPerStrip).slice(0, 1);
    return [...strips, ...this.list(sensorTag.activeArea).slice(2, 3), ...this.list(sensorTag.cropSize).slice(1, 2)];
  }

  /** Widths of the picture that other fields tell. */
  get widths(): number[] {
    return [...this.list(sensorTag.activeArea).slice(3, 4), ...this.list(sensorTag.cropSize).slice(0, 1)];
  }
}

const spaces = new Set<number>(Object.values(sensorSpace));
const schemes = new Set<number>(Object.values(rawScheme));

/** Whether a directory describes sensor data, by one of the fields that no other picture has. */
function isOfSensor(sheet: Sheet): boolean {
  const hasOwn = [rawTag.slices, sensorTag.pattern, rawTag.whiteLevel].some((number) => sheet.find(number));
  const [at] = sheet.places;
  if (at !== undefined && losslessFrameAt(sheet.tiff.bytes, at)) return true;
  return hasOwn || spaces.has(sheet.one(tag.photometric)) || schemes.has(sheet.one(tag.compression, scheme.none));
}

/** The only directory of those at some places that describes sensor data; null where there are several, as of reduced ones, or none. */
export function sensorSheet(tiff: TiffBytes, offsets: readonly number[]): Sheet | null {
  const own = offsets.map((offset) => new Sheet(tiff, offset)).filter((sheet) => isOfSensor(sheet));
  const [only, ...others] = own.filter((sheet) => sheet.entries.filter(isEntry).length >= fewestEntries);
  return only && others.length === 0 ? only : null;
}

const fewestEntries = 3;

/** Where the value of an entry stands that holds it itself. */
export const ownValue = ({ place }: Entry): number => place + valueAt;

export const offsetsOf = (found: readonly Directory[]): number[] => found.map(({ offset }) => offset);
