import { Buffer } from '../../host/bytes';
import { oleSignature, special } from './constants';
import { readEntry } from './directory';

/** Bytes of the smallest compound file: header, allocation table and directory. */
const leastFile = 3 * 512;

/**
 * Where something belongs, and by how many bytes it stands behind that (below zero: before it). `isPiece` when it was found there,
 * rather than told by the length of the file.
 */
export type Anchor = { expected: number; shift: number; isPiece: boolean };

/** From `at` on, in bytes of the right layout, everything stands by `shift` bytes behind its place. */
export type Shift = { at: number; shift: number };

/** Sectors of tables that one of them names, in the largest file that is looked at so. */
const mostMarks = 64;

/** Nothing is looked for further from its place than this. */
const farthest = 1 << 17;

const tableMark = Buffer.from([0xfd, 0xff, 0xff, 0xff]);

/**
 * Pieces of a compound file with intact header that no longer stand in their sectors, since bytes before them were lost or put in: found
 * by directory and allocation tables, whose places the header names ([MS-CFB] 2.2). Empty when everything is in its place.
 */
export function findAnchors(bytes: Buffer): Anchor[] {
  if (bytes.length < leastFile || !bytes.subarray(0, 8).equals(oleSignature)) return [];
  const shift = bytes.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return [];
  const size = 1 << shift;
  const anchors: Anchor[] = [{ expected: 0, shift: 0, isPiece: true }];
  const directory = (bytes.readInt32LE(48) + 1) * size;
  const root = directory >= size ? nearestRoot(bytes, directory) : null;
  if (root !== null) anchors.push({ expected: directory, shift: root - directory, isPiece: true });
  let used = 0;
  const declared = Math.min(109, bytes.readUInt32LE(44));
  for (let index = 0; index < declared; index++) {
    const sector = bytes.readInt32LE(76 + index * 4);
    if (sector < 0) continue;
    const at = nearestTable(bytes, sector, size, index);
    if (at === null) continue;
    anchors.push({ expected: (sector + 1) * size, shift: at - (sector + 1) * size, isPiece: true });
    for (let entry = 0; entry < size / 4; entry++)
      if (bytes.readInt32LE(at + entry * 4) !== special.free) used = Math.max(used, index * (size / 4) + entry + 1);
  }
  const end = (used + 1) * size;
  const whole = used > 0 && declared === anchors.length - (root === null ? 1 : 2);
  const apart = bytes.length - end;
  // Whole sectors more or less are no shift: some may be free, and a file may be cut.
  if (whole && apart % size !== 0 && Math.abs(apart) < farthest)
    anchors.push({ expected: end, shift: apart, isPiece: false });
  // Whole sectors away lies an older copy, too: where the length of the file speaks against a gap as long.
  const isTold = ({ shift }: Anchor) =>
    shift === 0 || shift % size !== 0 || !whole || Math.abs(apart - shift) <= Math.abs(apart);
  const kept = anchors.filter((anchor) => isTold(anchor) && isInOrder(anchor, anchors, size));
  kept.sort((left, right) => left.expected - right.expected);
  return kept.some((anchor) => anchor.shift !== 0) ? kept : [];
}

/** Whether a piece stands behind and before the same ones that are in their place as it should: nothing changes order where bytes are lost or put in. */
function isInOrder({ expected, shift }: Anchor, anchors: readonly Anchor[], size: number): boolean {
  const place = expected + shift;
  const others = shift === 0 ? [] : anchors.filter((other) => other.shift === 0);
  return others.every((other) =>
    other.expected < expected ? other.expected + size <= place : place + size <= other.expected,
  );
}

/** The first directory entry, of the root, nearest to where it should be. */
function nearestRoot(bytes: Buffer, expected: number): number | null {
  const isRoot = (at: number) => at >= 0 && readEntry(bytes.subarray(at, at + 128), 0)?.type === 5;
  if (isRoot(expected)) return expected;
  const name = Buffer.from('Root Entry\0', 'utf16le');
  let best: number | null = null;
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 2))
    if (isRoot(at) && (best === null || Math.abs(at - expected) < Math.abs(best - expected))) best = at;
  return best !== null && Math.abs(best - expected) < farthest ? best : null;
}

