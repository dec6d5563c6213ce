import { boxInside } from '../../codecs/configuration';
import type { Source } from '../../video/source';
import type { Movie } from './movie';
import { chainLength } from './probes';
import type { Track } from './track';

/** Samples that are gone through, and the fewest that tell. */
const looked = 8;
const fewest = 2;
/** Bytes that the length of a unit may take (ISO/IEC 14496-15, 5.3.3.1.2), usual ones first. */
const widths = [4, 2, 1];

/** Where the width stands in the configurations of H.264 and HEVC, behind the heads of their boxes (5.3.3.1.2 and 8.3.3.1.2), and the bits of that byte beside it. */
const places = [
  { box: 'avcC', at: 4 },
  { box: 'hvcC', at: 21 },
] as const;
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
    const place = places.find(({ box }) => boxInside(track.stsd, box));
    const configuration = place && boxInside(track.stsd, place.box);
    if (!width || !configuration || configuration.length <= place.at) continue;
    // Those beside it are ones in H.264; in HEVC they tell of layers in time.
    const beside = place.box === 'avcC' ? otherBits : (configuration[place.at] ?? 0) & otherBits;
    configuration[place.at] = beside | (width - 1);
    track.lengthBytes = width;
    movie.whole = false;
  }
}
