import type { Buffer } from '../../../host/bytes';
import { bytesOf, type Part, sector } from './parts';

/** Bytes on each side of a wiped stretch that are looked at, and zeroes in a row of which they have none where a sensor sees more than black. */
const around = 16 * sector;
const blackRun = 4;
/** Sectors of nothing but zeroes that are no darkness: noise lifts some values of so many above black. */
const surely = 64;
/** Share of the data that rows at the top or at the bottom may leave empty. */
const mostUnused = 0.01;
const blank = 0.98;

/** The share of unpacked sensor data that was wiped. */
export const wipedShare = (data: Buffer): number => bytesOf(wipedParts(data)) / Math.max(1, data.length);

/**
 * The parts of unpacked sensor data that were wiped: whole sectors of zeroes, beside which not even a few zeroes stand in a row. Values
 * that a camera itself wrote as zero, in the dark, come together with others of their kind.
 */
export function wipedParts(data: Buffer): Part[] {
  const sectors = Math.floor(data.length / sector);
  const wiped: Part[] = [];
  for (let from = 0; from < sectors; from++) {
    if (!isZero(data, from * sector)) continue;
    let to = from + 1;
    while (to < sectors && isZero(data, to * sector)) to++;
    // Zeroes reach up to a sector further on each side before what was left standing begins.
    const [start, end] = [(from - 1) * sector, (to + 1) * sector];
    // Cameras leave the last rows of a sensor unused, but not much of it.
    const isUnused = (from === 0 || to === sectors) && to - from < sectors * mostUnused;
    const isBeside = isBright(data, start - around, start) && isBright(data, end, end + around);
    if (!isUnused && (isBeside || to - from >= surely)) wiped.push({ start: from * sector, end: to * sector });
    from = to;
  }
  // A picture of nothing is one that was taken so.
  return bytesOf(wiped) < data.length * blank ? wiped : [];
}

/** Whether data shows no black: nothing there, as at the ends, says nothing either way, and nor do other sectors that were wiped. */
function isBright(data: Buffer, from: number, to: number): boolean {
  for (let at = Math.max(0, from); at < Math.min(data.length, to); at++) {
    if (data[at] !== 0) continue;
    let [begin, end] = [at, at];
    while (begin > 0 && at - begin < mostSeen && data[begin - 1] === 0) begin--;
    while (end < data.length && end - at < mostSeen && data[end] === 0) end++;
    const isWiped = end - begin >= sector && (end - begin) % sector < blackRun;
    if (Math.min(end, to) - Math.max(begin, from) >= blackRun && !isWiped) return false;
    at = end;
  }
  return true;
}

/** Zeroes that are followed to either side: those of as many sectors are no darkness anyway. */
const mostSeen = surely * sector;

function isZero(data: Buffer, from: number): boolean {
  for (let at = from; at < from + sector; at++) if (data[at] !== 0) return false;
  return true;
}