/** A table of allocation names itself as one at the entry of its own sector, and most entries name the sector behind their own. */
export function isTable(bytes: Buffer, at: number, sector: number, size: number, index: number): boolean {
  const entries = size / 4;
  if (at < 0 || at + size > bytes.length) return false;
  const inside = Math.floor(sector / entries) === index;
  if (inside && bytes.readInt32LE(at + (sector % entries) * 4) !== special.table) return false;
  let good = 0;
  for (let entry = 0; entry < entries; entry++) {
    const value = bytes.readInt32LE(at + entry * 4);
    if (value === index * entries + entry + 1 || (value < 0 && value >= special.list)) good++;
  }
  return good > entries * 0.6;
}

function nearestTable(bytes: Buffer, sector: number, size: number, index: number): number | null {
  const expected = (sector + 1) * size;
  if (isTable(bytes, expected, sector, size, index)) return expected;
  const own = (sector % (size / 4)) * 4;
  let best: number | null = null;
  const from = Math.max(0, expected - farthest);
  for (
    let mark = bytes.indexOf(tableMark, from);
    mark >= 0 && mark < expected + farthest;
    mark = bytes.indexOf(tableMark, mark + 1)
  ) {
    const at = mark - own;
    if (best !== null && Math.abs(at - expected) >= Math.abs(best - expected)) continue;
    if (isTable(bytes, at, sector, size, index)) best = at;
  }
  return best;
}

/** The bytes with every piece in its place: what was put in is left out, zeroes stand for what was lost. */
export function shiftBack(bytes: Buffer, shifts: readonly Shift[]): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  let before = 0;
  for (const { at, shift } of shifts) {
    const end = Math.max(from, Math.min(bytes.length, at + before));
    pieces.push(bytes.subarray(from, end));
    const more = shift - before;
    if (more < 0) pieces.push(Buffer.alloc(-more));
    from = Math.min(bytes.length, end + Math.max(0, more));
    before = shift;
  }
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}

/**
 * How many bytes a file lost at its beginning, the header among them: its allocation table tells the number of its own sector. Null when
 * there is no such table, or the header is there.
 */
export function lostBefore(bytes: Buffer): number | null {
  if (bytes.subarray(0, 8).equals(oleSignature)) return null;
  const name = Buffer.from('Root Entry\0', 'utf16le');
  const root = bytes.indexOf(name);
  const phase = (root >= 0 ? root : bytes.length) % 512;
  const votes = new Map<number, number>();
  for (let at = phase; at + 512 <= bytes.length; at += 512) {
    for (const { lost, tables } of placesOfTable(bytes, at)) votes.set(lost, (votes.get(lost) ?? 0) + tables);
  }
  // Tables in their places show that nothing is lost before them.
  const best = [...votes].sort((left, right) => right[1] - left[1])[0]?.[0];
  return best !== undefined && best > 0 && best < bytes.length ? best : null;
}

/** Entries of a table, and those that must name the sector behind their own for it to be one. */
const tableEntries = 128;
const leastInRun = 8;

/** Which of the tables of allocation a sector reads as, by the sector that most of its entries name; null where it is none. */
function tableNumber(bytes: Buffer, at: number): number | null {
  if (at < 0 || at + 512 > bytes.length) return null;
  const votes = new Map<number, number>();
  for (let entry = 0; entry < tableEntries; entry++) {
    const table = (bytes.readInt32LE(at + entry * 4) - 1 - entry) / tableEntries;
    if (Number.isInteger(table) && table >= 0) votes.set(table, (votes.get(table) ?? 0) + 1);
  }
  const best = [...votes].sort((left, right) => right[1] - left[1])[0];
  return best && best[1] >= leastInRun ? best[0] : null;
}

/**
 * How many bytes before it must be lost if a sector is a table of allocation: one answer for each sector of tables that it names, with how many
 * of all that it names are tables then, as it may be any of these itself.
 */
function placesOfTable(bytes: Buffer, at: number): { lost: number; tables: number }[] {
  const index = tableNumber(bytes, at);
  if (index === null) return [];
  const marks: number[] = [];
  for (let entry = 0; entry < tableEntries; entry++)
    if (bytes.readInt32LE(at + entry * 4) === special.table) marks.push(entry);
  if (marks.length > mostMarks) return [];
  return marks
    .filter((own) => isTable(bytes, at, index * tableEntries + own, 512, index))
    .map((own) => ({
      lost: (index * tableEntries + own + 1) * 512 - at,
      tables: marks.filter((other) => tableNumber(bytes, at + (other - own) * 512) !== null).length,
    }));
}
