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
  heif: 'a HEIF picture',
  psd: 'a Photoshop document',
  rtf: 'a Rich Text document',
  postscript: 'a PostScript document',
  html: 'a web page',
  ogg: 'an Ogg file',
  flac: 'a FLAC recording',
  mp3: 'an MP3 recording',
  wav: 'a WAV recording',
  sqlite: 'a SQLite database',
  dv: 'a raw DV recording',
  opendocument: 'an OpenDocument file',
  zip: 'a ZIP archive that holds no Word, Excel or PowerPoint document',
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
export type ForeignSort = 'program' | 'archive' | 'picture' | 'text' | 'sound' | 'recording' | 'data';

/** Content that is not repaired, by its first bytes. */
export type Foreign = { kind: ForeignKind; words: string; sort: ForeignSort; signature: Signature };

const begins = (kind: ForeignKind, sort: ForeignSort, text: string, ...more: Signature): Foreign => ({
  kind,
  words: foreignWords[kind],
  sort,
  signature: [{ at: 0, text }, ...more],
});

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
  begins('psd', 'picture', '8BPS'),
  begins('rtf', 'text', '{\\rtf'),
  begins('postscript', 'text', '%!PS'),
  begins('ogg', 'sound', 'OggS'),
  begins('flac', 'sound', 'fLaC'),
  begins('mp3', 'sound', 'ID3'),
  begins('wav', 'sound', 'RIFF', { at: 8, text: 'WAVE' }),
  begins('sqlite', 'data', 'SQLite format 3'),
  // The header section of the first frame (IEC 61834-2), 525 lines and 625.
  begins('dv', 'recording', '\x1f\x07\x00\x3f'),
  begins('dv', 'recording', '\x1f\x07\x00\xbf'),
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
