import type { Deadline } from '../../report';

/** Trials for one piece of data; each reads all of it. */
const mostTrials = 40_000;

/**
 * Puts back the CR of a CRLF pair that a transfer in text mode took, where `fits` shows that the data is right with it. Up to `missing`
 * of them, at most two: more could be anywhere. Null when none fits within `milliseconds`.
 */
export function returnsPutBack(
  data: Buffer,
  missing: number,
  fits: (candidate: Buffer) => boolean,
  deadline: Deadline,
  milliseconds: number,
): Buffer | null {
  const places: number[] = [];
  for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) places.push(at);
  const until = Math.max(0, deadline.work - milliseconds);
  let trials = 0;
  const candidate = Buffer.allocUnsafe(data.length + missing);
  const place = (chosen: readonly number[]): Buffer => {
    let from = 0;
    let length = 0;
    for (const at of chosen) {
      length += data.copy(candidate, length, from, at);
      candidate[length++] = 13;
      from = at;
    }
    length += data.copy(candidate, length, from);
    return candidate.subarray(0, length);
  };
  const tryAll = (chosen: number[], first: number, depth: number): Buffer | null => {
    for (let index = first; index < places.length; index++) {
      const next = [...chosen, places[index] ?? 0];
      if (depth > 1) {
        const found = tryAll(next, index + 1, depth - 1);
        if (found) return found;
      } else {
        if (++trials > mostTrials || deadline.work < until) return null;
        const attempt = place(next);
        if (fits(attempt)) return Buffer.from(attempt);
      }
    }
    return null;
  };
  return missing < 1 || missing > 2 ? null : tryAll([], 0, missing);
}
