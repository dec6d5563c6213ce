import { highest, lowest } from '../../core/extent';
import type { Loss } from '../../report/facts/video';
import { ids } from './elements';
import type { Block, Cluster, Walk } from './walk';

/** Milliseconds at the beginning of a recording that may well hold nothing, and fewer than are told where blocks are left of a cluster whose own head is gone. */
const lateStart = 1000;
const leastMissing = 100;

/** Clusters by which is told how long a block lasts. */
const lookedAt = 10;

/** Times of a track's blocks on the clock of the file, in order. */
const timesOf = (clusters: readonly Cluster[], track: number): number[] =>
  clusters
    .filter(({ time }) => time >= 0)
    .flatMap(({ time, blocks }) => blocks.filter((block) => block.track === track).map((block) => time + block.time))
    .sort((one, other) => one - other);

/** Track of most blocks. */
function busiest(blocks: readonly Block[]): number {
  const counts = new Map<number, number>();
  for (const { track } of blocks) counts.set(track, (counts.get(track) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
}

/**
 * Gives blocks whose cluster lost its beginning with the head the time that leads to the next cluster, where nothing is missing between
 * them. Else they stay where the walk put them, at zero.
 */
export function settleOrphans({ isBegunInside, clusters, gaps }: Walk): void {
  const [orphans, next] = clusters;
  if (!isBegunInside || !orphans || !next || next.time < 0) return;
  const ends = highest(orphans.blocks.map(({ end }) => end));
  const begins = lowest(next.blocks.map(({ offset }) => offset));
  if (gaps.some(({ offset }) => offset >= ends && offset < begins)) return;
  const track = busiest(orphans.blocks);
  const last = timesOf([orphans], track).at(-1);
  const following = timesOf(clusters.slice(1, lookedAt), track);
  const [then, end] = [following[0], following.at(-1)];
  if (last === undefined || then === undefined || end === undefined || following.length < 2) return;
  const time = Math.round(then - (end - then) / (following.length - 1) - last);
  if (time >= leastMissing) orphans.time = time;
}

/** What is gone of the beginning of a file by the clock of what is left; nothing where a description comes before that. */
export function lostBefore({ headOk, isBegunInside, parts }: Walk, [first]: readonly Cluster[]): Loss[] {
  if (headOk || !first || first.blocks.length === 0) return [];
  const start = lowest(first.blocks.map(({ offset }) => offset));
  if (parts.some(({ id, offset }) => (id === ids.info || id === ids.tracks) && offset < start)) return [];
  const time = first.time + lowest(first.blocks.map((block) => block.time));
  if (time < (isBegunInside ? leastMissing : lateStart)) return [];
  return [{ unit: 'seconds', count: Math.round(time / 100) / 10, how: 'before' }];
}
