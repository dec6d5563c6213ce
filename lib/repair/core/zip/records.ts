import { Buffer } from '../../host/bytes';
import type { Damage } from '../../report/facts/document';

/** Bytes of the fixed part of each record (APPNOTE 4.3.7, 4.3.12, 4.3.14, 4.3.16), without names and comments. */
const fixedBytes = { local: 30, central: 46, zip64End: 56, end: 22 } as const;

/** What a header says about one member; sizes and offsets in bytes, already shifted to the file as it is. */
export type HeaderFacts = {
  name: string;
  flags: number;
  method: number;
  crc: number;
  compressed: number;
  size: number;
  /** Where the local header begins. */
  offset: number;
  extra: number;
};

const localSignature = Buffer.from('PK\x03\x04', 'latin1');
const centralSignature = Buffer.from('PK\x01\x02', 'latin1');
const endSignature = Buffer.from('PK\x05\x06', 'latin1');
const locatorSignature = Buffer.from('PK\x06\x07', 'latin1');
const zip64EndSignature = Buffer.from('PK\x06\x06', 'latin1');

/** True when the bits at `at` are a local header's signature (APPNOTE 4.3.7). */
function isLocalHeader(bytes: Buffer, at: number): boolean {
  return at >= 0 && at + fixedBytes.local <= bytes.length && bytes.readUInt32LE(at) === 0x04034b50;
}

function decodeName(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  // Paths are parted by slashes (4.4.17.1); some programs for Windows write their own sign.
  return (text.includes('�') ? bytes.toString('latin1') : text).replaceAll('\\', '/');
}

/** Reads the local header at `at`; null when there is none. Sizes are zero where a data descriptor follows the data. */
export function readLocalHeader(bytes: Buffer, at: number): (HeaderFacts & { dataStart: number }) | null {
  if (!isLocalHeader(bytes, at)) return null;
  const nameLength = bytes.readUInt16LE(at + 26);
  const extra = bytes.readUInt16LE(at + 28);
  const dataStart = at + 30 + nameLength + extra;
  if (dataStart > bytes.length || nameLength === 0 || nameLength > 1024) return null;
  const name = decodeName(bytes.subarray(at + 30, at + 30 + nameLength));
  if (hasControlCharacters(name)) return null;
  const facts = {
    name,
    flags: bytes.readUInt16LE(at + 6),
    method: bytes.readUInt16LE(at + 8),
    crc: bytes.readUInt32LE(at + 14),
    compressed: bytes.readUInt32LE(at + 18),
    size: bytes.readUInt32LE(at + 22),
    offset: at,
    extra,
    dataStart,
  };
  applyZip64(facts, bytes.subarray(at + 30 + nameLength, dataStart), false);
  return facts;
}

function hasControlCharacters(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 32) return true;
  return false;
}

/** 64-bit sizes of the extra field 0x0001 (APPNOTE 4.5.3), in the order of the 32-bit fields they replace. */
function applyZip64(facts: HeaderFacts, extra: Buffer, central: boolean): void {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) {
      const field = extra.subarray(at + 4, at + 4 + length);
      let place = 0;
      const next = (): number | null => {
        if (place + 8 > field.length) return null;
        const value = Number(field.readBigUInt64LE(place));
        place += 8;
        return Number.isSafeInteger(value) ? value : null;
      };
      if (facts.size === 0xffffffff) facts.size = next() ?? facts.size;
      if (facts.compressed === 0xffffffff) facts.compressed = next() ?? facts.compressed;
      if (central && facts.offset === 0xffffffff) facts.offset = next() ?? facts.offset;
    }
    at += 4 + length;
  }
}

function readCentralHeader(bytes: Buffer, at: number): { facts: HeaderFacts; next: number } | null {
  if (at < 0 || at + fixedBytes.central > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) return null;
  const nameLength = bytes.readUInt16LE(at + 28);
  const extraLength = bytes.readUInt16LE(at + 30);
  const next = at + fixedBytes.central + nameLength + extraLength + bytes.readUInt16LE(at + 32);
  if (at + fixedBytes.central + nameLength > bytes.length || nameLength === 0) return null;
  const facts = {
    name: decodeName(bytes.subarray(at + 46, at + fixedBytes.central + nameLength)),
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    crc: bytes.readUInt32LE(at + 16),
    compressed: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    offset: bytes.readUInt32LE(at + 42),
    extra: extraLength,
  };
  if (hasControlCharacters(facts.name)) return null;
  applyZip64(
    facts,
    bytes.subarray(
      at + fixedBytes.central + nameLength,
      Math.min(bytes.length, at + fixedBytes.central + nameLength + extraLength),
    ),
    true,
  );
  return { facts, next };
}

/** The longest comment that may stand behind the end record (4.3.16); readers look for the record no further from the end. */
const longestComment = 0xffff;

