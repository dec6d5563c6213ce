import type { Source } from '../../video/source';

/** Bytes that are read at once of what lies behind the last box. */
const step = 1 << 20;

/** The end of Insta360's trailer, whose length stands 40 bytes before the end (ExifTool, QuickTimeStream). */
const insta360 = '8db42d694ccc418790edff439fe026bf';

/** How other trailers end, by maker: Samsung's list of embedded data, the positions of LIGO GPS recorders, and MIE with its length (ExifTool, QuickTime). */
const ends: readonly RegExp[] = [/SEFT$/, /&&&&[\s\S]{4}$/, /zmie~[\s\S]{10}$|zmie~[\s\S]{4}$/];

/** Bytes of a camera's own trailer behind the last box that a rebuilt file keeps; 0 without one that names its length. */
export function trailerLength(source: Source): number {
  const tail = source.read(source.size - 40, 40);
  return tail.toString('latin1', 8) === insta360 ? Math.min(source.size, tail.readUInt32LE(0)) : 0;
}

/** Whether what lies behind the last box, which ends at `from`, is a known maker's trailer, or zeros, with which some fill their last cluster. */
export function isKnownTrailer(source: Source, from: number): boolean {
  if (trailerLength(source) > 0) return true;
  const tail = source.read(source.size - 40, 40).toString('latin1');
  if (ends.some((end) => end.test(tail))) return true;
  for (let at = from; at < source.size; at += step)
    if (source.read(at, Math.min(step, source.size - at)).some((byte) => byte !== 0)) return false;
  return true;
}
