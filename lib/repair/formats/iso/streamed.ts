import { boxesIn } from '../../core/boxes';
import type { Source } from '../../video/source';
import type { Layout } from './layout';
import type { Movie } from './movie';

/** Sample entries of encrypted pictures and sound: common encryption (ISO/IEC 23001-7, 4), and that of a shop (QuickTime File Format). */
const encryptedEntries: ReadonlySet<string> = new Set(['encv', 'enca', 'enct', 'encs', 'drmi', 'drms']);
/** Bytes of a sample description before its first entry (ISO/IEC 14496-12, 8.5.2). */
const beforeEntries = 16;
/** What every such entry holds: the protection scheme (8.12). */
const scheme = 'sinf';

/** Whether any track of a movie is encrypted, in one of its sample entries. */
export const isEncrypted = ({ tracks, broken }: Movie): boolean =>
  [...tracks, ...broken].some(({ stsd }) =>
    boxesIn(stsd, beforeEntries, stsd.length).boxes.some(
      ({ type, offset, end }) => encryptedEntries.has(type) && stsd.subarray(offset, end).includes(scheme),
    ),
  );

/** Boxes that hold samples, or list them beside the movie. */
const media: ReadonlySet<string> = new Set(['mdat', 'moof']);

/** Whether a movie lists no sample, as where fragments do. */
export const isWithoutSamples = ({ tracks }: Movie): boolean => tracks.every(({ sizes }) => sizes.length === 0);

/** Whether a file is whole and holds a movie without samples: the initialisation segment of a stream (ISO/IEC 14496-12, 8.8 and 8.16). */
export const isFirstPiece = ({ boxes, stop }: Layout, movie: Movie, size: number): boolean =>
  movie.whole &&
  movie.fragmented &&
  stop === size &&
  !boxes.some(({ type }) => media.has(type)) &&
  isWithoutSamples(movie);

/** What a media segment begins with (ISO/IEC 14496-12, 8.16; ISO/IEC 23009-1, 5.10.3). */
const firstOfPieces: ReadonlySet<string> = new Set(['styp', 'sidx', 'emsg', 'prft', 'moof']);

/** Whether a file begins as a media segment does, which is described in another file. */
export const isLaterPiece = ({ boxes: [first] }: Layout): boolean =>
  first !== undefined && firstOfPieces.has(first.type);

/** Sizes and keys of encrypted samples, which stand in fragments (ISO/IEC 23001-7, 7.2; ISO/IEC 14496-12, 8.7.8). */
const keyBoxes = ['senc', 'saiz'];
/** Longest fragment's head in which these are looked for, in bytes. */
const longestHead = 1 << 20;

/** Whether the samples of the first fragment are encrypted, as far as that tells. */
export function isEncryptedPiece(source: Source, { boxes }: Layout): boolean {
  const first = boxes.find(({ type }) => type === 'moof');
  const head = first && source.copy(first.offset, Math.min(longestHead, first.end - first.offset));
  return head !== undefined && keyBoxes.some((code) => head.includes(code));
}
