import type { Effort } from '../../report';

/** Ways of setting chunks right that are tried together at most, and units of effort for it. */
const mostWays = 64;
const provingEffort = 400;

/**
 * Of what may be done to each of some chunks, the choices with which all of them together are proven, tried by `proves` at the cost of
 * reading `bytes` of data each time. Null where none is, a chunk has no choice, or there are too many.
 */
export function provenWay<T>(
  choices: readonly (readonly T[])[],
  bytes: number,
  effort: Effort,
  proves: (way: readonly T[]) => boolean,
): readonly T[] | null {
  const count = choices.reduce((product, { length }) => product * length, 1);
  if (choices.length === 0 || count === 0 || count > mostWays) return null;
  const share = effort.share(provingEffort);
  for (let number = 0; number < count && !share.isSpent; number++) {
    share.spend('provedByte', bytes);
    let rest = number;
    const way = choices.map((some) => {
      const one = some[rest % some.length] as T;
      rest = Math.floor(rest / some.length);
      return one;
    });
    if (proves(way)) return way;
  }
  return null;
}
