import type { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { type Element, elementsIn, ids, numberIn } from './elements';
import type { Walk } from './walk';

/** TrackType (RFC 9559, 5.1.4.1.3) of what is repaired here. */
export const trackTypes = { video: 1, audio: 2 } as const;

/**
 * A track as its entry describes it. `isEncoded`: its frames are compressed once more, encrypted, or without their first bytes
 * (RFC 9559, 5.1.4.1.31); `isEncrypted` names the second of these.
 */
export type Track = { kind: number; codec: string; setup: Buffer | null; isEncoded: boolean; isEncrypted: boolean };

/** Longest CodecID, and longest CodecPrivate, that is read, in bytes. */
const longest = { codec: 64, setup: 65536 };

/** A text, which a zero may end before its element does (RFC 8794, 13), as GStreamer writes it. */
const textOf = (bytes: Buffer): string => bytes.toString('latin1').replace(/\0.*$/s, '');

/** Whether one of the encodings of a track's frames is encryption (RFC 9559, 5.1.4.1.31.8). */
function holdsEncryption(source: Source, { body, end }: Element): boolean {
  const encodings = elementsIn(source, body, end) ?? [];
  return encodings
    .filter(({ id }) => id === ids.contentEncoding)
    .some((one) => elementsIn(source, one.body, one.end)?.some(({ id }) => id === ids.contentEncryption));
}

/** A track entry: its number and what it says; null when it is broken. */
function readEntry(source: Source, entry: Element): { number: number; track: Track } | null {
  const children = elementsIn(source, entry.body, entry.end);
  if (!children) return null;
  let number = 0;
  const track: Track = { kind: 0, codec: '', setup: null, isEncoded: false, isEncrypted: false };
  for (const child of children) {
    const { id, body, end } = child;
    const length = end - body;
    if (id === ids.trackNumber) number = numberIn(source, child);
    if (id === ids.trackType) track.kind = source.read(body, 1)[0] ?? 0;
    if (id === ids.codecId) track.codec = textOf(source.read(body, Math.min(longest.codec, length)));
    if (id === ids.contentEncodings) {
      track.isEncoded = true;
      track.isEncrypted = holdsEncryption(source, child);
    }
    if (id === ids.codecPrivate) track.setup = source.copy(body, Math.min(longest.setup, length));
  }
  return { number, track };
}

/** Tracks by their numbers as the Tracks element describes them (RFC 9559, 5.1.4). Empty when it is broken. */
export function tracksOf(source: Source, walk: Walk): Map<number, Track> {
  const found = new Map<number, Track>();
  const tracks = walk.parts.find(({ id }) => id === ids.tracks);
  const entries = tracks ? elementsIn(source, tracks.body, tracks.end) : [];
  for (const entry of entries ?? []) {
    if (entry.id !== ids.trackEntry) continue;
    const read = readEntry(source, entry);
    if (!read) return new Map();
    if (read.number > 0) found.set(read.number, read.track);
  }
  return found;
}

/** All kinds of tracks that there are: pictures, sound, both, logos, subtitles, buttons, controls and metadata (RFC 9559, 5.1.4.1.3). */
const allTypes = new Set([1, 2, 3, 16, 17, 18, 32, 33]);

/** Whether a track can be what its entry says: a kind that there is, and a codec of that kind (RFC 9559, codec mappings). */
export function isPlausible({ kind, codec }: Track): boolean {
  if (kind === trackTypes.video) return codec.startsWith('V_');
  if (kind === trackTypes.audio) return codec.startsWith('A_');
  return allTypes.has(kind);
}

/** Kinds of tracks by their numbers. */
export const kindsOf = (tracks: ReadonlyMap<number, Track>): Map<number, number> =>
  new Map([...tracks].map(([number, { kind }]) => [number, kind]));

/** Codecs of tracks by their numbers. */
export const codecsOf = (tracks: ReadonlyMap<number, Track>): Map<number, string> =>
  new Map([...tracks].map(([number, { codec }]) => [number, codec]));
