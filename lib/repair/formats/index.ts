import type { Buffer } from '../host/bytes';
import { avi } from './avi';
import { flv } from './flv';
import type { AnyFormat } from './format';
import { iso } from './iso';
import { jpeg } from './jpeg';
import { matroska } from './matroska';
import { mxf } from './mxf';
import { odf } from './odf';
import { ole } from './ole';
import { ooxml } from './ooxml';
import { pdf } from './pdf';
import { png } from './png';
import { raw } from './raw';
import type { FormatId } from './table';
import { tiff } from './tiff';
import { transport } from './transport';
import { webp } from './webp';

/** Every format. */
const formats: readonly AnyFormat[] = [
  avi,
  flv,
  iso,
  matroska,
  mxf,
  transport,
  jpeg,
  png,
  tiff,
  raw,
  webp,
  pdf,
  ooxml,
  odf,
  ole,
];

/** The format that reads files of that name. */
export function formatOf(id: FormatId, bytes: Uint8Array): AnyFormat {
  const format = formats.find(({ ids, takes }) => ids.includes(id) && takes?.(bytes) !== false);
  if (!format) throw new Error(`No format reads ${id}.`);
  return format;
}

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
