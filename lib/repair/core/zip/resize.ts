import { inflateStrict } from '../../core/deflate/whole';
import { lostReturns, placeOfRun } from '../../core/sumplaces';
import { crc32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { withReturnsAt, withReturns as withReturnsTried } from '../transfer/returns';
import { anyText, JudgedInflater, type TextJudge } from './judged';
import type { Archive, Member, Packed } from './read';

/** DEFLATE data grows at most so many times: 258 bytes for a bit of length and one of distance. */
const mostGrowth = 1032;

/** Members that were brought back whole, by what had happened to them. */
export type Resized = { returned: number; taken: number };

/** Effort for one member that lost bytes, for one that has foreign ones, which show soon, and for all of them, in units. */
const effortFor = { lost: 1200, putIn: 600, all: 2500 };

/** Packed members of more content than this are not tried. */
const largest = 1 << 26;

/** More CR than this are not put back into one member. */
const mostReturns = 4000;

/** Packed members of up to so many bytes are tried with every CR that they may have lost, as far as there are no more choices of places. */
const shortMember = 1 << 14;
const mostChoices = 3000;

/** Bytes of text before a fault in which what caused it is looked for: at first, and when nothing is found so near. */
const reaches = [2000, 20_000];
/** A change that is right takes the fault so many bytes of text further, and is not doubted when it takes it so far: at first, and among several. Chosen on the bench. */
const gain = 200;
const convincing = [20_000, 1 << 18];

/**
 * Brings members back whole whose data lost the CR bytes of its CRLF pairs, or had bytes put in, as far as their headers show that it is
 * shorter or longer than it was; the check sum tells whether it is right. `judgeOf` tells by a member's name how its text is judged.
 */
export function resizeMembers(
  archive: Archive,
  effort: Effort,
  judgeOf: (name: string) => TextJudge<{ at: number }> | null = () => null,
): Resized {
  const resized: Resized = { returned: 0, taken: 0 };
  const all = effort.share(effortFor.all);
  for (const member of archive.members) {
    const { packed } = member;
    if (!packed || packed.missing === 0 || all.isSpent || !isReadable(member, packed)) continue;
    const text = judgeOf(member.name) ?? anyText;
    const data = packed.missing > 0 ? withReturns(member, packed, text, all) : withoutPutIn(member, packed, text, all);
    const content = data && unpack(member, packed, data);
    if (!content) continue;
    if (packed.missing > 0) resized.returned++;
    else resized.taken++;
    member.data = content;
    member.state = 'whole';
    member.packed = undefined;
  }
  return resized;
}

/** No DEFLATE data grows more than 1032 times: a larger size is damage itself. */
function isReadable({ expected }: Member, { bytes, stored }: Packed): boolean {
  return stored || (expected <= largest && expected <= bytes.length * mostGrowth);
}

/** The content out of data, when size and check sum agree. */
function unpack(member: Member, packed: Packed, data: Buffer): Buffer | null {
  if (packed.stored) return data.length === member.expected && crc32(data) === packed.crc ? data : null;
  const content = inflateWithin(data, member.expected + 1);
  return content?.length === member.expected && crc32(content) === packed.crc ? content : null;
}

function inflateWithin(data: Buffer, most: number): Buffer | null {
  try {
    return inflateStrict(data, most)?.data ?? null;
  } catch {
    return null;
  }
}

/** The data with the CR that a transfer took from every CRLF pair. */
function withReturns(member: Member, packed: Packed, text: TextJudge<{ at: number }>, effort: Effort): Buffer | null {
  const { bytes, missing, stored, crc } = packed;
  // Such a transfer leaves no pair behind.
  if (missing > mostReturns || bytes.includes('\r\n')) return null;
  if (stored) {
    const places = lostReturns(bytes, missing, crc);
    return places && withReturnsAt(bytes, places);
  }
  const tried = anyWithReturns(member, packed);
  if (tried) return tried;
  const share = effort.share(effortFor.lost);
  const inflater = new JudgedInflater(Buffer.concat([bytes, Buffer.alloc(missing)]), member.expected, text, share);
  const data = inflater.bytes;
  let { length } = bytes;
  let fault = inflater.read(0);
  for (; length < data.length; length++) {
    const place = lostReturnBefore(inflater, fault, length, () => share.isSpent);
    if (place === null) return null;
    data.copyWithin(place + 1, place, length);
    data[place] = 13;
    const next = inflater.read(place);
    if (next <= fault) return null;
    fault = next;
  }
  return Buffer.from(data);
}

/** Every LF of a short member that lost one or two CR is tried, as its text may end before it could tell. */
function anyWithReturns(member: Member, packed: Packed): Buffer | null {
  if (packed.bytes.length > shortMember) return null;
  const fits = (candidate: Buffer) => unpack(member, packed, candidate) !== null;
  return withReturnsTried(packed.bytes, packed.missing, { most: mostChoices }, fits);
}

/** The LF before which a CR takes the fault in the text furthest; null when none does. `length` bytes of data are there. */
function lostReturnBefore(
  inflater: JudgedInflater<{ at: number }>,
  fault: number,
  length: number,
  isLate: () => boolean,
): number | null {
  const data = inflater.bytes;
  const behind = Math.min(length, inflater.byteBehind(fault));
  for (const reach of reaches) {
    const before = inflater.byteBefore(fault - reach);
    let places: number[] = [];
    for (let at = data.lastIndexOf(10, behind - 1); at >= before; at = at > 0 ? data.lastIndexOf(10, at - 1) : -1)
      places.push(at);
    for (const far of convincing) {
      const { found, reached } = furthestPlaces(inflater, places, { from: fault, far, length }, isLate);
      places = found;
      if (places.length < 2 || reached < Math.min(fault + far, inflater.size)) break;
    }
    if (places[0] !== undefined) return places[0];
  }
  return null;
}

/** Of places, the last one first, those before which a CR takes a fault furthest, and how far that is; at most `far` bytes of text are read. */
function furthestPlaces(
  inflater: JudgedInflater<{ at: number }>,
  places: readonly number[],
  { from, far, length }: { from: number; far: number; length: number },
  isLate: () => boolean,
): { found: number[]; reached: number } {
  const data = inflater.bytes;
  // The CR goes from one place to the one before it, and out again at last.
  let hole = length;
  let best = Math.min(from + gain, inflater.size);
  let found: number[] = [];
  for (const place of places) {
    if (isLate()) break;
    data.copyWithin(place + 1, place, hole);
    data[place] = 13;
    hole = place;
    const reached = Math.min(from + far, inflater.trial(places.at(-1) ?? place, from + far));
    if (reached > best) found = [];
    if (reached >= best) found.push(place);
    best = Math.max(best, reached);
  }
  data.copyWithin(hole, hole + 1, length + 1);
  return { found, reached: best };
}

/**
 * Takes out one run of bytes that were put in. Their number is known; where they begin is told by the check sum, or in packed data tried
 * from the place on where reading breaks, as foreign bytes do not read as packed content for long.
 */
function withoutPutIn(
  member: Member,
  { bytes, missing, stored, crc }: Packed,
  text: TextJudge<{ at: number }>,
  effort: Effort,
): Buffer | null {
  const added = -missing;
  const length = bytes.length - added;
  if (length < 0) return null;
  if (stored) {
    const at = placeOfRun(bytes, added, crc);
    return at === null ? null : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + added)]);
  }
  const share = effort.share(effortFor.putIn);
  const inflater = new JudgedInflater(bytes, member.expected, text, share);
  const data = inflater.bytes;
  const fault = inflater.read(0);
  const behind = Math.min(length, inflater.byteBehind(fault));
  data.copyWithin(behind, behind + added, bytes.length);
  for (let at = behind; at >= 0; at--) {
    // What was the last byte before the run is now the one behind it.
    if (at < behind) data[at] = bytes[at + added] ?? 0;
    if ((at & 63) === 0 && share.isSpent) return null;
    const reach = fault + (convincing[0] ?? 0);
    const reached = inflater.trial(at, reach);
    if (reached < Math.min(reach, member.expected)) continue;
    inflater.read(at);
    if (inflater.wholeLength !== member.expected) continue;
    const candidate = Buffer.from(data.subarray(0, length));
    if (unpack(member, { bytes, missing, stored, crc }, candidate)) return candidate;
  }
  return null;
}
