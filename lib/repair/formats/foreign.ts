import { type Layout, layouts, type Signature } from './table';

/** What files can be that no tool here repairs. */
export type ForeignSort = 'program' | 'archive' | 'picture' | 'text' | 'sound' | 'recording' | 'data';

/** Content that is not repaired, by its first bytes, in the words a person is told. */
export type Foreign = { words: string; sort: ForeignSort; signature: Signature };

const begins = (words: string, sort: ForeignSort, text: string, ...more: Signature): Foreign => ({
  words,
  sort,
  signature: [{ at: 0, text }, ...more],
});

/** By their formats' own specifications; each is certain, since a damaged file begins with anything. */
export const foreign: readonly Foreign[] = [
  begins('a program for Windows', 'program', 'MZ'),
  begins('a program for Linux', 'program', '\x7fELF'),
  begins('a program for macOS', 'program', '\xfe\xed\xfa\xce'),
  begins('a program for macOS', 'program', '\xfe\xed\xfa\xcf'),
  begins('a program for macOS', 'program', '\xce\xfa\xed\xfe'),
  begins('a program for macOS', 'program', '\xcf\xfa\xed\xfe'),
  begins('a program for macOS or Java', 'program', '\xca\xfe\xba\xbe'),
  begins('a program for macOS', 'program', '\xca\xfe\xba\xbf'),
  begins('a RAR archive', 'archive', 'Rar!\x1a\x07'),
  begins('a 7-Zip archive', 'archive', '7z\xbc\xaf\x27\x1c'),
  begins('a gzip archive', 'archive', '\x1f\x8b\x08'),
  begins('a GIF picture', 'picture', 'GIF87a'),
  begins('a GIF picture', 'picture', 'GIF89a'),
  begins('a WebP picture', 'picture', 'RIFF', { at: 8, text: 'WEBP' }),
  begins('a Photoshop document', 'picture', '8BPS'),
  begins('a Rich Text document', 'text', '{\\rtf'),
  begins('a PostScript document', 'text', '%!PS'),
  begins('an Ogg file', 'sound', 'OggS'),
  begins('a FLAC recording', 'sound', 'fLaC'),
  begins('an MP3 recording', 'sound', 'ID3'),
  begins('a WAV recording', 'sound', 'RIFF', { at: 8, text: 'WAVE' }),
  begins('a SQLite database', 'data', 'SQLite format 3'),
  // The header section of the first frame (IEC 61834-2), 525 lines and 625.
  begins('a raw DV recording', 'recording', '\x1f\x07\x00\x3f'),
  begins('a raw DV recording', 'recording', '\x1f\x07\x00\xbf'),
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
