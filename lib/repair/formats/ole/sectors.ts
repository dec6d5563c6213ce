import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { listedInHeader, oleSignature, shortLimit, special } from './constants';

/** The sector tables of a compound file ([MS-CFB] 2.2 to 2.5) as far as they survive; entries that are lost read as `unknown`. */
export type Sectors = {
  bytes: Buffer;
  /** Bytes per sector: 512, or 4096 in version 4. */
  size: number;
  count: number;
  fat: Int32Array;
  /** Sectors that hold tables or directory, not content. */
  reserved: Set<number>;
  directoryStart: number | null;
  miniFatStart: number | null;
  /** Sectors of the table of short sectors. */
  miniFatCount: number;
  /** Whether every table was where the header says, and readable. */
  sound: boolean;
  /** Bytes behind the last sector that the tables know of, which belong to nothing. */
  tail: number;
};

/** The value of a table entry that was lost. */
export const unknown = -10;

/** Bytes of the smaller of the two sectors ([MS-CFB] 2.2). */
const leastSize = 512;

/** Where the header names the first sector with more places of tables, and how many there are ([MS-CFB] 2.2). */
const [farTables, farCount] = [68, 72];

/**
 * Whether the header names such a sector though it says that there is none, by a bit more or less than what stands for none: readers follow it,
 * and refuse the file; or names one that no file of its length has. Some programs write other things there, which are left alone.
 */
function isEndWrong(bytes: Buffer): boolean {
  if (bytes.readUInt32LE(farCount) !== 0) return false;
  const first = bytes.readInt32LE(farTables);
  if (first < special.list || first > bytes.length / leastSize) return true;
  const apart = ~(first | 3);
  return apart !== 0 && (apart & (apart - 1)) === 0 && (first | 1) === (~apart | 1);
}

/** Where the header has what each writer puts there alike, and what: versions by the size of sectors, pieces of 64 bytes, streams from which on they are not cut into such ([MS-CFB] 2.2). */
const fixed = { major: 26, shift: 30, pieceShift: 32, tables: 44, cutoff: 56 } as const;
const majorOf: Readonly<Record<number, number>> = { 9: 3, 12: 4 };
const pieceShift = 6;

/**
 * Where the header says what cannot be of a file with sectors of a known size, and readers refuse it or look for streams in the wrong place;
 * null where it is sound. How many tables there are is held against how many it lists, how many lists of more against their chain.
 */
function oddField({ bytes, size, count }: Sectors): number | null {
  if (bytes.readUInt16LE(fixed.major) !== majorOf[bytes.readUInt16LE(fixed.shift)]) return fixed.major;
  if (bytes.readUInt16LE(fixed.pieceShift) !== pieceShift) return fixed.pieceShift;
  if (bytes.readUInt32LE(fixed.cutoff) !== shortLimit) return fixed.cutoff;
  if (isEndWrong(bytes)) return farTables;
  const lists = bytes.readUInt32LE(farCount);
  if (lists === 0) {
    let listed = 0;
    for (let index = 0; index < listedInHeader; index++) if (bytes.readInt32LE(76 + index * 4) >= 0) listed++;
    return listed === bytes.readUInt32LE(fixed.tables) ? null : fixed.tables;
  }
  let [chained, list] = [0, bytes.readInt32LE(farTables)];
  for (; list >= 0 && list < count && chained <= lists; chained++) {
    const next = (list + 2) * size - 4;
    list = next + 4 <= bytes.length ? bytes.readInt32LE(next) : special.end;
  }
  return chained === lists ? null : farCount;
}

