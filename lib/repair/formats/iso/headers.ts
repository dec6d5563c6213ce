import type { Buffer } from '../../host/bytes';

/** A field of a full box with 64-bit times in version 1: its places in both versions; 0 where the box is too short. */
export const field = (raw: Buffer | undefined, narrow: number, wide: number) =>
  raw && raw.length >= 32 ? raw.readUInt32BE(raw[8] === 1 ? wide : narrow) : 0;

/** Ticks a second by a media header (8.4.2); 0 where it is gone or says nothing. */
export const headerScale = (raw: ReadonlyMap<string, Buffer>): number => field(raw.get('mdhd'), 20, 28);

/** Seconds of a track by its own header and that of the movie (8.2.2, 8.3.2); 0 where either is gone. */
export function headerSeconds(track: ReadonlyMap<string, Buffer>, movie: ReadonlyMap<string, Buffer>): number {
  const scale = field(movie.get('mvhd'), 20, 28);
  return scale > 0 ? field(track.get('tkhd'), 28, 40) / scale : 0;
}
