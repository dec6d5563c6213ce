import { type FormatId, type Layout, layouts, type Signature } from './table';

/** What content can be that no tool here repairs, in the words a person is told. */
export const foreignWords = {
  windows: 'a program for Windows',
  linux: 'a program for Linux',
  macos: 'a program for macOS',
  macosOrJava: 'a program for macOS or Java',
  rar: 'a RAR archive',
  '7z': 'a 7-Zip archive',
  gzip: 'a gzip archive',
  gif: 'a GIF picture',
  webp: 'a WebP picture',
  heif: 'a HEIC (HEIF) picture',
  avif: 'an AVIF picture',
  jpeg2000: 'a JPEG 2000 picture',
  jpegxl: 'a JPEG XL picture',
  bmp: 'a BMP picture',
  icon: 'a Windows icon',
  svg: 'an SVG drawing',
  psd: 'a Photoshop document',
  rtf: 'a Rich Text document',
  postscript: 'a PostScript document',
  html: 'a web page',
  xml: 'an XML file',
  text: 'a text file',
  ogg: 'an Ogg file',
  flac: 'a FLAC recording',
  mp3: 'an MP3 recording',
  wav: 'a WAV recording',
  asf: 'a Windows Media (ASF) file',
  sqlite: 'a SQLite database',
  torrent: 'a BitTorrent file',
  dv: 'a raw DV recording',
  h264: 'a raw H.264 recording without a container',
  appleDouble: 'a macOS companion file (AppleDouble)',
  shortcut: 'a Windows shortcut',
  googleLink: 'a link to a Google document',
  officeLock: 'a lock file of Office',
  opendocument: 'an OpenDocument file',
  zip: 'a ZIP archive that holds no Word, Excel or PowerPoint document',
  word2: 'a Word document of version 2 or before',
  excel4: 'an Excel sheet of version 4 or before',
  powerpoint4: 'a PowerPoint presentation of version 4 or before',
  ole: 'an OLE file without a Word, Excel or PowerPoint document in it',
  oleEmpty: 'an OLE file without a document in it',
} as const;
export type ForeignKind = keyof typeof foreignWords;

/** What formats are to the online tools that only the command line repairs: the tools' lists do not name them. */
export const foreignOnline: Partial<Record<FormatId, ForeignKind>> = {
  webp: 'webp',
  odt: 'opendocument',
  ods: 'opendocument',
  odp: 'opendocument',
};

/** What kind of use such content is of. */
export type ForeignSort = 'program' | 'archive' | 'picture' | 'text' | 'sound' | 'recording' | 'data' | 'companion';

/** Content that is not repaired, by its first bytes. */
export type Foreign = { kind: ForeignKind; words: string; sort: ForeignSort; signature: Signature };

/** Bytes before the directory of an icon, and of an entry in it. */
const iconHeader = 6;
const iconEntry = 16;

const begins = (kind: ForeignKind, sort: ForeignSort, text: string, ...more: Signature): Foreign => ({
  kind,
  words: foreignWords[kind],
  sort,
  signature: [{ at: 0, text }, ...more],
});

/** Icons of one to nine pictures: a reserved byte, and the bytes of the first picture begin where the directory ends. */
const icons = Array.from({ length: 9 }, (_, index) => {
  const count = index + 1;
  const first = String.fromCharCode(iconHeader + iconEntry * count);
  return begins(
    'icon',
    'picture',
    `\0\0\x01\0${String.fromCharCode(count)}\0`,
    { at: 9, text: '\0' },
    { at: 18, text: `${first}\0\0\0` },
  );
});

/** Sheets of Excel 2, 3 and 4, which stand in no container: the first record, BOF, tells the version by its type, and whether a sheet, a chart, a macro or a workspace follows. */
const sheets = ['\x09\0\x04\0', '\x09\x02\x06\0', '\x09\x04\x06\0'].flatMap((record) =>
  ['\x10\0', '\x20\0', '\x40\0', '\0\x01'].map((text) => begins('excel4', 'data', record, { at: 6, text })),
);

