import { packetSteps } from '../../detect/transport';
import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { Census, isDiscontinuous, packetBytes, type Stream } from './census';

/**
 * Packets of a transport stream (ISO/IEC 13818-1, 2.4.3), `step` bytes from one to the next: 188, 192 with a time code of `lead` bytes before each, or
 * 204 with check bytes behind each.
 */
export type Grid = { step: number; lead: number };

/** Bytes before the sync byte of each packet: those of a time code (BDAV). */
const leads: ReadonlyMap<number, number> = new Map([[192, 4]]);

type Found = Grid & { start: number; share: number };

/** Bytes in which a grid is looked for, and places where it is. */
const looked = { bytes: 192 * 2000, places: 64 };

/** The first grid of a file: where something else was written over its beginning, it is found behind that. */
export function findGrid(source: Source): Found | null {
  const step = Math.max(looked.bytes, Math.ceil(source.size / looked.places));
  for (let from = 0; from < source.size; from += step) {
    const found = gridAt(source, from);
    if (found) return found;
  }
  return null;
}

/** Packet length and first packet's offset that fit the most sync bytes from a place on. */
function gridAt(source: Source, from: number): Found | null {
  const head = source.copy(from, looked.bytes);
  let best: Found | null = null;
  for (const step of packetSteps) {
    const lead = leads.get(step) ?? 0;
    for (let start = 0; start < step; start++) {
      let hits = 0;
      let seen = 0;
      for (let at = start + lead; at < head.length; at += step) {
        seen++;
        if (head[at] === 0x47) hits++;
      }
      const share = seen > 0 ? hits / seen : 0;
      if (seen >= 3 && (!best || share > best.share + 0.001)) best = { step, lead, start: from + start, share };
    }
  }
  return best && best.share > 0.25 ? best : null;
}

export type Scan = {
  grid: Grid;
  /** Runs of packets that lie one after another, by the offset of the first. */
  runs: { offset: number; count: number }[];
  /** Bytes between the runs that are no packets. */
  gaps: { offset: number; length: number }[];
  /** Offsets of packets whose sync byte was lost. */
  unsynced: number[];
  unsyncedCount: number;
  pids: Map<number, { count: number; starts: number }>;
  jumps: number;
  /** Packets whose payload is encrypted (transport_scrambling_control, 2.4.3.3). */
  scrambled: number;
  total: number;
  /** What the PES packets of each stream are, by its PID. */
  streams: Map<number, Stream>;
};

/** sync_byte (2.4.3.2), and the PID of null packets. */
export const sync = 0x47;
const nullPid = 0x1fff;
/** The bits of the PID of a packet, and the one that says that it has a payload (2.4.3.2, 2.4.3.3). */
const pidMask = 0x1fff;
const payloadFlag = 0x10;
/** The bits of transport_scrambling_control in the last byte of a packet's head. */
const scrambling = 0xc0;

/** Whether the counter of a packet with a payload does not follow the one before of its PID (2.4.3.3); `last` keeps them. `bytes` begin with its sync byte. */
export function jumps(bytes: Buffer, last: Map<number, number>): boolean {
  const pid = bytes.readUInt16BE(1) & pidMask;
  const flags = bytes[3] ?? 0;
  if (pid === nullPid || !(flags & payloadFlag)) return false;
  const counter = flags & 15;
  const previous = last.get(pid) ?? counter;
  last.set(pid, counter);
  return counter !== previous && counter !== ((previous + 1) & 15) && !isDiscontinuous(bytes);
}

/** Counts packets by their PIDs, and places where their counters jump (continuity_counter, 2.4.3.3). */
class Counters {
  readonly pids: Scan['pids'] = new Map();
  jumps = 0;
  scrambled = 0;
  readonly #last = new Map<number, number>();

