import { Buffer } from '../../host/bytes';

/** The head of a PES packet, by the place in the file where it begins, in bytes. */
export type Head = { at: number; bytes: Buffer };

/** A head with the time that it tells, in units of 90 kHz. */
type Timed = Head & { time: number };

/**
 * What the PES packets of one stream are (ISO/IEC 13818-1, 2.4.3.6), but for the last, which may end with the recording: how many begin and by
 * which stream_id, with places of the first heads of each; how many lack packets inside by their counters (`jumped`), and how many of those that
 * state their length (`sized`) hold another number of bytes (`misfit`), and where the first of both begins; starts without the head that they
 * should have; and heads whose time is none, or lies far from those beside them.
 */
export type Stream = {
  starts: number;
  ids: Map<number, { count: number; heads: Head[] }>;
  jumped: number;
  sized: number;
  misfit: number;
  jumpedAt: number;
  misfitAt: number;
  headless: Head[];
  odd: Head[];
};

/** The PES packet that is being read: where it begins, the bytes that it states and holds, and whether packets are missing inside. */
type Open = { at: number; stated: number; bytes: number; isTorn: boolean };

type State = { told: Stream; counter: number; open: Open | null; times: Timed[]; timed: number; first: Timed | null };

/** Bytes of a packet from its sync byte on (2.4.3.2), and of what is read of the head of a PES packet: up to both of its times. */
export const packetBytes = 188;
const headBytes = 19;
/** Bytes of a PES packet that its length does not count, and where its times begin (2.4.3.7). */
const uncounted = 6;
export const timesAt = 9;
/** Heads of a kind that are kept of a stream. */
const mostHeads = 64;
/** Units of time in a second, and the most by which one time lies from the next: far more than the 0.7 s that the standard allows (2.7.4). */
const hertz = 90000;
const farthest = 3 * hertz;
/** Times begin anew behind 33 bits. */
const wrap = 2 ** 33;

/** Whether a PES packet begins as one does: packet_start_code_prefix, and an identifier of a stream (table 2-22). */
const isBegun = (bytes: Buffer): boolean => bytes.length >= timesAt && bytes.readUIntBE(0, 3) === 1 && bytes[3] !== 0;

/** The time of five bytes at a place of a head; null where the marks between its bits are not there (2.4.3.6). */
export function timeAt(bytes: Buffer, at: number): number | null {
  if (bytes.length < at + 5) return null;
  const [high, middle, low] = [bytes[at] ?? 0, bytes.readUInt16BE(at + 1), bytes.readUInt16BE(at + 3)];
  if ((high & middle & low & 1) === 0) return null;
  return ((high >> 1) & 7) * 2 ** 30 + (middle >> 1) * 2 ** 15 + (low >> 1);
}

/** Whether two times lie as near as those of one stream do. */
function isNear({ time: one }: Timed, { time: other }: Timed): boolean {
  const apart = Math.abs(one - other);
  return Math.min(apart, wrap - apart) <= farthest;
}

/** Whether a packet announces that its counter does not go on (discontinuity_indicator, 2.4.3.5). `bytes` begin with its sync byte. */
export const isDiscontinuous = (bytes: Buffer) =>
  ((bytes[3] ?? 0) & 0x20) !== 0 && (bytes[4] ?? 0) > 0 && ((bytes[5] ?? 0) & 0x80) !== 0;

/** Takes the packets of a file one by one, and keeps of each stream what tells whether its PES packets are whole. */
export class Census {
  readonly #states = new Map<number, State>();

