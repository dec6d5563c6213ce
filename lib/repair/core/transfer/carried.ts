import type { Buffer } from '../../host/bytes';

/**
 * How the bytes of a file lie in what carried it: as they are, in chunks (RFC 9112, 7.1), as base64 or quoted-printable text (RFC 2045, 6.7
 * and 6.8), as lines of uuencode (POSIX.1-2017, uuencode), as hexadecimal digits, each as a letter of two bytes (RFC 2781), packed by gzip
 * (RFC 1952), in a ZIP archive (APPNOTE 6.3.10) packed or as they are, in a TAR archive (POSIX.1-2017, pax), or twice.
 */
export const encodings = [
  ...['plain', 'chunked', 'base64', 'quoted', 'uuencode', 'hex', 'utf16le', 'utf16be'],
  ...['gzip', 'deflated', 'stored', 'tar', 'again'],
] as const;
export type Encoding = (typeof encodings)[number];

/** What a transfer put around a file: where its bytes begin, how they are written, how many they are where that is told, and what ends them. */
export type Envelope = { from: number; encoding: Encoding; length: number | null; boundary: string | null };

/** A file that is looked at in pieces: fewer bytes than asked for where it ends. */
export type Pieces = { size: number; copy(at: number, length: number): Buffer };

/** A file as pieces of it. */
export const piecesOf = (bytes: Buffer): Pieces & { find(needle: Buffer, from: number): number } => ({
  size: bytes.length,
  copy: (at, length) => bytes.subarray(at, Math.max(at, at + length)),
  find: (needle, from) => bytes.indexOf(needle, from),
});

/** Layers of what carries a file that are taken off: a picture that is packed for a mail lies in two. */
export const mostLayers = 3;