/** Reads header and allocation table; what is lost is looked for by its shape in every sector. */
export function readSectors(job: EngineJob, told: DocumentTold): Sectors {
  const { bytes } = job;
  const intact = bytes.subarray(0, 8).equals(oleSignature);
  if (!intact) find(told, { kind: 'header.signature', offset: 0 });
  const shift = bytes.length >= 32 ? bytes.readUInt16LE(30) : 0;
  const readable = bytes.length >= 512 && (shift === 9 || shift === 12) && bytes.readUInt16LE(28) === 0xfffe;
  if (!readable) find(told, { kind: 'header.tables', offset: 0 });
  const size = readable && shift === 12 ? 4096 : 512;
  const count = Math.max(0, Math.ceil((bytes.length - size) / size));
  const sectors: Sectors = {
    bytes,
    size,
    count,
    fat: new Int32Array(count).fill(unknown),
    reserved: new Set(),
    directoryStart: readable ? sectorOrNull(bytes.readInt32LE(48), count) : null,
    miniFatStart: readable ? sectorOrNull(bytes.readInt32LE(60), count) : null,
    miniFatCount: readable ? Math.min(count, bytes.readUInt32LE(64)) : 1,
    sound: intact && readable,
    tail: 0,
  };
  const odd = readable ? oddField(sectors) : null;
  if (odd !== null) find(told, { kind: 'header.tables', offset: odd });
  const listed = readable ? listedTables(sectors) : [];
  const entries = size / 4;
  const filled = new Set<number>();
  for (const [index, sector] of listed.entries()) {
    sectors.reserved.add(sector);
    if (!looksLikeTable(sectors, sector)) {
      find(told, { kind: 'table.sectors', offset: (sector + 1) * size });
      sectors.sound = false;
      continue;
    }
    copyTable(sectors, sector, index * entries);
    filled.add(index);
  }
  if (readable && filled.size === listed.length) leaveOutTail(sectors, listed.length * entries, told);
  const needed = Math.ceil(sectors.count / entries);
  if (filled.size < needed && (listed.length < needed || !readable)) findTables(sectors, filled, needed);
  if (listed.length < needed && readable && count > 0) {
    find(told, { kind: 'table.fewer', offset: 76 });
    sectors.sound = false;
  }
  return sectors;
}

/** Sectors that no table covers, and that none leads to, do not belong to the file: nobody could ever have used them. */
function leaveOutTail(sectors: Sectors, covered: number, told: DocumentTold): void {
  const { bytes, size, fat } = sectors;
  if (covered === 0 || covered >= sectors.count || bytes.readUInt32LE(44) * (size / 4) !== covered) return;
  if (fat.subarray(0, covered).some((next) => next >= covered)) return;
  const end = (fat.subarray(0, covered).findLastIndex((next) => next !== special.free) + 2) * size;
  sectors.count = covered;
  sectors.fat = fat.subarray(0, covered);
  sectors.tail = bytes.length - end;
  find(told, { kind: 'tail', count: sectors.tail, offset: end });
}

function sectorOrNull(value: number, count: number): number | null {
  return value >= 0 && value < count ? value : null;
}

/** Sectors of the allocation table, from the header and the chain of further lists (2.5). */
function listedTables(sectors: Sectors): number[] {
  const { bytes, size, count } = sectors;
  const found: number[] = [];
  const declared = Math.min(bytes.readUInt32LE(44), count);
  const take = (at: number) => {
    const sector = bytes.readInt32LE(at);
    if (sector >= 0 && sector < count && found.length < declared) found.push(sector);
  };
  for (let index = 0; index < listedInHeader; index++) take(76 + index * 4);
  let list = bytes.readInt32LE(68);
  for (let step = 0; step < 4096 && list >= 0 && list < count; step++) {
    const at = (list + 1) * size;
    if (at + size > bytes.length) break;
    sectors.reserved.add(list);
    for (let index = 0; index < size / 4 - 1; index++) take(at + index * 4);
    list = bytes.readInt32LE(at + size - 4);
  }
  return found;
}

function looksLikeTable(sectors: Sectors, sector: number): boolean {
  const at = (sector + 1) * sectors.size;
  if (at + sectors.size > sectors.bytes.length) return false;
  let zeros = 0;
  let odd = 0;
  const entries = sectors.size / 4;
  for (let index = 0; index < entries; index++) {
    const value = sectors.bytes.readInt32LE(at + index * 4);
    if (value === 0) zeros++;
    if (value >= sectors.count + entries || value < -4) odd++;
  }
  return odd === 0 && zeros <= 2;
}

