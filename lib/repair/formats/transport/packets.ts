import type { Session } from '../../video/session';
import type { Source } from '../../video/source';

/** Packets of a transport stream (ISO/IEC 13818-1, 2.4.3): `step` 188 or 192 bytes; the sync byte is the first of the last 188. */
export type Grid = { step: number; lead: number };

/** Packet length and first packet's offset that fit the most sync bytes near the start of the file. */
function findGrid(source: Source, from = 0): (Grid & { start: number; share: number }) | null {
  const head = source.copy(from, 192 * 2000);
  let best: (Grid & { start: number; share: number }) | null = null;
  for (const step of [188, 192]) {
    const lead = step - 188;
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
  total: number;
};

const sync = 0x47;

/**
 * Whether the grid goes on although a sync byte is wrong: of the next packets at this place at least a quarter begin with one. Off the
 * grid, one byte in 256 does by chance.
 */
function holds(source: Source, grid: Grid, at: number): boolean {
  let hits = 0;
  let seen = 0;
  for (let index = 1; index <= 24; index++) {
    const byte = source.read(at + index * grid.step + grid.lead, 1);
    if (byte.length === 0) break;
    seen++;
    if (byte[0] === sync) hits++;
  }
  return seen === 0 ? at + grid.step >= source.size : hits * 4 >= seen;
}

function resync(source: Source, grid: Grid, from: number): number {
  for (let at = from; at + grid.step <= source.size; at++) {
    if (source.read(at + grid.lead, 1)[0] !== sync) continue;
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

/** Walks all packets, resynchronising where the grid breaks; null when there is no grid at all. */
export async function scanPackets(session: Session, source: Source, from: number, to: number): Promise<Scan | null> {
  const found = findGrid(source);
  if (!found) return null;
  const grid = { step: found.step, lead: found.lead };
  const scan: Scan = { grid, runs: [], gaps: [], unsynced: [], unsyncedCount: 0, pids: new Map(), jumps: 0, total: 0 };
  const counters = new Map<number, number>();
  // The grid may have been told from packets after a break; the file's own first packets come before.
  let at = Math.min(found.start, resync(source, grid, 0));
  if (at > 0) scan.gaps.push({ offset: 0, length: at });
  let run = { offset: at, count: 0 };
  while (at < source.size) {
    const packet = source.read(at, grid.step);
    const synced = packet.length === grid.step && packet[grid.lead] === sync;
    if (packet.length < grid.step || (!synced && !holds(source, grid, at))) {
      if (run.count > 0) scan.runs.push(run);
      const next = packet.length < grid.step ? source.size : resync(source, grid, at + 1);
      scan.gaps.push({ offset: at, length: next - at });
      at = next;
      run = { offset: at, count: 0 };
      continue;
    }
    if (!synced) {
      scan.unsyncedCount++;
      if (scan.unsynced.length < 100) scan.unsynced.push(at);
    }
    const pid = packet.readUInt16BE(grid.lead + 1) & 0x1fff;
    const flags = packet[grid.lead + 3] ?? 0;
    const known = scan.pids.get(pid) ?? { count: 0, starts: 0 };
    known.count++;
    if ((packet[grid.lead + 1] ?? 0) & 0x40) known.starts++;
    scan.pids.set(pid, known);
    if (pid !== 0x1fff && flags & 0x10) {
      const counter = flags & 15;
      const previous = counters.get(pid);
      const announced =
        (flags & 0x20) !== 0 && (packet[grid.lead + 4] ?? 0) > 0 && ((packet[grid.lead + 5] ?? 0) & 0x80) !== 0;
      if (previous !== undefined && counter !== previous && counter !== ((previous + 1) & 15) && !announced)
        scan.jumps++;
      counters.set(pid, counter);
    }
    run.count++;
    scan.total++;
    at += grid.step;
    if ((scan.total & 1023) === 0) await session.tell(at, from, to);
  }
  if (run.count > 0) scan.runs.push(run);
  return scan;
}
