import type { Buffer } from '../host/bytes';

/** Sectors of the allocation table that the header lists ([MS-CFB] 2.2). */
const listedInHeader = 109;
/**
 * Names at the top of an OLE compound file, in capitals ([MS-CFB] 2.6): what lies deeper belongs to objects placed inside a document
 * and says nothing of the document itself. Empty when header, table or directory do not lead there; not `whole` when some do not.
 */
export function topNames(bytes: Buffer): { names: Set<string>; whole: boolean } {
  const names = new Set<string>();
  const nothing = { names, whole: false };
  let whole = true;
  const shift = bytes.length >= 512 ? bytes.readUInt16LE(30) : 0;
  if (shift !== 9 && shift !== 12) return nothing;
  const entries = directoryEntries(bytes, 1 << shift);
  const root = entries[0];
  if (root?.[66] !== 5) return nothing;
  const stack = [root.readInt32LE(76)];
  const seen = new Set<number>();
  while (stack.length > 0) {
    const index = stack.pop() ?? -1;
    const entry = entries[index];
    if (index >= 0 && (!entry || entry[66] === 0)) whole = false;
    if (!entry || seen.has(index)) continue;
    seen.add(index);
    const length = entry.readUInt16LE(64);
    if (length >= 2 && length <= 64) names.add(entry.toString('utf16le', 0, length - 2).toUpperCase());
    stack.push(entry.readInt32LE(68), entry.readInt32LE(72));
  }
  return { names, whole };
}

/** The entries of 128 bytes along the directory's chain of sectors, as far as the table tells it. */
function directoryEntries(bytes: Buffer, size: number): Buffer[] {
  const entries: Buffer[] = [];
  const seen = new Set<number>();
  let sector = bytes.readInt32LE(48);
  while (sector >= 0 && !seen.has(sector) && seen.size < 4096) {
    seen.add(sector);
    const at = (sector + 1) * size;
    for (let place = at; place < at + size && place + 128 <= bytes.length; place += 128)
      entries.push(bytes.subarray(place, place + 128));
    sector = nextSector(bytes, size, sector);
  }
  return entries;
}

/** What the allocation table names behind a sector; the header lists the first 109 tables, which is enough for any directory near the front. */
function nextSector(bytes: Buffer, size: number, sector: number): number {
  const perTable = size / 4;
  const table = Math.floor(sector / perTable);
  if (table >= listedInHeader) return -1;
  const at = (bytes.readInt32LE(76 + table * 4) + 1) * size + (sector % perTable) * 4;
  return at >= size && at + 4 <= bytes.length ? bytes.readInt32LE(at) : -1;
}