/** By their formats' own descriptions; each is certain, since a damaged file begins with anything. */
export const foreign: readonly Foreign[] = [
  begins('windows', 'program', 'MZ'),
  begins('linux', 'program', '\x7fELF'),
  begins('macos', 'program', '\xfe\xed\xfa\xce'),
  begins('macos', 'program', '\xfe\xed\xfa\xcf'),
  begins('macos', 'program', '\xce\xfa\xed\xfe'),
  begins('macos', 'program', '\xcf\xfa\xed\xfe'),
  begins('macosOrJava', 'program', '\xca\xfe\xba\xbe'),
  begins('macos', 'program', '\xca\xfe\xba\xbf'),
  begins('rar', 'archive', 'Rar!\x1a\x07'),
  begins('7z', 'archive', '7z\xbc\xaf\x27\x1c'),
  begins('gzip', 'archive', '\x1f\x8b\x08'),
  begins('gif', 'picture', 'GIF87a'),
  begins('gif', 'picture', 'GIF89a'),
  begins('webp', 'picture', 'RIFF', { at: 8, text: 'WEBP' }),
  // ISO/IEC 15444-1, I.5.1 and A.4.1; ISO/IEC 18181-2.
  begins('jpeg2000', 'picture', '\0\0\0\x0cjP  \r\n\x87\n'),
  begins('jpeg2000', 'picture', '\xff\x4f\xff\x51\0'),
  begins('jpegxl', 'picture', '\0\0\0\x0cJXL \r\n\x87\n'),
  // The reserved words and the size of one of the two headers in use (BITMAPFILEHEADER, BITMAPINFOHEADER and BITMAPV5HEADER).
  begins('bmp', 'picture', 'BM', { at: 6, text: '\0\0\0\0' }, { at: 14, text: '\x28\0\0\0' }),
  begins('bmp', 'picture', 'BM', { at: 6, text: '\0\0\0\0' }, { at: 14, text: '\x7c\0\0\0' }),
  ...icons,
  begins('psd', 'picture', '8BPS'),
  begins('rtf', 'text', '{\\rtf'),
  begins('postscript', 'text', '%!PS'),
  // Word 1 and 2 for Windows: their magic numbers, and the version of the file that each of them wrote.
  begins('word2', 'data', '\x9b\xa5\x21\0'),
  begins('word2', 'data', '\xdb\xa5\x2d\0'),
  ...sheets,
  begins('ogg', 'sound', 'OggS'),
  begins('flac', 'sound', 'fLaC'),
  begins('mp3', 'sound', 'ID3'),
  begins('wav', 'sound', 'RIFF', { at: 8, text: 'WAVE' }),
  begins('asf', 'recording', '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\0\xaa\0\x62\xce\x6c'),
  begins('sqlite', 'data', 'SQLite format 3'),
  begins('torrent', 'data', 'd8:announce'),
  // RFC 1740, 3.1: the magic number and the version.
  begins('appleDouble', 'companion', '\0\x05\x16\x07\0\x02\0\0'),
  // MS-SHLLINK, 2.1: the size of the header and the class.
  begins('shortcut', 'companion', '\x4c\0\0\0\x01\x14\x02\0'),
  // The header section of the first frame (IEC 61834-2), 525 lines and 625.
  begins('dv', 'recording', '\x1f\x07\x00\x3f'),
  begins('dv', 'recording', '\x1f\x07\x00\xbf'),
  // A byte stream (ISO/IEC 14496-10, Annex B) that begins with parameters or a delimiter.
  begins('h264', 'recording', '\0\0\0\x01\x67'),
  begins('h264', 'recording', '\0\0\0\x01\x09'),
];

/** True when every text of the signature stands at its place. */
export function hasSignature(bytes: Uint8Array, signature: Signature): boolean {
  return signature.every(({ at, text }) => {
    for (let index = 0; index < text.length; index += 1) {
      if (bytes[at + index] !== text.charCodeAt(index)) return false;
    }
    return true;
  });
}

/** True for a file that begins as an intact one of the layout does. */
export function beginsAs(layout: Layout, bytes: Uint8Array): boolean {
  return layouts[layout].signatures.some((signature) => hasSignature(bytes, signature));
}

/** What the first bytes say a foreign file is; null when they say nothing. */
export function foreignBy(bytes: Uint8Array, sorts?: readonly ForeignSort[]): Foreign | null {
  const known = sorts ? foreign.filter(({ sort }) => sorts.includes(sort)) : foreign;
  return known.find(({ signature }) => hasSignature(bytes, signature)) ?? null;
}
