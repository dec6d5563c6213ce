/** The commonest of some values, and how often it stands among them. */
export function commonest(values: readonly number[]): { value: number; count: number } {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best = { value: 0, count: 0 };
  for (const [value, count] of counts) if (count > best.count) best = { value, count };
  return best;
}
