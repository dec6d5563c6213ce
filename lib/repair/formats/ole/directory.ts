import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { entryTypes } from './constants';
import { chainBytes, followChain, type Sectors, sectorBytes } from './sectors';

/** One entry of the directory ([MS-CFB] 2.6.1). Sibling and child links are entry numbers, -1 for none. */
export type DirectoryEntry = {
  index: number;
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  classId: Buffer;
  start: number;
  size: number;
};

/** Reads one entry of 128 bytes; null when it is empty or no entry at all. */
export function readEntry(bytes: Buffer, index: number): DirectoryEntry | null {
  const type = bytes[66] ?? 0;
  const length = bytes.length >= 128 ? bytes.readUInt16LE(64) : 0;
  if (bytes.length < 128 || ![1, 2, 5].includes(type) || length < 2 || length > 64 || length % 2 !== 0) return null;
  if ((bytes[67] ?? 2) > 1) return null;
  // Office for the Mac writes a root without a name; nothing looks the root up by name.
  const nameless = type === entryTypes.root && length === 2;
  const name = nameless ? 'Root Entry' : bytes.toString('utf16le', 0, length - 2);
  if (name.includes('\0') || name.length === 0) return null;
  return {
    index,
    name,
    type,
    left: bytes.readInt32LE(68),
    right: bytes.readInt32LE(72),
    child: bytes.readInt32LE(76),
    classId: Buffer.from(bytes.subarray(80, 96)),
    start: bytes.readInt32LE(116),
    size: bytes.readUInt32LE(120),
  };
}

/** A directory and the sectors it lies in; `sound` when the header led to it and its chain is whole. */
export type Directory = { entries: DirectoryEntry[]; sectors: number[]; sound: boolean };

/** Reads the directory where the header says, or finds it by the shape of its entries. */
export function readDirectory(sectors: Sectors, told: DocumentTold): Directory {
  if (sectors.directoryStart !== null) {
    const chain = followChain(sectors, sectors.directoryStart, null, new Set(), isOnlyEntries);
    const data = chainBytes(sectors, chain, null);
    const entries = parseEntries(data);
    const sound = chain.sound && data.length === chain.sectors.length * sectors.size;
    if (entries[0]?.type === entryTypes.root) return { entries, sectors: chain.sectors, sound };
  }
  find(told, { kind: 'directory.misplaced' });
  const found: number[] = [];
  for (let sector = 0; sector < sectors.count; sector++) {
    if (sectors.reserved.has(sector)) continue;
    if (isDirectory(sectorBytes(sectors, sector))) found.push(sector);
  }
  // The root comes first; sectors found before it follow in their order.
  const root = found.findIndex(
    (sector) => readEntry(sectorBytes(sectors, sector).subarray(0, 128), 0)?.type === entryTypes.root,
  );
  const ordered = root > 0 ? [...found.slice(root), ...found.slice(0, root)] : found;
  const data = Buffer.concat(ordered.map((sector) => sectorBytes(sectors, sector)));
  return { entries: parseEntries(data), sectors: ordered, sound: false };
}

function parseEntries(data: Buffer): DirectoryEntry[] {
  const entries: DirectoryEntry[] = [];
  for (let at = 0; at + 128 <= data.length; at += 128) {
    const entry = readEntry(data.subarray(at, at + 128), at / 128);
    if (entry) entries.push(entry);
  }
  return entries;
}

function isPlausible(entry: DirectoryEntry): boolean {
  return (
    entry.name.length <= 31 &&
    /^\p{ASCII}+$/u.test(entry.name) &&
    [entry.left, entry.right, entry.child].every((link) => link >= -1 && link < 65536)
  );
}

/** Whether a sector is one of the directory, with something in it that could stand there. */
export function isDirectory(sector: Buffer): boolean {
  const entries = parseEntries(sector);
  return entries.length > 0 && entries.every(isPlausible) && isOnlyEntries(sector);
}

/** Every 128 bytes hold an entry or nothing. */
function isOnlyEntries(data: Buffer): boolean {
  if (data.length < 128) return false;
  for (let at = 0; at + 128 <= data.length; at += 128) {
    const slot = data.subarray(at, at + 128);
    if (readEntry(slot, 0)) continue;
    if (slot[66] !== 0 || slot.readUInt16LE(64) !== 0) return false;
  }
  return true;
}
