import type { VideoExamined, VideoTypes } from '../../families/video';
import type { Buffer } from '../../host/bytes';
import type { Amount, Step } from '../../report/facts/video';
import { nothingTold } from '../format';
import type { Choice } from './demux/rate';
import type { Located } from './locate';
import type { Movie } from './movie';
import type { Plan } from './write';

/** What survives of a file: the movie and what of each of its tracks is written, behind a brand box, and a camera's own trailer. */
export type IsoParts = {
  movie: Movie;
  plans: Plan[];
  brand: Buffer;
  /** Bytes behind the last box that a camera appended. */
  trailer: number;
  /** Bytes of the file that are kept as they are, where nothing is wrong but what follows them; 0 where it is written anew. */
  keptBytes: number;
  /** The index lists the samples; otherwise they were found by the way they are stored. */
  isListed: boolean;
  /** A second reader must see pictures in what is written. */
  needsPicture: boolean;
};

/** What is told of a file while one way after another is tried to read it; nothing that was told is taken back. */
export type Telling = Omit<VideoExamined<unknown>, 'hopeless' | 'parts'>;

export const beginTelling = (): Telling => ({
  ...nothingTold<VideoTypes>(),
  inside: [],
  kept: [],
  wantsSample: false,
});

/** Takes down what a search did. */
export function did(told: Telling, step: Step): void {
  told.steps.push(step);
  if (step.kind !== 'search') return;
  told.remarks.push({ kind: 'search' });
  if (!step.isToned) return;
  told.lost.push({ unit: 'video tracks', count: 1, how: 'toned' });
  told.wantsSample = true;
}

/** Takes down the rate that was chosen for the sound of these tracks; what plays at a rate that is a guess is not called repaired. */
export function tellRate({ remarks, lost }: Telling, { alike, isTold }: Choice, tracks: readonly Located[]): void {
  remarks.push({ kind: 'soundRate', rate: alike.timescale, isGuess: !isTold });
  const count = tracks.filter(isSound).reduce((sum, { track }) => sum + track.sizes.length, 0);
  if (!isTold) lost.push({ unit: 'sound packets', count, how: 'paced' });
}

/** Takes down tracks that are left out since nothing tells how they are decoded. */
export function tellUntold(told: Telling, count: number, others: readonly Located[]): void {
  told.wantsSample = true;
  told.lost.push({ unit: 'tracks', count, how: 'untold' });
  if (!others.some(isPicture)) told.remarks.push({ kind: 'soundAlone' });
}

export const isPicture = ({ track }: Located): boolean => track.kind === 'vide';
export const isSound = ({ track }: Located): boolean => track.kind === 'soun';

/** Length of the longest track that is written, in seconds, to a tenth. */
export function shownSeconds(plans: readonly Plan[]): Amount['count'] {
  const seconds = plans.map(({ mediaTime, located: { track } }) => mediaTime / track.timescale);
  return Math.round(Math.max(0, ...seconds) * 10) / 10;
}
