/** What a filter of PNG (ISO/IEC 15948, 9.2), which PDF has as well, expects of a byte by those left of it, above it and above that one; 0 for none. */
export function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [byLeft, byUp] = [Math.abs(up - corner), Math.abs(left - corner)];
  const byCorner = Math.abs(left + up - 2 * corner);
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
}
