import { readFileSync } from 'node:fs';

/** Connections at most, however many descriptors there are. */
const MOST = 10_000;
/** Where the limit is not known: what systems give at the least. */
const USUAL_LIMIT = 1024;
/** Kept for the database, the pages, the children and the logs. */
const RESERVED = 128;
/** A download or an upload takes a file beside its connection. */
const PER_CONNECTION = 2;

/** File descriptors that this process may have (proc(5), `limits`; Node raises its soft limit to the hard one). */
export function descriptorLimit(): number {
  try {
    const line = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    const limit = line === 'unlimited' ? Number.POSITIVE_INFINITY : Number(line);
    return limit > 0 ? limit : USUAL_LIMIT;
  } catch {
    return USUAL_LIMIT;
  }
}

/** How many connections a number of descriptors can bear. */
export function connectionsFor(descriptors: number): number {
  return Math.max(16, Math.min(MOST, Math.floor((descriptors - RESERVED) / PER_CONNECTION)));
}
