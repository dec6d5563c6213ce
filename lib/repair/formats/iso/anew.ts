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

/** Share of what there was from which on it is much that is lost. */
const much = 0.25;

/** What an index begins with, behind its size. */
const indexName = Buffer.from('moov');

/**
 * Whether a decoder takes less than half of the pictures or of the sound that were kept, as they do not lie where they were thought to, or
 * many pictures are lost of a file whose end is there, as its index lies behind the data.
 */
function isPoor(source: Source, { kept, lost, output, ...one }: Video): boolean {
  const taken = takenOf(one);
  if (!taken || output.kind !== 'written') return false;
  const count = (amounts: readonly { unit: string; count: number }[], unit: string) =>
    amounts.reduce((sum, amount) => (amount.unit === unit ? sum + amount.count : sum), 0);
  const [frames, sound, gone] = [count(kept, 'frames'), count(kept, 'sound packets'), count(lost, 'frames')];
  const isLittle = (some: number, all: number) => all >= enough && some * 2 < all;
  const hasEnd = () => source.find(indexName, source.size >> 1) >= 0;
  return (
    isLittle(taken.frames, frames) ||
    isLittle(taken.sound, sound) ||
    (frames + gone >= enough && gone > (frames + gone) * much && hasEnd())
  );
}

/** By how much more a decoder must take, of pictures and sound together, for the index to be given up that lists them. */
const clearlyMore = 1.1;

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
    return taken !== null && had !== null && taken.frames + taken.sound > (had.frames + had.sound) * clearlyMore;
  },
};
