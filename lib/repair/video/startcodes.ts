import { type SlicedCodec, setKindOf } from '../codecs/following';
import { Buffer } from '../host/bytes';
import type { PlacedUnit } from './mend';

/** Before each unit (ISO/IEC 13818-1, 13818-2, 14496-2 and annex B of 14496-10). */
export const startCode = Buffer.from([0, 0, 1]);
/** Units at the beginning of a stream among which its parameter sets are looked for. */
const looked = 400;

/** The NAL units in these bytes, which stand behind start codes (ISO/IEC 14496-10, annex B); `place` tells where in the file a byte lies. */
export function* unitsBehindCodes(bytes: Buffer, place: (at: number) => number): Generator<PlacedUnit> {
  for (let start = bytes.indexOf(startCode); start >= 0; ) {
    const next = bytes.indexOf(startCode, start + 3);
    let end = next < 0 ? bytes.length : next;
    while (end > start + 3 && bytes[end - 1] === 0) end--;
    const from = start + 3;
    if (end > from) yield { bytes: bytes.subarray(from, end), place: (at) => place(from + at) };
    start = next;
  }
}

/** The parameter sets in a stream of units, each once. */
export function setsAmong(units: Iterable<PlacedUnit>, codec: SlicedCodec): Buffer[] {
  const sets = new Map<string, Buffer>();
  let seen = 0;
  for (const { bytes } of units) {
    if (setKindOf(codec, bytes)) sets.set(bytes.toString('latin1'), bytes);
    if (++seen > looked) break;
  }
  return [...sets.values()];
}