  /** `bytes` begin with the sync byte of a packet. */
  take(bytes: Buffer): void {
    const pid = bytes.readUInt16BE(1) & pidMask;
    const flags = bytes[3] ?? 0;
    const known = this.pids.get(pid) ?? { count: 0, starts: 0 };
    known.count++;
    if ((bytes[1] ?? 0) & 0x40) known.starts++;
    this.pids.set(pid, known);
    if (pid !== nullPid && flags & payloadFlag && flags & scrambling) this.scrambled++;
    if (jumps(bytes, this.#last)) this.jumps++;
  }
}

/** Packets whose sync bytes are looked at. */
const packetsLookedAt = 24;

/**
 * Whether the grid goes on although a sync byte is wrong: of the next packets at this place at least a quarter begin with one. Off the
 * grid, one byte in 256 does by chance.
 */
function holds(source: Source, grid: Grid, at: number): boolean {
  let hits = 0;
  let seen = 0;
  for (let index = 1; index <= packetsLookedAt; index++) {
    const byte = source.read(at + index * grid.step + grid.lead, 1);
    if (byte.length === 0) break;
    seen++;
    if (byte[0] === sync) hits++;
  }
  return seen === 0 ? at + grid.step >= source.size : hits * 4 >= seen;
}

const syncByte = Buffer.of(sync);

function resync(source: Source, grid: Grid, from: number): number {
  for (let at = from; at + grid.step <= source.size; at++) {
    at = source.find(syncByte, at + grid.lead) - grid.lead;
    if (at < from) return source.size;
    let hits = 0;
    let seen = 0;
    for (let index = 1; index <= 6; index++) {
      const byte = source.read(at + index * grid.step + grid.lead, 1);
      if (byte.length === 0) break;
      seen++;
      if (byte[0] === sync) hits++;
    }
    if (hits === seen || hits >= 5) return at;
  }
  return source.size;
}

/** Whether bytes without a sync byte are no packet: one without payload and adaptation field there is none of (adaptation_field_control, 2.4.3.3). */
const isVoid = (bytes: Buffer) => ((bytes[3] ?? 0) & 0x30) === 0;

/** Places of lost sync bytes that are kept for the report. */
const mostPlaces = 100;

/** Walks all packets, resynchronising where the grid breaks; null when there is no grid at all. */
export async function scanPackets(source: Source, tell: (offset: number) => Promise<void>): Promise<Scan | null> {
  const found = findGrid(source);
  if (!found) return null;
  const grid = { step: found.step, lead: found.lead };
  const counters = new Counters();
  const census = new Census();
  const { pids } = counters;
  const scan: Scan = {
    grid,
    runs: [],
    gaps: [],
    unsynced: [],
    unsyncedCount: 0,
    pids,
    jumps: 0,
    scrambled: 0,
    total: 0,
    streams: new Map(),
  };
  // The grid may have been told from packets after a break; the file's own first packets come before.
  let at = Math.min(found.start, resync(source, grid, 0));
  if (at > 0) scan.gaps.push({ offset: 0, length: at });
  let run = { offset: at, count: 0 };
  while (at < source.size) {
    const packet = source.read(at, grid.step);
    const synced = packet.length === grid.step && packet[grid.lead] === sync;
    if (packet.length < grid.step || (!synced && (isVoid(packet.subarray(grid.lead)) || !holds(source, grid, at)))) {
      if (run.count > 0) scan.runs.push(run);
      const next = packet.length < grid.step ? source.size : resync(source, grid, at + 1);
      scan.gaps.push({ offset: at, length: next - at });
      at = next;
      run = { offset: at, count: 0 };
      continue;
    }
    if (!synced) {
      scan.unsyncedCount++;
      if (scan.unsynced.length < mostPlaces) scan.unsynced.push(at);
    }
    const bytes = packet.subarray(grid.lead, grid.lead + packetBytes);
    counters.take(bytes);
    census.take(bytes, at + grid.lead);
    run.count++;
    scan.total++;
    at += grid.step;
    if ((scan.total & 1023) === 0) await tell(at);
  }
  if (run.count > 0) scan.runs.push(run);
  scan.jumps = counters.jumps;
  scan.scrambled = counters.scrambled;
  scan.streams = census.streams();
  return scan;
}