  /** `bytes` begin with the sync byte of a packet, which lies at `at`. */
  take(bytes: Buffer, at: number): void {
    const flags = bytes[3] ?? 0;
    // What is scrambled tells nothing (transport_scrambling_control), nor what carries nothing (adaptation_field_control).
    if (bytes.length < packetBytes || !(flags & 0x10) || flags & 0xc0) return;
    const skip = Math.min(packetBytes, flags & 0x20 ? 5 + (bytes[4] ?? 0) : 4);
    const isStart = ((bytes[1] ?? 0) & 0x40) !== 0;
    const state = this.#stateOf(bytes.readUInt16BE(1) & 0x1fff, isStart && isBegun(bytes.subarray(skip)));
    if (!state) return;
    const counter = flags & 15;
    // A packet may be sent twice (2.4.3.3).
    if (counter === state.counter && !isStart) return;
    const isNext = counter === ((state.counter + 1) & 15);
    state.counter = counter;
    if (isStart) {
      if (state.open) close(state.told, state.open);
      begin(state, bytes.subarray(skip), at + skip);
    } else if (state.open && !isNext && !isDiscontinuous(bytes)) state.open.isTorn = true;
    if (state.open) state.open.bytes += packetBytes - skip;
  }

  /** What is known of a stream, from its first whole head on; null for tables, which are of no interest. */
  #stateOf(pid: number, isHead: boolean): State | null {
    const known = this.#states.get(pid);
    if (known || !isHead) return known ?? null;
    const told = { starts: 0, ids: new Map(), jumped: 0, sized: 0, misfit: 0, jumpedAt: -1, misfitAt: -1 };
    const state = {
      told: { ...told, headless: [], odd: [] },
      counter: -1,
      open: null,
      times: [],
      timed: 0,
      first: null,
    };
    this.#states.set(pid, state);
    return state;
  }

  /** The streams by their identifiers. */
  streams(): Map<number, Stream> {
    return new Map([...this.#states].map(([pid, { told }]) => [pid, told]));
  }
}

/** Judges the PES packet that ends where the next one begins. */
function close(told: Stream, { at, stated, bytes, isTorn }: Open): void {
  if (isTorn && told.jumped++ === 0) told.jumpedAt = at;
  if (stated === 0) return;
  told.sized++;
  if (!isTorn && bytes !== stated + uncounted && told.misfit++ === 0) told.misfitAt = at;
}

/** Begins the next one with the bytes at a place of the file. */
function begin(state: State, bytes: Buffer, at: number): void {
  const { told } = state;
  const head = { at, bytes: Buffer.from(bytes.subarray(0, headBytes)) };
  const isHead = isBegun(head.bytes);
  told.starts++;
  state.open = { at, stated: isHead ? head.bytes.readUInt16BE(4) : 0, bytes: 0, isTorn: false };
  if (!isHead) {
    if (told.headless.length < mostHeads) told.headless.push(head);
    return;
  }
  const id = head.bytes[3] ?? 0;
  const same = told.ids.get(id) ?? { count: 0, heads: [] };
  same.count++;
  if (same.heads.length < mostHeads) same.heads.push(head);
  told.ids.set(id, same);
  if (!((head.bytes[7] ?? 0) & 0x80)) return;
  const time = timeAt(head.bytes, timesAt);
  if (time !== null) follow(state, { ...head, time });
  else if (told.odd.length < mostHeads) told.odd.push(head);
}

/** Times behind the first after which it is the first that lies far from all others, rather than all others from those of an earlier recording. */
const telling = 8;

/** Keeps a time that lies far from the one before and the one behind it while these lie near each other, and a first one far from all behind it. */
function follow(state: State, next: Timed): void {
  const { times, told } = state;
  const [before, last] = times;
  state.timed++;
  times.push(next);
  if (before && last) {
    const isLastOdd = !isNear(before, last) && isNear(before, next);
    if (isLastOdd && told.odd.length < mostHeads) told.odd.push(last);
    if (state.timed === 3 && !isLastOdd && !isNear(before, last) && isNear(last, next)) state.first = before;
    times.splice(isLastOdd ? 1 : 0, 1);
  }
  if (state.first && state.timed > telling) {
    told.odd.unshift(state.first);
    state.first = null;
  }
}
