/** Lines on each side that a line is held against, and the share of their usual step that it must stay below. */
const beside = 16;
const sharply = 0.6;

/** A line, and how far it is from those above it. */
export type LineStep = { index: number; step: number };

/** The line at which two halves of a picture go on from each other: there alone the step is far below what it is around; null without one. */
export function sharpest(steps: readonly LineStep[]): { index: number; share: number } | null {
  let best = { index: 0, share: sharply };
  for (const [place, { index, step }] of steps.entries()) {
    const near = steps
      .slice(Math.max(0, place - beside), place + beside + 1)
      .map((one) => one.step)
      .sort((left, right) => left - right);
    const share = step / Math.max(1, near[near.length >> 1] ?? 1);
    if (share < best.share) best = { index, share };
  }
  return best.index > 0 ? best : null;
}
