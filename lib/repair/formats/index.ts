import type { Buffer } from '../host/bytes';
import { avi } from './avi';
import { flv } from './flv';
import type { AnyFormat } from './format';
import { jpeg } from './jpeg';
import { png } from './png';
import { raw } from './raw';
import type { FormatId } from './table';
import { tiff } from './tiff';
import { webp } from './webp';

/** The formats that go through the one pipeline. */
const formats: readonly AnyFormat[] = [avi, flv, jpeg, png, tiff, raw, webp];

/** The format of that name; null for those that have not moved here yet. */
export const formatOf = (id: FormatId): AnyFormat | null => formats.find(({ ids }) => ids.includes(id)) ?? null;

/** The format by how a file begins, its name deciding between those of like content; null where it is none of these. */
export function recognise(head: Buffer, claimed: FormatId | null): FormatId | null {
  for (const format of formats) {
    const id = format.recognise(head, claimed);
    if (id) return id;
  }
  return null;
}

/** The format of a damaged file by what is inside, where its beginning says nothing; null where no format knows it so. */
export function recogniseDamaged(bytes: Buffer, claimed: FormatId | null): FormatId | null {
  for (const format of formats) {
    const id = format.recogniseDamaged?.(bytes, claimed) ?? null;
    if (id) return id;
  }
  return null;
}
