import type { Run } from './moof';

const isUntimed = ({ durations }: Run) => durations.every((ticks) => ticks === 0);

/** Runs up to the next of which it is told when it begins. */
function untilTold(runs: readonly Run[], from: number): { samples: number; ticks: number } | null {
  let samples = 0;
  for (const run of runs.slice(from)) {
    if (samples > 0 && run.time >= 0) return { samples, ticks: run.time - (runs[from]?.time ?? 0) };
    samples += run.sizes.length;
  }
  return null;
}

/** Ticks of one sample by when fragments begin (baseMediaDecodeTime, 8.8.12): in the middle of all, as fragments may be missing; 0 where that is not told. */
function ticksByTimes(runs: readonly Run[]): number {
  const told = runs.flatMap(({ time }, index) => {
    const next = time >= 0 ? untilTold(runs, index) : null;
    return next && next.ticks > 0 ? [next.ticks / next.samples] : [];
  });
  return told.sort((left, right) => left - right)[told.length >> 1] ?? 0;
}

/** Ticks of one sample by how far apart samples are shown from when they are decoded, which is in whole samples; 0 where all are shown at once. */
function ticksByShifts(runs: readonly Run[]): number {
  const shifts = [...new Set(runs.flatMap((run) => run.shifts))].sort((left, right) => left - right);
  const steps = shifts.slice(1).map((shift, index) => shift - (shifts[index] ?? 0));
  return steps.length > 0 ? Math.min(...steps) : 0;
}

/**
 * Gives durations to the samples of a track's runs where those stood in the movie alone (default_sample_duration, ISO/IEC 14496-12, 8.8.3)
 * and are lost with it. `usual` are the ticks of one where nothing else tells them, 0 for one.
 */
export function settleDurations(runs: readonly Run[], usual: number): void {
  if (!runs.every(isUntimed)) return;
  // Rounded down: what is missing until a fragment begins goes to the sample before it.
  const ticks = Math.floor(ticksByTimes(runs)) || ticksByShifts(runs) || Math.round(usual) || 1;
  for (const run of runs) run.durations.fill(ticks);
}
