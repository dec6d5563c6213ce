import { crc32, inflateStrict } from '../../bytes';
import { StepInflater, streamStart } from '../../bytes/steps';
import type { Deadline } from '../../report';
import { returnsPutBack } from '../transfer';
import type { Archive, Member, Packed } from './read';

/** Members that were brought back whole, by what had happened to them. */
export type Resized = { returned: number; taken: number };

/** Time for one member, and for all of them, in milliseconds. */
const time = { member: 1500, all: 4000 };

/**
 * Brings members back whole whose data lost a few CR bytes of CRLF pairs, or had bytes put in, as far as their headers show that it is
 * shorter or longer than it was; the check sum tells whether it is right.
 */
export function resizeMembers(archive: Archive, deadline: Deadline): Resized {
  const resized: Resized = { returned: 0, taken: 0 };
  const until = Math.max(0, deadline.work - time.all);
  for (const member of archive.members) {
    const { packed } = member;
    if (!packed || packed.missing === 0 || packed.missing > 2 || deadline.work < until) continue;
    const data = packed.missing > 0 ? withReturns(member, packed, deadline) : withoutPutIn(member, packed, deadline);
    if (!data) continue;
    if (packed.missing > 0) resized.returned++;
    else resized.taken++;
    member.data = data;
    member.state = 'whole';
    member.packed = undefined;
  }
  return resized;
}

/** The content out of data, when size and check sum agree. */
function unpack(member: Member, packed: Packed, data: Buffer): Buffer | null {
  if (packed.stored) return data.length === member.expected && crc32(data) === packed.crc ? data : null;
  // One byte more than expected is room enough to see that it is too long.
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

function withReturns(member: Member, packed: Packed, deadline: Deadline): Buffer | null {
  const fits = (candidate: Buffer) => unpack(member, packed, candidate) !== null;
  const whole = returnsPutBack(packed.bytes, packed.missing, fits, deadline, time.member);
  return whole && unpack(member, packed, whole);
}

/**
 * Takes out one run of bytes that were put in. Their number is known; where they begin is tried from the place on where reading breaks,
 * as foreign bytes do not read as packed content for long.
 */
function withoutPutIn(member: Member, packed: Packed, deadline: Deadline): Buffer | null {
  const { bytes, missing, stored } = packed;
  const until = Math.max(0, deadline.work - time.member);
  const length = bytes.length + missing;
  const broken = stored ? length : Math.min(length, breakOf(bytes, member.expected));
  const candidate = Buffer.concat([bytes.subarray(0, broken), bytes.subarray(broken - missing)]);
  for (let at = broken; at >= 0; at--) {
    // What was the last byte before the run is now the one behind it.
    if (at < broken) candidate[at] = bytes[at - missing] ?? 0;
    if ((at & 15) === 0 && deadline.work < until) return null;
    const content = unpack(member, packed, candidate);
    if (content) return Buffer.from(content);
  }
  return null;
}

/** The byte at which packed data stops making sense. */
function breakOf(bytes: Buffer, size: number): number {
  const { bit } = new StepInflater(bytes, Math.min(size + 65_536, 1 << 26)).run(streamStart, Number.POSITIVE_INFINITY);
  return Math.min(bytes.length, (bit >> 3) + 8);
}