function copyTable(sectors: Sectors, sector: number, first: number): void {
  const at = (sector + 1) * sectors.size;
  for (let index = 0; index < sectors.size / 4 && first + index < sectors.count; index++) {
    sectors.fat[first + index] = sectors.bytes.readInt32LE(at + index * 4);
  }
}

/** Finds tables that nothing points to any more: most entries of a table name the sector after their own. */
function findTables(sectors: Sectors, filled: Set<number>, needed: number): void {
  const entries = sectors.size / 4;
  for (let sector = 0; sector < sectors.count; sector++) {
    if (sectors.reserved.has(sector) || !looksLikeTable(sectors, sector)) continue;
    const votes = new Map<number, number>();
    for (let index = 0; index < entries; index++) {
      const value = sectors.bytes.readInt32LE((sector + 1) * sectors.size + index * 4);
      const table = (value - 1 - index) / entries;
      if (value > 0 && Number.isInteger(table) && table >= 0 && table < needed)
        votes.set(table, (votes.get(table) ?? 0) + 1);
    }
    const best = [...votes].sort((left, right) => right[1] - left[1])[0];
    // The table of short sectors looks alike but numbers from zero; the one that marks itself as a table wins its place.
    if (!best || best[1] < 4 || filled.has(best[0])) continue;
    const marks = sectors.bytes.readInt32LE((sector + 1) * sectors.size + (sector % entries) * 4);
    if (Math.floor(sector / entries) === best[0] && marks !== special.table) continue;
    copyTable(sectors, sector, best[0] * entries);
    sectors.reserved.add(sector);
    filled.add(best[0]);
  }
}

/** The bytes of one sector, cut where the file ends. */
export function sectorBytes(sectors: Sectors, sector: number): Buffer {
  return sectors.bytes.subarray((sector + 1) * sectors.size, (sector + 2) * sectors.size);
}

/** A chain of sectors and whether all of it was told by the table. */
export type Chain = { sectors: number[]; sound: boolean };

/**
 * Follows a chain from `start` for `length` sectors (or to its end when null). Where the table is lost, the next sector that holds no
 * table and belongs to no other chain (`taken`) is taken to follow, as most programs write their streams in one run; a guessed
 * sector that `accept` refuses ends the chain.
 */
export function followChain(
  sectors: Sectors,
  start: number,
  length: number | null,
  taken: ReadonlySet<number>,
  accept: (sector: Buffer) => boolean = () => true,
): Chain {
  const chain: Chain = { sectors: [], sound: true };
  const seen = new Set<number>();
  let sector = start;
  const most = length ?? sectors.count;
  while (chain.sectors.length < most && sector >= 0 && sector < sectors.count && !seen.has(sector)) {
    seen.add(sector);
    chain.sectors.push(sector);
    if (chain.sectors.length >= most) break;
    const next = sectors.fat[sector] ?? unknown;
    if (next >= 0 && next < sectors.count) {
      sector = next;
      continue;
    }
    if (length === null && next === special.end) break;
    chain.sound = false;
    // Nothing tells how long a chain is whose end is not marked, but a place that is lost is worth a guess.
    if (length === null && next !== unknown) break;
    sector++;
    while (sector < sectors.count && (sectors.reserved.has(sector) || taken.has(sector) || seen.has(sector))) sector++;
    if (!accept(sectorBytes(sectors, sector))) break;
  }
  if (length !== null && chain.sectors.length < length) chain.sound = false;
  return chain;
}

/** The content of a chain, cut to `size` bytes when given. */
export function chainBytes(sectors: Sectors, chain: Chain, size: number | null): Buffer {
  const data = Buffer.concat(chain.sectors.map((sector) => sectorBytes(sectors, sector)));
  return size === null ? data : data.subarray(0, size);
}
