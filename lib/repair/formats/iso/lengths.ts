import { lengthPlace } from '../../codecs/configuration';
import type { Source } from '../../video/source';
import type { Movie } from './movie';
import { chainLength } from './probes';
import type { Track } from './track';

/** Samples that are gone through, and the fewest that tell. */
const looked = 8;
const fewest = 2;
/** Bytes that the length of a unit may take (ISO/IEC 14496-15, 5.3.3.1.2), usual ones first. */
const widths = [4, 2, 1];

/** The bits beside the width: ones in H.264, while in HEVC they tell of layers in time. */
const otherBits = 0xfc;

/** The first samples of a track that lie in the file. */
function samplesOf({ size: end }: Source, { offsets, sizes }: Track): { at: number; size: number }[] {
  const found: { at: number; size: number }[] = [];
  for (let index = 0; index < offsets.length && found.length < looked; index++) {
    const [at, size] = [offsets[index] ?? -1, sizes[index] ?? 0];
    if (at >= 0 && size > 0 && at + size <= end) found.push({ at, size });
  }
  return found;
}

/**
 * Gives tracks of NAL units the width of their lengths with which the units lead to the end of each sample, where that of the configuration leads to
 * that of none. The configuration is set right, and the movie is not whole then.
 */
export function settleLengths(source: Source, movie: Movie): void {
  for (const track of movie.tracks) {
    if (track.lengthBytes === 0 || !track.inside) continue;
    const samples = samplesOf(source, track);
    const leads = ({ at, size }: { at: number; size: number }, lengthBytes: number) =>
      chainLength(source, { ...track, lengthBytes }, at, size) === size;
    if (samples.length < fewest || samples.some((sample) => leads(sample, track.lengthBytes))) continue;
    const width = widths.find((one) => samples.every((sample) => leads(sample, one)));
    const place = lengthPlace(track.stsd);
    if (!width || place < 0 || place >= track.stsd.length) continue;
    const beside = /^(avc|dva)/.test(track.codec) ? otherBits : (track.stsd[place] ?? 0) & otherBits;
    track.stsd[place] = beside | (width - 1);
    track.lengthBytes = width;
    movie.whole = false;
  }
}
