import type { VideoExamined, VideoTypes } from '../../families/video';
import { countPackets } from '../../readers/media';
import type { Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Sink } from '../../video/sink';
import type { Source } from '../../video/source';
import type { Seen } from '../format';
import { gatherFragments } from './fragments';
import { findMovie, topLevel } from './layout';
import { locate, sampleState } from './locate';
import type { Movie } from './movie';
import { type IsoParts, isPicture } from './parts';
import { type Plan, writeMovie, writtenSamples } from './write';

/** Writes the file anew: an index, and the samples that are left behind it. */
export async function rebuildIso(
  reading: Reading,
  { parts }: VideoExamined<IsoParts | null>,
  sink: Sink,
): Promise<readonly Step[]> {
  if (!parts) return [];
  const { source } = reading;
  const { brand, movie, plans, trailer, isListed, keptBytes } = parts;
  if (keptBytes > 0) {
    sink.take(source, 0, keptBytes);
    return [{ kind: 'cut', bytes: source.size - keptBytes }];
  }
  await writeMovie(reading, sink, brand, movie, plans);
  if (trailer > 0) sink.take(source, source.size - trailer, trailer);
  return isListed ? [{ kind: 'rebuild', of: 'samples' }] : [];
}

const isWritten = (plan: Plan | undefined, count: number): boolean =>
  plan !== undefined && writtenSamples(plan) === count;

/** Whether the index of a written file lists as many samples as were to be written, and those where they are. */
async function liesAsListed(reading: Reading, written: Source, movie: Movie, plans: readonly Plan[]): Promise<boolean> {
  if (movie.tracks.length !== plans.length) return false;
  const again = { ...reading, source: written, tell: (offset: number) => reading.tell(offset, 0.8, 0.95) };
  const found = await locate(again, movie.tracks);
  return found.every(
    ({ moved, states, track }, index) =>
      moved === 0 && isWritten(plans[index], states.length) && track.agreed && !states.includes(sampleState.gone),
  );
}

/** The samples of a file that was kept in fragments, by their tables. */
async function fragmentsOf(reading: Reading, written: Source, movie: Movie): Promise<Movie | null> {
  const gathered = await gatherFragments({ ...reading, source: written }, topLevel(written), movie, () => {});
  return gathered && { ...movie, ...gathered.movie };
}

/** Whether a file that was written reads as it was meant, with this reader and with a second one, and what that counts in it. */
export async function verifyIso(
  written: Source,
  reading: Reading,
  { parts }: VideoExamined<IsoParts | null>,
): Promise<boolean | Seen<VideoTypes>> {
  const movie = findMovie(written, topLevel(written))?.movie;
  if (!movie?.whole || !parts) return false;
  const { plans, isListed, needsPicture, keptBytes } = parts;
  const listing = keptBytes > 0 && movie.fragmented ? await fragmentsOf(reading, written, movie) : movie;
  const isOwn = isListed
    ? listing !== null && (await liesAsListed(reading, written, listing, plans))
    : movie.tracks.every(({ sizes }, index) => isWritten(plans[index], sizes.length));
  if (!isOwn) return false;
  const { job } = reading;
  const packets = await countPackets(job.outputPath, () => job.deadline.check());
  if (!packets) return true;
  const isNal = ({ located }: Plan) => isPicture(located) && located.track.lengthBytes > 0;
  const wantsPicture = isListed ? plans.some(isNal) : needsPicture;
  if (wantsPicture && packets.video === 0) return false;
  return { steps: [{ kind: 'check', frames: packets.video, packets: packets.sound }] };
}
