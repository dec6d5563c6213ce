import type { Buffer } from '../host/bytes';
import { oleFormat, zipFormat } from './containers';
import { tiffFormat } from './tiff';
import { isTransportStream } from './transport';
import { type Detection, type Format, known } from './types';

/** Content this engine does not repair, by its first bytes, in the words a person is told. */
const others: [string, string][] = [
  ['7f454c46', 'a program for Linux'],
  ['feedface', 'a program for macOS'],
  ['feedfacf', 'a program for macOS'],
  ['cffaedfe', 'a program for macOS'],
  ['cefaedfe', 'a program for macOS'],
  ['526172211a07', 'a RAR archive'],
  ['377abcaf271c', 'a 7-Zip archive'],
  ['1f8b08', 'a gzip archive'],
  ['474946383761', 'a GIF picture'],
  ['474946383961', 'a GIF picture'],
  ['7b5c727466', 'a Rich Text document'],
  ['38425053', 'a Photoshop document'],
  ['4f676753', 'an Ogg file'],
  ['664c6143', 'a FLAC recording'],
  ['494433', 'an MP3 recording'],
  ['25215053', 'a PostScript document'],
  ['53514c69746520666f726d61742033', 'a SQLite database'],
  // The header section of the first frame (IEC 61834-2), 525 lines and 625.
  ['1f07003f', 'a raw DV recording'],
  ['1f0700bf', 'a raw DV recording'],
];

const isoBrands: [RegExp, Format][] = [
  [/^crx /, 'cr3'],
  [/^qt {2}/, 'mov'],
  [/^M4V/, 'm4v'],
  [/^3g[0-9a-z]/, '3gp'],
  [/^(isom|iso[2-9]|mp4[12]|avc1|dash|MSNV|XAVC|M4A |mmp4|f4v |INSV|ndsc|NDSC)/, 'mp4'],
];

/** ISO base media (ISO/IEC 14496-12): the brand decides; extensions of cameras that share MP4's brands are taken from the claim. */
function isoFormat(bytes: Buffer, claimed: Format | null): Detection {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return null;
  const brand = bytes.toString('latin1', 8, 12);
  if (/^(heic|heix|mif1|avif|hevc)/.test(brand)) return { format: null, other: 'a HEIF picture' };
  const format = isoBrands.find(([pattern]) => pattern.test(brand))?.[1];
  if (!format)
    return claimed && ['mp4', 'mov', 'm4v', '3gp', 'insv', 'cr3'].includes(claimed) ? known(claimed) : known('mp4');
  if (format === 'mp4' && (claimed === 'insv' || claimed === 'm4v' || claimed === '3gp')) return known(claimed);
  return known(format);
}

function isWindowsProgram(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 0, 2) !== 'MZ' || bytes.length < 64) return false;
  const header = bytes.readUInt32LE(60);
  return header + 4 <= bytes.length && bytes.toString('latin1', header, header + 4) === 'PE\0\0';
}

/** Recognises intact first bytes. Damaged heads are the business of the deep scan. */
export function detectBySignature(bytes: Buffer, claimed: Format | null): Detection {
  if (bytes.length < 4) return null;
  const hex = bytes.toString('hex', 0, 16);
  const text = bytes.toString('latin1', 0, 16);
  if (isWindowsProgram(bytes)) return { format: null, other: 'a program for Windows' };
  if (text.startsWith('%PDF-')) return known('pdf');
  if (hex.startsWith('504b0304')) return zipFormat(bytes);
  if (hex.startsWith('d0cf11e0a1b11ae1')) return oleFormat(bytes, claimed);
  if (hex.startsWith('89504e470d0a1a0a')) return known('png');
  if (hex.startsWith('ffd8ff')) return known('jpg');
  if (text.startsWith('FUJIFILMCCD-RAW')) return known('raf');
  if (hex.startsWith('49491a00') && text.startsWith('HEAPCCDR', 6)) return known('crw');
  if (
    hex.startsWith('49492a00') ||
    hex.startsWith('4d4d002a') ||
    hex.startsWith('49492b00') ||
    hex.startsWith('4d4d002b')
  ) {
    return known(tiffFormat(bytes, claimed));
  }
  const iso = isoFormat(bytes, claimed);
  if (iso) return iso;
  if (hex.startsWith('1a45dfa3')) return known('mkv');
  if (text.startsWith('RIFF') && text.startsWith('AVI ', 8)) return known('avi');
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return { format: null, other: 'a WebP picture' };
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return { format: null, other: 'a WAV recording' };
  if (text.startsWith('FLV\x01')) return known('flv');
  if (hex.startsWith('060e2b3402')) return known('mxf');
  const packet = isTransportStream(bytes);
  if (packet > 0) return known(claimed === 'm2ts' || packet === 192 ? (claimed === 'mts' ? 'mts' : 'm2ts') : 'mts');
  const other = others.find(([signature]) => hex.startsWith(signature));
  return other ? { format: null, other: other[1] } : null;
}
