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

/** The time of a cluster by that of the one before it: its first block follows on the last of its track as others do; null where these tell nothing. */
function timeAfter(before: Cluster, cluster: Cluster): number | null {
  const track = busiest(cluster.blocks);
  const earlier = timesOf([before], track);
  const first = cluster.blocks.find((block) => block.track === track);
  const [start, last] = [earlier[0], earlier.at(-1)];
  if (!first || start === undefined || last === undefined || earlier.length < 2) return null;
  return Math.max(0, Math.round(last + (last - start) / (earlier.length - 1) - first.time));
}

/** Blocks by which those of one cluster may reach behind the beginning of the next: pictures are stored in the order in which they are decoded. */
const reordered = 20;

/** Whether a cluster begins far before the time at which the one before it ends. */
function isOverlapping(before: Cluster, cluster: Cluster, time: number | null): boolean {
  if (time === null || cluster.time >= time) return false;
  const times = timesOf([before], busiest(cluster.blocks));
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return time - cluster.time > (span * reordered) / Math.max(1, times.length - 1);
}

/** Clusters on each side of one that tell whether its blocks stand in step with theirs; chosen on files of mkvmerge with clusters of a tenth of a second. */
const beside = 3;

/** Whether times that rise are even: each step is more than half of a usual one and less than one and a half. */
function isEven(times: readonly number[]): boolean {
  const steps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  const usual = steps.toSorted((one, other) => one - other)[steps.length >> 1] ?? 0;
  return usual > 0 && steps.every((step) => step * 2 > usual && step * 2 < usual * 3);
}

/**
 * Whether the blocks of a cluster are in step with those of the clusters before or behind it, so that its time is right whatever its neighbours say:
 * pictures that are stored in the order in which they are decoded, and sound between them, let short clusters begin before the one that they follow.
 */
function isInStep(clusters: readonly Cluster[], index: number): boolean {
  const cluster = clusters[index];
  if (!cluster || cluster.isGuessed) return false;
  const track = busiest(cluster.blocks);
  const own = timesOf([cluster], track).length;
  return [clusters.slice(Math.max(0, index - beside), index + 1), clusters.slice(index, index + beside + 1)].some(
    (side) => {
      const times = timesOf(side, track);
      return times.length > own && isEven(times);
    },
  );
}

/** The time of a cluster by that of the one behind it: its last block leads to the first one there; null where that tells nothing. */
function timeBefore(cluster: Cluster, behind: Cluster): number | null {
  const track = busiest(cluster.blocks);
  const later = timesOf([behind], track);
  const last = cluster.blocks.findLast((block) => block.track === track);
  const [start, end] = [later[0], later.at(-1)];
  if (!last || start === undefined || end === undefined || later.length < 2) return null;
  return Math.max(0, Math.round(start - (end - start) / (later.length - 1) - last.time));
}

/**
 * Gives clusters whose time could not be read, or does not lie between those of the clusters on both sides while these follow one another, the one
 * that continues the cluster before, or leads to the one behind; how many.
 */
export function settleTimes({ clusters }: Walk): number {
  let settled = 0;
  for (const [index, cluster] of clusters.entries()) {
    const [before, behind] = [clusters[index - 1], clusters[index + 1]];
    if (cluster.blocks.length === 0 || cluster.time < 0) continue;
    const [least, most] = [before?.time ?? 0, behind?.time ?? -1];
    const isBetween = most >= least && before !== undefined && (cluster.time < least || cluster.time > most);
    const isBehind = !behind && cluster.time < least && (clusters[index - 2]?.time ?? least) < least;
    const after = before ? timeAfter(before, cluster) : null;
    const isInside = before !== undefined && isOverlapping(before, cluster, after);
    if (!isBetween && !isBehind && !isInside && !cluster.isGuessed) continue;
    if (isInStep(clusters, index)) continue;
    const time = after ?? (behind && timeBefore(cluster, behind)) ?? null;
    if (time === null) continue;
    settled++;
    cluster.time = time;
  }
  return settled;
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
