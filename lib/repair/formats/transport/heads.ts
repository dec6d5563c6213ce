import { lowest } from '../../core/extent';
import type { Damage, Loss, Rebuilt } from '../../report/facts/video';
import type { Source } from '../../video/source';
import { type Head, type Stream, timeAt, timesAt } from './census';
import type { Scan } from './packets';
import { isPictureType, type Programme } from './tables';

/** What came of the heads of PES packets: how many were set right, and how many times that belong to no stream were taken out. */
export type MendedHeads = { heads: number; times: number };

/** The most of its packets, as a share, in which a stream is odd, rather than written in a way of its own. */
const mostOdd = 0.05;
/** Where the flags of times, and the length of all that is optional, stand in a head (ISO/IEC 13818-1, 2.4.3.6). */
const flagsAt = 7;
const lengthAt = 8;
/** Bytes of a time, and what fills those of a head that stand for nothing. */
const timeBytes = 5;
const stuffing = 0xff;
/** stream_id of padding, which may stand in any stream, and of program streams from which on they name streams (table 2-22). */
const padding = 0xbe;

/** Times that a head tells: PTS, or both, by its flags. */
const timesOf = ({ bytes }: Head): number => [0, 0, 1, 2][(bytes[flagsAt] ?? 0) >> 6] ?? 0;

/** Whether all but the prefix is that of a head: the marks of its flags and of its times, and a length that holds these. */
function isHeadButPrefix(head: Head): boolean {
  const { bytes } = head;
  const count = timesOf(head);
  if (bytes.length < timesAt + timeBytes || ((bytes[6] ?? 0) & 0xc0) !== 0x80 || count === 0) return false;
  const kinds = [0, 2, 3][count];
  const isMarked = (bytes[timesAt] ?? 0) >> 4 === kinds && timeAt(bytes, timesAt) !== null;
  return (
    isMarked &&
    (bytes[lengthAt] ?? 0) >= count * timeBytes &&
    (count < 2 || timeAt(bytes, timesAt + timeBytes) !== null)
  );
}

/** The identifier that nearly all heads of a stream have; null where none is so common. */
function commonId({ ids, starts }: Stream): number | null {
  for (const [id, { count }] of ids) if (count >= Math.min(starts - 1, starts * (1 - mostOdd)) && count > 1) return id;
  return null;
}

/** Sets prefix and identifier right where the rest of a head is there; how many. */
function mendPrefixes(source: Source, stream: Stream): number {
  const id = commonId(stream);
  if (id === null) return 0;
  const others = [...stream.ids].filter(([other]) => other !== id && other !== padding);
  const odd = [...stream.headless, ...others.flatMap(([, { heads }]) => heads)].filter(isHeadButPrefix);
  for (const { at } of odd) for (const [place, byte] of [0, 0, 1, id].entries()) source.mend(at + place, byte);
  const mended = new Set(odd.map(({ at }) => at));
  stream.headless = stream.headless.filter(({ at }) => !mended.has(at));
  return odd.length;
}

/** Takes times out of the heads that tell those of no stream: readers count on from the one before (2.7.4). */
function dropTimes(source: Source, { odd, starts }: Stream): number {
  const few = odd.length <= Math.max(1, starts * mostOdd) ? odd : [];
  const whole = few.filter((head) => (head.bytes[lengthAt] ?? 0) >= timesOf(head) * timeBytes);
  for (const head of whole) {
    source.mend(head.at + flagsAt, (head.bytes[flagsAt] ?? 0) & 0x3f);
    for (let place = 0; place < timesOf(head) * timeBytes; place++) source.mend(head.at + timesAt + place, stuffing);
  }
  return whole.length;
}

/** Sets the heads of PES packets right for all that read the file afterwards, where the others of their stream tell how. */
export function mendHeads(source: Source, { streams }: Scan): MendedHeads {
  let [heads, times] = [0, 0];
  for (const stream of streams.values()) {
    heads += mendPrefixes(source, stream);
    times += dropTimes(source, stream);
  }
  return { heads, times };
}

/** What was set right as facts. */
export function factsOfHeads({ heads, times }: MendedHeads): { damages: Damage[]; rebuilt: Rebuilt[] } {
  const damages: Damage[] = [];
  if (heads > 0) damages.push({ kind: 'blocks', count: heads });
  if (times > 0) damages.push({ kind: 'times', how: 'apart' });
  const rebuilt: Rebuilt[] = heads + times > 0 ? [{ unit: 'packet heads', count: heads + times, how: 'anew' }] : [];
  return { damages, rebuilt };
}

/** PES packets of a stream that are not whole, and where the first begins; those that are so in most are so by their writer's fault. */
function tornOf({ starts, jumped, sized, misfit, jumpedAt, misfitAt, headless }: Stream) {
  const isSure = (count: number, of: number) => count > 0 && count * 2 < of;
  const parts = [
    { count: jumped, at: jumpedAt, isTold: isSure(jumped, starts) },
    { count: misfit, at: misfitAt, isTold: isSure(misfit, sized) },
    { count: headless.length, at: headless[0]?.at ?? -1, isTold: isSure(headless.length, starts) },
  ].filter(({ isTold }) => isTold);
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    at: lowest(parts.map(({ at }) => at)),
  };
}

/** Pictures and pieces of sound of which packets are missing, or bytes, so that nothing can bring them back. */
export function tornPackets(
  { streams }: Scan,
  programme: Programme,
): { damages: Damage[]; lost: Loss[]; frames: number } {
  const damages: Damage[] = [];
  const lost: Loss[] = [];
  let frames = 0;
  for (const { pid, type } of programme.streams) {
    const stream = streams.get(pid);
    const { count, at } = stream ? tornOf(stream) : { count: 0, at: 0 };
    if (count === 0) continue;
    const isPicture = isPictureType(type);
    if (isPicture) frames += count;
    damages.push(
      isPicture
        ? { kind: 'frames', frames: count, how: 'unreadable', offset: at }
        : { kind: 'sounds', count, offset: at },
    );
    lost.push({ unit: isPicture ? 'frames' : 'sound packets', count, how: 'inside' });
  }
  return { damages, lost, frames };
}
