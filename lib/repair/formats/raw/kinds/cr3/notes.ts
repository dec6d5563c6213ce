import { Buffer } from '../../../../host/bytes';
import type { Candidate } from '../../layout';
import { type Track, tracksOf } from './tracks';

/** Bytes of the head of an item of notes: its size, with this head, and its kind (Canon's CTMD, little-endian). */
const itemHead = 6;

/** Whether items of notes stand at a place, one after another up to their length. Programs refuse a photo where they do not. */
function standsAt(bytes: Buffer, start: number, length: number): boolean {
  if (start < 0 || start + length > bytes.length) return false;
  let at = 0;
  while (at + itemHead < length) {
    const size = bytes.readUInt32LE(start + at);
    if (size === 0 || at + size > length) return false;
    at += size;
  }
  return true;
}

/** Whether the track is one of notes that do not stand where it says. */
export const isWithoutNotes = (bytes: Buffer, track: Track): boolean =>
  track.isNotes && !standsAt(bytes, track.start, track.length);

/** The photo with its notes where their track says: moved there from as far off as the file is longer or shorter, or without the track. */
export function settled(candidate: Candidate, slip: number): Candidate {
  const lost = tracksOf(candidate.data).filter((track) => isWithoutNotes(candidate.data, track));
  if (lost.length === 0) return candidate;
  const data = Buffer.from(candidate.data);
  let { isBare } = candidate;
  for (const { start, length, box } of lost) {
    if (slip !== 0 && standsAt(candidate.data, start + slip, length) && start + length <= data.length)
      candidate.data.copy(data, start, start + slip, start + slip + length);
    else {
      // A box of this name is passed over (ISO/IEC 14496-12, 8.1.2).
      data.write('free', box.offset + 4, 'latin1');
      isBare = true;
    }
  }
  return { ...candidate, data, ...(isBare ? { isBare } : {}) };
}
