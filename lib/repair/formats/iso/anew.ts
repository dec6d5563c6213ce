import type { Case } from '../../families/family';
import type { VideoExamined, VideoTypes } from '../../families/video';
import { Buffer } from '../../host/bytes';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import type { Anew } from '../format';
import { hasFragments } from './fragments';
import { findMovie, topLevel } from './layout';
import { beginTelling, type IsoParts } from './parts';
import { examineUnlisted } from './searched';

type Video = Case<VideoTypes>;

/** Ends to which an index may have led that says something wrong, of its tracks, of how they are decoded or of where their samples are. */
const ledAstray = new Set<string>([
  ...['unproven', 'undecodable', 'nextToNothing', 'unopened', 'noFrames', 'framesGone', 'allGone', 'adrift'],
  ...['indexGone', 'nothingFound', 'undescribed', 'untold'],
]);

/** What a decoder took of a file without a complaint. */
type Taken = { frames: number; sound: number };

function takenOf({ steps }: Pick<Video, 'steps'>): Taken | null {
  const told = steps.find((step) => step.kind === 'decode');
  if (told?.kind !== 'decode') return null;
  const { frames, damagedFrames, packets, damagedSound } = told.decoded;
  return { frames: frames - damagedFrames, sound: packets - damagedSound };
}

/** Packets of a kind that say something of a file. */
const enough = 24;

/** Shares of what there was from which on it is much that is lost: of a sound index, and of one of which something is wrong. */
const much = { ofSound: 0.25, ofDamaged: 0.02 };

/** What an index begins with, behind its size. */
const indexName = Buffer.from('moov');

const amountOf = (amounts: readonly { unit: string; count: number }[], unit: string) =>
  amounts.reduce((sum, amount) => (amount.unit === unit ? sum + amount.count : sum), 0);

/** What is lost of a video, without what is there but is shown damaged, or at a speed that was guessed. */
const goneOf = ({ lost }: Pick<Video, 'lost'>) => lost.filter(({ how }) => how !== 'decoding' && how !== 'paced');

/** The larger of the shares of pictures and of sound that are lost. */
function lostShare({ kept, lost }: Pick<Video, 'kept' | 'lost'>): number {
  const gone = goneOf({ lost });
  const shares = ['frames', 'sound packets'].map((unit) => {
    const [some, other] = [amountOf(gone, unit), amountOf(kept, unit)];
    return some + other >= enough ? some / (some + other) : 0;
  });
  return Math.max(...shares);
}

/** What is wrong with an index, rather than with the data that it lists. */
const ofIndex = new Set(['index', 'tables', 'tracks']);
const hasDamagedIndex = ({ damages }: Video): boolean => damages.some(({ kind }) => ofIndex.has(kind));

/** Seconds that a picture is shown at most where nothing is wrong with the times. */
const longestShown = 2;

/** Whether an index that is damaged may say more that is wrong than was seen: something is lost, of the data much is none of what it tells, or its times are none of a video. */
function isDoubted({ size }: Source, one: Video): boolean {
  const apart = one.lost.find(({ how }) => how === 'apart')?.count ?? 0;
  const isSlow = amountOf(one.kept, 'seconds') > amountOf(one.kept, 'frames') * longestShown;
  return hasDamagedIndex(one) && (lostShare(one) > much.ofDamaged || apart > size * much.ofDamaged || isSlow);
}

/**
 * Whether a decoder takes less than half of the pictures or of the sound that were kept, as they do not lie where they were thought to, or
 * many pictures are lost of a file whose end is there, as its index lies behind the data, or some by an index that is damaged.
 */
function isPoor(source: Source, one: Video): boolean {
  const taken = takenOf(one);
  if (!taken || one.output.kind !== 'written') return false;
  const { kept } = one;
  const [frames, sound, gone] = [
    amountOf(kept, 'frames'),
    amountOf(kept, 'sound packets'),
    amountOf(goneOf(one), 'frames'),
  ];
  const isLittle = (some: number, all: number) => all >= enough && some * 2 < all;
  const hasEnd = () => source.find(indexName, source.size >> 1) >= 0;
  return (
    isLittle(taken.frames, frames) ||
    isLittle(taken.sound, sound) ||
    isDoubted(source, one) ||
    (frames + gone >= enough && gone > (frames + gone) * much.ofSound && hasEnd())
  );
}

/** By how much more a decoder must take, of pictures and sound together, for the index to be given up that lists them, and one that is damaged. */
const clearlyMore = { ofSound: 1.1, ofDamaged: 1.02 };
/** How many times as long as it is by itself a video may not last by its index, where by itself about as much of it is shown: decoders count PCM by how it lies. */
const longer = { times: 1.5, asMuch: 0.95 };

/** A video of which little or nothing came by its index, as though that were gone. */
export const withoutIndex: Anew<IsoParts | null, VideoTypes> = {
  async examine(reading: Reading, one: Video): Promise<VideoExamined<IsoParts | null> | null> {
    const { source } = reading;
    const isAstray = one.end.verdict === 'unrepairable' ? ledAstray.has(one.end.why) : isPoor(source, one);
    const layout = topLevel(source);
    const movie = isAstray ? findMovie(source, layout)?.movie : null;
    if (!movie || movie.fragmented || hasFragments(source)) return null;
    // What was set right inside samples was by an index that is not believed any more.
    source.restore(new Map());
    const told = beginTelling();
    told.damages.push({ kind: 'index', how: 'damaged' });
    told.wantsSample = true;
    return await examineUnlisted(reading, layout, null, told);
  },
  isMore(one, before) {
    if (one.end.verdict === 'unrepairable') return false;
    if (before.end.verdict === 'unrepairable') return true;
    const [taken, had] = [takenOf(one), takenOf(before)];
    if (!taken || !had) return false;
    const least = hasDamagedIndex(before) ? clearlyMore.ofDamaged : clearlyMore.ofSound;
    const more = (taken.frames + taken.sound) / Math.max(1, had.frames + had.sound);
    const isLonger = amountOf(before.kept, 'seconds') > amountOf(one.kept, 'seconds') * longer.times;
    return more > least || (isLonger && more >= longer.asMuch);
  },
};
