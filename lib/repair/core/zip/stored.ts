import { Buffer } from '../../host/bytes';
import { differInOneBit } from '../bits';
import { type ByteChange, lostBytes, wrongBytes } from '../sumalgebra';
import { crc32 } from '../sums';
import type { Archive, Member, Packed } from './read';

/** Bytes of a member up to which a wrong byte, a wrong bit or a lost byte in it fits its sum by chance in less than one of a hundred damaged ones. */
const sureLength = { byte: 1 << 17, bit: 1 << 22, lost: 1 << 17 };

/**
 * Brings members back whole that are stored, not packed, as pictures mostly are, and of which one bit or byte is wrong, or one byte is gone:
 * the check sum of the content (APPNOTE 4.4.7) tells which. Returns how many those were.
 */
export function mendStored({ members }: Archive): number {
  let mended = 0;
  for (const member of members) {
    const data = member.packed?.stored && member.state !== 'whole' ? contentOf(member, member.packed) : null;
    if (!data) continue;
    member.data = data;
    member.state = 'whole';
    member.packed = undefined;
    mended++;
  }
  return mended;
}

function contentOf({ expected }: Member, { bytes, missing, crc }: Packed): Buffer | null {
  if (bytes.length + missing !== expected) return null;
  if (missing === 0) return withoutWrong(bytes, crc32(bytes) ^ crc);
  if (missing !== 1 || bytes.length > sureLength.lost) return null;
  const change = only(lostBytes(bytes, crc32(Buffer.alloc(1), crc32(bytes)) ^ crc, 1));
  return change && Buffer.concat([bytes.subarray(0, change.at), Buffer.of(change.value), bytes.subarray(change.at)]);
}

function withoutWrong(bytes: Buffer, difference: number): Buffer | null {
  if (difference === 0 || bytes.length > sureLength.bit) return null;
  const changes = wrongBytes(difference, bytes.length, 1);
  const bits = changes.filter(({ value }) => differInOneBit(value, 0));
  const change = only(bits) ?? (bytes.length <= sureLength.byte ? only(changes) : null);
  if (!change) return null;
  const data = Buffer.from(bytes);
  data[change.at] = (data[change.at] ?? 0) ^ change.value;
  return data;
}

const only = (changes: readonly ByteChange[]): ByteChange | null =>
  changes.length === 1 ? (changes[0] ?? null) : null;
