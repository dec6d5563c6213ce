/** Chi-squared of 256 values that come by chance has a mean of 255 and a deviation of 23: five of these above it. */
const mostEven = 370;

/** Whether the values of bytes, by how often each of the 256 was counted, come as often as chance has them; some eight of each are asked for. */
export function areEven(counts: Uint32Array): boolean {
  const expected = counts.reduce((sum, seen) => sum + seen, 0) / counts.length;
  return counts.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0) < mostEven;
}
