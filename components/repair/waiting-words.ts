import type { Place } from '@/store/repair-machine';

/** Below this nobody wants to count, in seconds. */
const SOON = 10;

/** How long an upload still takes; null while nothing tells. */
export function timeLeftWords(seconds: number | null): string | null {
  return seconds === null ? null : `${about(seconds)} left`;
}

/** A time that is about right, never more exact than it is known. */
function about(seconds: number): string {
  if (seconds < SOON) return 'a few seconds';
  if (seconds < 90) return `about ${Math.round(seconds / 10) * 10} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes === 1 ? 'about a minute' : `about ${minutes} minutes`;
}

/** Where a repair stands: its place in the queue and how long it will about be; no place once it is being done. */
export function waitingWords(place: Place | null): string {
  if (!place) return 'Your file is being repaired.';
  const { position, seconds } = place;
  const where = position === 1 ? 'Yours is next in the queue' : `Place ${position} in the queue`;
  return seconds === null ? `${where}.` : `${where}: it starts in ${about(seconds)}.`;
}
