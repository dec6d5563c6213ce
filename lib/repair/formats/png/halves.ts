/** Times that rows may be as long as a step, and by how much the shares of bytes that are not 0 must differ to tell, of so many rows at least. */
const tried = [2, 3] as const;
const unlike = 0.5;
const leastRows = 16;

/**
 * Whether a step is only a half or third of a row: among flat parts of screens bytes in the middle of rows are 0 as filter bytes may be
 * (ISO/IEC 15948, 9.2), but then the ones that filter are other bytes than those between them.
 */
export function isPartOfRow(data: Uint8Array, step: number, phase: number): boolean {
  const rows = Math.floor((data.length - phase) / step);
  return tried.some((times) => rows >= leastRows * times && isUneven(data, step, phase, times));
}

function isUneven(data: Uint8Array, step: number, phase: number, times: number): boolean {
  const filled = new Float64Array(times);
  const counts = new Float64Array(times);
  for (let at = phase, line = 0; at < data.length; at += step, line++) {
    const place = line % times;
    counts[place] = (counts[place] ?? 0) + 1;
    if (data[at] !== 0) filled[place] = (filled[place] ?? 0) + 1;
  }
  const shares = filled.map((count, place) => count / Math.max(1, counts[place] ?? 0));
  return Math.max(...shares) - Math.min(...shares) > unlike;
}