/** Where the archive ends, when so much stands behind it that readers do not find its end record; null when they do. */
export function endBeforeTail(bytes: Buffer): number | null {
  const end = findEnd(bytes);
  if (end < 0) return null;
  const stop = end + fixedBytes.end + bytes.readUInt16LE(end + 20);
  return bytes.length - end - fixedBytes.end > longestComment ? Math.min(stop, bytes.length) : null;
}

/** The central directory as found: its entries, and what is wrong with it (empty when it is sound). */
export type CentralDirectory = { entries: HeaderFacts[]; problems: Damage[] };

/** Reads the central directory by its end record (APPNOTE 4.3.16), or by its entries' signatures when the record is lost. */
export function readCentralDirectory(bytes: Buffer, mostEntries: number): CentralDirectory {
  const end = findEnd(bytes);
  if (end >= 0) {
    const declared = endFacts(bytes, end);
    const actual = [declared.offset, declared.recordAt - declared.size].find(
      (at) => declared.count === 0 || readCentralHeader(bytes, at) !== null,
    );
    if (actual !== undefined) {
      const entries: HeaderFacts[] = [];
      let at = actual;
      for (
        let entry = readCentralHeader(bytes, at);
        entry && entries.length < mostEntries;
        entry = readCentralHeader(bytes, at)
      ) {
        entries.push(entry.facts);
        at = entry.next;
      }
      const shift = actual - declared.offset;
      for (const entry of entries) entry.offset += shift;
      const problems: Damage[] = [];
      if (shift === 0 && !isEndSound(declared, at - actual))
        problems.push({ kind: 'directory.closing', count: entries.length, offset: end });
      if (shift !== 0) problems.push({ kind: 'shifted', count: Math.abs(shift), offset: 0 });
      if (entries.length === declared.count) return { entries, problems };
      const scanned = scanCentral(bytes, mostEntries);
      for (const entry of scanned) entry.offset += shift;
      const { count } = declared;
      problems.push({ kind: 'directory.entries', declared: count, readable: scanned.length, offset: at });
      return { entries: scanned, problems };
    }
  }
  const entries = scanCentral(bytes, mostEntries);
  const offset = end >= 0 ? end : bytes.length;
  const count = entries.length;
  const problem: Damage =
    count > 0 ? { kind: 'directory.closing', count, offset } : { kind: 'directory.missing', offset };
  return { entries, problems: [problem] };
}

function findEnd(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf(endSignature); at >= 0; at = at > 0 ? bytes.lastIndexOf(endSignature, at - 1) : -1) {
    if (at + fixedBytes.end <= bytes.length) return at;
    if (at === 0) break;
  }
  return -1;
}

/** What the end record says of the list of parts; `isWhole` where it knows of no other disks, which no document is spread over (4.4.19 to 4.4.22). */
type EndFacts = { count: number; size: number; offset: number; recordAt: number; isWhole: boolean };

/** Some programs find the list of parts by its size in bytes, others by its place (4.3.16). */
const isEndSound = (declared: EndFacts, size: number): boolean => declared.isWhole && declared.size === size;

function endFacts(bytes: Buffer, end: number): EndFacts {
  const facts = {
    count: bytes.readUInt16LE(end + 10),
    size: bytes.readUInt32LE(end + 12),
    offset: bytes.readUInt32LE(end + 16),
    recordAt: end,
    isWhole: bytes.readUInt32LE(end + 4) === 0 && bytes.readUInt16LE(end + 8) === bytes.readUInt16LE(end + 10),
  };
  const locator = end - 20;
  if (locator < 0 || bytes.compare(locatorSignature, 0, 4, locator, locator + 4) !== 0) return facts;
  let record = Number(bytes.readBigUInt64LE(locator + 8));
  if (!(record + fixedBytes.zip64End <= bytes.length && bytes.readUInt32LE(record) === 0x06064b50))
    record = bytes.lastIndexOf(zip64EndSignature, locator);
  if (record < 0 || record + fixedBytes.zip64End > bytes.length) return facts;
  return {
    count: Number(bytes.readBigUInt64LE(record + 32)),
    size: Number(bytes.readBigUInt64LE(record + 40)),
    offset: Number(bytes.readBigUInt64LE(record + 48)),
    recordAt: record,
    isWhole: true,
  };
}

function scanCentral(bytes: Buffer, most: number): HeaderFacts[] {
  const entries: HeaderFacts[] = [];
  for (let at = bytes.indexOf(centralSignature); at >= 0 && entries.length < most; ) {
    const entry = readCentralHeader(bytes, at);
    if (entry) entries.push(entry.facts);
    at = bytes.indexOf(centralSignature, at + 4);
  }
  return entries;
}

/** Every readable local header of the file, in its order. */
export function scanLocalHeaders(bytes: Buffer, most: number): (HeaderFacts & { dataStart: number })[] {
  const found: (HeaderFacts & { dataStart: number })[] = [];
  for (
    let at = bytes.indexOf(localSignature);
    at >= 0 && found.length < most;
    at = bytes.indexOf(localSignature, at + 4)
  ) {
    const header = readLocalHeader(bytes, at);
    if (header) found.push(header);
  }
  return found;
}
