import type { Loss } from '../report/facts/video';

/** Share of its length, and seconds, by which a file must be shorter than it says for its end to be gone: programs tell lengths of one track or another. */
const least = { share: 0.02, seconds: 0.5 };
/** How many times what is left a file may have been long at most: more is a wrong number. */
const mostTimes = 1000;

/** What is gone of the end of a damaged file that tells how long it was: `told` and `left` in seconds. */
export function lostBehind(told: number, left: number): Loss[] {
  const missing = told - left;
  if (!Number.isFinite(missing) || missing < Math.max(least.seconds, told * least.share) || told > left * mostTimes)
    return [];
  return [{ unit: 'seconds', count: Math.round(missing * 10) / 10, how: 'behind' }];
}
