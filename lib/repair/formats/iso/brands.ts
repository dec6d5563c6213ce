import type { Buffer } from '../../host/bytes';
import { type FormatId, formatsOf } from '../table';

/** Brands (ISO/IEC 14496-12, 4.3; mp4ra.org) and the formats whose files bear them. */
const brands: readonly (readonly [RegExp, FormatId])[] = [
  [/^crx /, 'cr3'],
  [/^qt {2}/, 'mov'],
  [/^M4V/, 'm4v'],
  [/^3g[0-9a-z]/, '3gp'],
  [/^(isom|iso[2-9]|mp4[12]|avc1|dash|MSNV|XAVC|M4A |mmp4|f4v |INSV|ndsc|NDSC)/, 'mp4'],
];
/** Brands of pictures (ISO/IEC 23008-12 and AVIF), which are not repaired here. */
const pictures = /^(heic|heix|mif1|avif|hevc)/;
/** Formats of cameras and programs whose files bear MP4's brands. */
const alike: readonly (FormatId | null)[] = ['insv', 'm4v', '3gp'];

/** The format of a file of ISO base media, by its major brand, and by its name where formats share brands; null for pictures. */
export function formatOfBrand(head: Buffer, claimed: FormatId | null): FormatId | null {
  const brand = head.toString('latin1', 8, 12);
  if (pictures.test(brand)) return null;
  const format = brands.find(([pattern]) => pattern.test(brand))?.[1];
  const named = claimed && formatsOf('iso').includes(claimed) ? claimed : 'mp4';
  if (!format) return named;
  return format === 'mp4' && alike.includes(claimed) ? named : format;
}
