import { beginsAs, foreignBy } from '../formats/foreign';
import { formatOfBrand } from '../formats/iso/brands';
import { formatsOf, type Layout, layouts } from '../formats/table';
import type { Buffer } from '../host/bytes';
import { oleFormat, zipFormat } from './containers';
import { tiffFormat } from './tiff';
import { isTransportStream } from './transport';
import { type Detection, type Format, known } from './types';

/** Bytes of a packet with a time code before it (BDAV). */
const timedPacket = 192;

/** Where the first box names what the file is compatible with. */
const [brandsFrom, brandsTo] = [8, 40];

/** ISO base media (ISO/IEC 14496-12): the brand decides. */
function isoFormat(bytes: Buffer, claimed: Format | null): Detection {
  const format = formatOfBrand(bytes, claimed);
  if (format) return known(format);
  return { format: null, other: bytes.toString('latin1', brandsFrom, brandsTo).includes('avif') ? 'avif' : 'heif' };
}

function isWindowsProgram(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 0, 2) !== 'MZ' || bytes.length < 64) return false;
  const header = bytes.readUInt32LE(60);
  return header + 4 <= bytes.length && bytes.toString('latin1', header, header + 4) === 'PE\0\0';
}

/** The layout that the first bytes are those of; null when they are none of any. */
function layoutOf(bytes: Buffer): Layout | null {
  return (Object.keys(layouts) as Layout[]).find((layout) => beginsAs(layout, bytes)) ?? null;
}

/** Of a transport stream the length of its packets tells the two names apart (ISO/IEC 13818-1, and BDAV with its time codes). */
function transportFormat(packet: number, claimed: Format | null): Detection {
  return known(claimed === 'm2ts' || (packet === timedPacket && claimed !== 'mts') ? 'm2ts' : 'mts');
}

/** Recognises intact first bytes. Damaged heads are the business of the deep scan. */
export function detectBySignature(bytes: Buffer, claimed: Format | null): Detection {
  if (bytes.length < 4) return null;
  if (isWindowsProgram(bytes)) return { format: null, other: 'windows' };
  const layout = layoutOf(bytes);
  if (layout === 'zip') return zipFormat(bytes, claimed);
  if (layout === 'ole') return oleFormat(bytes, claimed);
  if (layout === 'tiff') return known(tiffFormat(bytes, claimed));
  if (layout === 'iso') return isoFormat(bytes, claimed);
  const [format] = layout ? formatsOf(layout) : [];
  if (format) return known(format);
  const packet = isTransportStream(bytes);
  if (packet > 0) return transportFormat(packet, claimed);
  const other = foreignBy(bytes);
  // Two letters are no proof of a program: its header was looked for above.
  return other && other.kind !== 'windows' ? { format: null, other: other.kind } : null;
}
