/**
 * The lowest and the highest of numbers of which a file decides how many there are: `Math.min(...numbers)` ends with a RangeError where these
 * are more than a call takes arguments, some 120,000. `otherwise` is what they are held against, and the result where there are none.
 */
export function lowest(numbers: Iterable<number>, otherwise = Number.POSITIVE_INFINITY): number {
  let least = otherwise;
  for (const number of numbers) if (number < least) least = number;
  return least;
}

export function highest(numbers: Iterable<number>, otherwise = Number.NEGATIVE_INFINITY): number {
  let most = otherwise;
  for (const number of numbers) if (number > most) most = number;
  return most;
}
