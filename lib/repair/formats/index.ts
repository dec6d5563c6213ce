import type { Buffer } from '../host/bytes';
import { avi } from './avi';
import { flv } from './flv';
import type { AnyFormat } from './format';
import { iso } from './iso';
import { jpeg } from './jpeg';
import { matroska } from './matroska';
import { mxf } from './mxf';
import { png } from './png';
import { raw } from './raw';
import type { FormatId } from './table';
import { tiff } from './tiff';
import { transport } from './transport';

/** The formats that go through the one pipeline. */
const formats: readonly AnyFormat[] = [avi, flv, iso, matroska, mxf, jpeg, png, tiff, raw, transport];

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
