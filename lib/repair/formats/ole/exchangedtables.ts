import { type Exchange, exchange } from '../../core/exchange';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { entryTypes, listedInHeader } from './constants';
import { isDirectory, readEntry } from './directory';
import { exchangedSizes } from './exchanged';
import { isTable } from './shifts';

/** Exchanges that are undone one after another. */
const mostTables = 8;
/** Bytes of the smallest compound file: header, allocation table and directory. */
const leastFile = 3 * 512;

/**
 * Undoes exchanges of pieces that hold the allocation tables or the directory: the header says where each of these should be ([MS-CFB] 2.2),
 * and they are known by what they hold wherever they are. Each exchange has to leave less wrong with the file, by `faultsOf`,
 * and the last one nothing: tables stand elsewhere, too, where bytes were lost or put in; `directoryOf` follows
 * the directory through its sectors. Null where
 * there is none.
 */
export function undoExchangedTables(
  bytes: Buffer,
  directoryOf: (bytes: Buffer) => readonly number[],
  faultsOf: (bytes: Buffer) => number,
  effort: Effort,
): { bytes: Buffer; exchanges: Exchange[] } | null {
  const shift = bytes.length >= leastFile ? bytes.readUInt16LE(30) : 0;
  if (shift !== 9 && shift !== 12) return null;
  const exchanges: Exchange[] = [];
  let now = bytes;
  let faults = Number.POSITIVE_INFINITY;
  while (exchanges.length < mostTables && !effort.isSpent) {
    const moved = movedTables(now, 1 << shift, directoryOf(now), effort);
    if (moved.length === 0) break;
    if (exchanges.length === 0) faults = faultsOf(bytes);
    // One whole copy of the file is kept at a time: there may be hundreds of exchanges to try.
    let best: Judged | null = null;
    for (const one of moved.flatMap((each) => exchangesFor(each, bytes.length))) {
      if (effort.isSpent) break;
      const next = judged(now, one, faultsOf, effort);
      if (!best || next.faults < best.faults) best = next;
    }
    if (!best || best.faults >= faults) break;
    exchanges.push(best.one);
    [now, faults] = [best.made, best.faults];
  }
  return exchanges.length > 0 && faults === 0 ? { bytes: now, exchanges } : null;
}

/** A table, or the beginning of the directory, that is not where the header says, but elsewhere: offsets in the file. */
type Moved = { expected: number; found: number };

function movedTables(bytes: Buffer, size: number, directory: readonly number[], effort: Effort): Moved[] {
  const moved: Moved[] = [];
  const look = (expected: number, isThere: (at: number) => boolean) => {
    if (expected < size || expected + size > bytes.length || isThere(expected)) return;
    effort.spend('judgedByte', bytes.length);
    for (let found = size; found + size <= bytes.length; found += size)
      if (isThere(found)) moved.push({ expected, found });
  };
  const declared = Math.min(listedInHeader, bytes.readUInt32LE(44));
  for (let index = 0; index < declared && !effort.isSpent; index++) {
    const sector = bytes.readInt32LE(76 + index * 4);
    look((sector + 1) * size, (at) => isTable(bytes, at, sector, size, index));
  }
  look(
    (bytes.readInt32LE(48) + 1) * size,
    (at) => readEntry(bytes.subarray(at, at + 128), 0)?.type === entryTypes.root,
  );
  const isEntries = (at: number) => isDirectory(bytes.subarray(at, at + size));
  for (const sector of directory.slice(1)) look((sector + 1) * size, isEntries);
  return moved.filter(({ found }) => !directory.some((sector) => (sector + 1) * size === found));
}

const exchangesFor = ({ expected, found }: Moved, length: number): Exchange[] =>
  exchangedSizes
    .filter((size) => expected % size === found % size)
    .map((size) => ({ first: expected - (expected % size), second: found - (found % size), size }))
    .filter(({ first, second, size }) => first !== second && Math.max(first, second) + size <= length);

/** The file with one exchange undone, and what is wrong with it then. */
type Judged = { one: Exchange; made: Buffer; faults: number };

function judged(bytes: Buffer, one: Exchange, faultsOf: (bytes: Buffer) => number, effort: Effort): Judged {
  const made = Buffer.from(bytes);
  exchange(made, one);
  effort.spend('recordReading');
  effort.spend('recordByte', made.length);
  return { one, made, faults: effort.isSpent ? Number.POSITIVE_INFINITY : faultsOf(made) };
}
