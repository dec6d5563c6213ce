import { Buffer } from '../../host/bytes';

/**
 * Data that lost one or two CR of its CRLF pairs, with them put back where that fits; null when no place does. Every choice of LF among
 * `places` is tried, up to a number of them. Where a check sum of the data as it stands is known, `lostReturns` in core/sumplaces finds
 * the places without trying.
 */
export function withReturns(
  data: Buffer,
  missing: number,
  { places = lineFeeds(data), most }: { places?: readonly number[]; most: number },
  fits: (candidate: Buffer) => boolean,
): Buffer | null {
  if (missing !== 1 && missing !== 2) return null;
  let tried = 0;
  for (const chosen of choicesOf(places, missing)) {
    if (tried++ >= most) return null;
    const candidate = withReturnsAt(data, chosen);
    if (fits(candidate)) return candidate;
  }
  return null;
}

/** Where LF stand in data. */
export function lineFeeds(data: Buffer): number[] {
  const places: number[] = [];
  for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) places.push(at);
  return places;
}

function* choicesOf(places: readonly number[], count: 1 | 2): Generator<readonly number[]> {
  for (const [index, first] of places.entries())
    if (count === 1) yield [first];
    else for (const second of places.slice(index + 1)) yield [first, second];
}

/** The data with a CR at each of the places, which are in order. */
export function withReturnsAt(data: Buffer, places: readonly number[]): Buffer {
  const ends = [...places, data.length];
  const pieces = ends.map((end, index) => data.subarray(places[index - 1] ?? 0, end));
  return Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [Buffer.of(13), piece])));
}
