import type { Fragment, Run } from './moof';
import type { Movie } from './movie';
import type { Track } from './track';

/** The runs of each track in the order in which they lie, also of tracks of which the movie alone lists samples. */
export function runsByTrack(fragments: readonly Fragment[], movie: Movie | null): Map<number, Run[]> {
  const byTrack = new Map<number, Run[]>();
  for (const { id, sizes } of movie?.tracks ?? []) if (sizes.length > 0) byTrack.set(id, []);
  for (const run of fragments.flatMap(({ runs }) => runs)) {
    const own = byTrack.get(run.track);
    if (own) own.push(run);
    else byTrack.set(run.track, [run]);
  }
  return byTrack;
}

const ticksOf = (run: Run) => run.durations.reduce((sum, ticks) => sum + ticks, 0);

/**
 * Sets right when a run begins (baseMediaDecodeTime, ISO/IEC 14496-12, 8.8.12) where it begins with neither end of those beside it, which
 * meet without it, and where it would begin before those before it have ended; whether any did. Runs are in the order in which they lie.
 * Less than half a sample is what writers round.
 */
export function settleTimes(runs: readonly Run[]): boolean {
  const told: { run: Run; ticks: number }[] = [];
  for (const run of runs) {
    const last = told.at(-1);
    if (run.time >= 0) told.push({ run, ticks: ticksOf(run) });
    else if (last) last.ticks += ticksOf(run);
  }
  let isWrong = false;
  for (let index = 1; index < told.length; index++) {
    const [before, own, behind] = [told[index - 1], told[index], told[index + 1]];
    if (!before || !own) continue;
    const end = before.run.time + before.ticks;
    const meets = behind ? behind.run.time === end + own.ticks : own.run.time < before.run.time;
    if (Math.abs(own.run.time - end) * 2 <= ticksOf(own.run) / own.run.sizes.length || !meets) continue;
    own.run.time = end;
    isWrong = true;
  }
  return isWrong;
}

/** Sample descriptions of a track (8.5.2): what stands in its box says how many there are. */
const entriesOf = ({ stsd }: Track) => stsd.readUInt32BE(12);

/**
 * Whether fragments and movie say the same of their tracks: each that fragments list is one of the movie, with defaults (trex, 8.8.3) and a
 * sample description that there is. A number that only one track and only one list of runs has to itself is given to that track.
 */
export function agreesOnTracks(byTrack: ReadonlyMap<number, readonly Run[]>, { tracks, broken }: Movie): boolean {
  const all = [...tracks, ...broken];
  const unknown = [...byTrack.keys()].filter((id) => !all.some((track) => track.id === id));
  const unused = all.filter(({ id, sizes }) => sizes.length === 0 && !byTrack.has(id));
  const [named, track] = [unknown[0], unused[0]];
  if (named !== undefined && track && unknown.length === 1 && unused.length === 1) track.id = named;
  const isDescribed = (one: Track) =>
    (byTrack.get(one.id) ?? []).every(({ entry }) => entry > 0 && entry <= entriesOf(one));
  return unknown.length === 0 && all.every(isDescribed);
}
