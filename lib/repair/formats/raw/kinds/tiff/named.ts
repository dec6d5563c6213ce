import { type Directory, type Field, scheme, type TiffBytes, tag } from '../../../tiff/directory';
import { rawTag, sensorSpace } from './directories';

/** Fields with the places of data, and those with its lengths. */
export const placeFields = [
  [tag.stripOffsets, tag.stripCounts],
  [tag.tileOffsets, tag.tileCounts],
  [tag.jpegStart, tag.jpegLength],
] as const;

const sensorSpaces = new Set<number>(Object.values(sensorSpace));

/** One place that a directory names, and whether a JPEG, of pictures or of sensor data, must stand there. */
export type Named = {
  field: Field;
  lengths: Field | undefined;
  index: number;
  at: number;
  count: number;
  isJpeg: boolean;
  isLossless: boolean;
};

/** Places that are followed in all. */
const mostNamed = 100_000;

/** All places that directories name, in the order in which they stand in the file. */
export function namedPlaces(tiff: TiffBytes, found: readonly Directory[]): Named[] {
  const named: Named[] = [];
  for (const { fields } of found) {
    const packing = tiff.values(fields.get(tag.compression), 1)[0] ?? scheme.none;
    const isPacked = packing === scheme.oldJpeg || packing === scheme.jpeg;
    const isLossless =
      fields.has(rawTag.slices) || (isPacked && sensorSpaces.has(tiff.values(fields.get(tag.photometric), 1)[0] ?? 0));
    for (const [starts, counts] of placeFields) {
      const field = fields.get(starts);
      const lengths = fields.get(counts);
      const room = mostNamed - named.length;
      const sizes = tiff.values(lengths, room);
      for (const [index, at] of tiff.values(field, room).entries())
        if (field)
          named.push({
            field,
            lengths,
            index,
            at,
            count: sizes[index] ?? 0,
            isJpeg: starts === tag.jpegStart || isPacked,
            isLossless,
          });
    }
  }
  return named.sort((left, right) => left.at - right.at);
}

/** The byte behind all of some places. */
export const endOf = (named: readonly Named[]): number =>
  named.reduce((most, { at, count }) => Math.max(most, at + count), 0);

/** The byte behind all that directories name. */
export const namedEnd = (tiff: TiffBytes, found: readonly Directory[]): number => endOf(namedPlaces(tiff, found));
