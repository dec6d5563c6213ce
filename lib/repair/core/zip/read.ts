import { inflateSalvage, inflateStrict } from '../../core/deflate/whole';
import { lastIndex } from '../../core/flips/follow';
import { crc32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';
import { type Deadline, LimitError, type RepairLimits } from '../../report';
import type { Damage } from '../../report/facts/document';
import { type HeaderFacts, readCentralDirectory, readLocalHeader, scanLocalHeaders } from './records';
import type { Body } from './write';

/** One member of the archive as far as it could be read. */
export type Member = {
  name: string;
  data: Buffer;
  /** `part`: only some of the content, or content that does not match its check sum. */
  state: 'whole' | 'part' | 'lost';
  /** Size the headers promise, 0 when unknown. */
  expected: number;
  offset: number;
  problem: Damage | null;
  /** Data and check sum of content that did not read as they promise, the sum only where a size is expected; absent for whole members. */
  packed?: Packed | undefined;
  /** How the content of a whole member stands in the file. */
  body?: Body | undefined;
};

/** Data of a member as it stands in the file, `stored` or DEFLATE. `missing` bytes of it are gone; below zero, so many were put in. */
export type Packed = { bytes: Buffer; crc: number; stored: boolean; missing: number };

export type Archive = { members: Member[]; problems: Damage[] };

/** More bytes than this between a member and the next header belong to a member whose header is lost. */
const mostPutIn = 65_536;

/** Entries of the list of parts that may lead to where another one leads to: where damage made them equal. */
const mostAtOnePlace = 256;

/** Flags of data that is encrypted, by either way, or a patch (APPNOTE 4.4.4, bits 0, 5, 6 and 13): programs refuse it, and none of it is read here. */
const unread = 0x2061;

type Source = HeaderFacts & { dataStart: number; promised: boolean };
type Decoded = {
  data: Buffer;
  state: Member['state'];
  problem: Member['problem'];
  end: number;
  packed?: Member['packed'];
  body?: Body;
};

/** Content that could be read to its end, and the bytes that it was read from. */
type Strict = { data: Buffer; end: number; bytes: Buffer };

/**
 * Reads a ZIP archive by its central directory and by its local headers, and keeps the better reading of every member. Where the two
 * give a member different names, `knows` says which of them this kind of file uses.
 */
export function readArchive(
  bytes: Buffer,
  limits: RepairLimits,
  deadline: Deadline,
  knows: (name: string) => boolean = () => false,
): Archive {
  const reader = new ArchiveReader(bytes, limits, deadline, knows);
  return reader.read();
}

class ArchiveReader {
  readonly #bytes: Buffer;
  readonly #limits: RepairLimits;
  readonly #deadline: Deadline;
  readonly #knows: (name: string) => boolean;
  #budget: number;
  readonly #problems: Archive['problems'] = [];
  #starts: number[] = [];
  /** Where headers really stand, of members by their names and of the list of parts. */
  #headers: { offset: number; name: string | null }[] = [];
  /** The name of the member that the list of parts puts behind each, null behind the last one. */
  readonly #following = new Map<string, string | null>();

  constructor(bytes: Buffer, limits: RepairLimits, deadline: Deadline, knows: (name: string) => boolean) {
    this.#bytes = bytes;
    this.#knows = knows;
    this.#limits = limits;
    this.#deadline = deadline;
    this.#budget = limits.inflatedBytes;
  }

  read(): Archive {
    const directory = readCentralDirectory(this.#bytes, this.#limits.entries + 1);
    const locals = scanLocalHeaders(this.#bytes, this.#limits.entries + 1);
    if (directory.entries.length > this.#limits.entries || locals.length > this.#limits.entries) {
      throw new LimitError(
        `The file claims more than ${this.#limits.entries.toLocaleString('en-US')} parts, more than this tool opens.`,
      );
    }
    const places = new Set(directory.entries.map(({ offset }) => offset));
    if (directory.entries.length - places.size > mostAtOnePlace)
      throw new LimitError('The list of parts leads to the same places again and again, which only bombs do.');
    this.#problems.push(...directory.problems);
    this.#starts = [...locals.map((header) => header.offset), ...directory.entries.map((entry) => entry.offset)].sort(
      (a, b) => a - b,
    );
    const list = this.#bytes.indexOf('PK\x01\x02', locals.at(-1)?.dataStart ?? 0, 'latin1');
    this.#headers = [...locals, { offset: list < 0 ? this.#bytes.length : list, name: null }];
    const ordered = directory.entries.toSorted((left, right) => left.offset - right.offset);
    for (const [index, entry] of ordered.entries()) this.#following.set(entry.name, ordered[index + 1]?.name ?? null);
    this.#problems.push(...doubled(directory.entries));
    const members = new Map<string, Member>();
    const inside = new Set<number>();
    const seen = new Set<number>();
    const sources = [
      ...directory.entries.map((entry) => this.#locate(entry, locals)),
      ...locals.map((header) => ({ ...header, promised: (header.flags & 8) === 0 && header.compressed > 0 })),
    ];
    for (const source of sources) {
      this.#deadline.check();
      if (!source || seen.has(source.dataStart) || source.name.endsWith('/')) continue;
      seen.add(source.dataStart);
      // A stored member may be a ZIP file itself; headers inside what was read whole are its own business.
      if (inside.has(source.offset)) continue;
      const decoded = this.#decode(source);
      if (decoded.state === 'whole') for (const start of this.#startsIn(source.offset, decoded.end)) inside.add(start);
      const expected = decoded.state === 'whole' ? decoded.data.length : source.size;
      keepBetter(members, { name: source.name, expected, offset: source.offset, ...decoded });
    }
    for (const entry of directory.entries) {
      if (members.has(entry.name) || entry.name.endsWith('/')) continue;
      const problem: Damage = { kind: 'part.beyond', part: entry.name, offset: entry.offset };
      members.set(entry.name, {
        name: entry.name,
        data: Buffer.alloc(0),
        state: 'lost',
        expected: entry.size,
        offset: entry.offset,
        problem,
      });
    }
    return { members: [...members.values()], problems: this.#problems };
  }

  /** Headers that stand behind `from` and before `end`. */
  #startsIn(from: number, end: number): number[] {
    const starts = this.#starts;
    const first = lastIndex(starts, (start) => start <= from) + 1;
    let behind = first;
    while ((starts[behind] ?? end) < end) behind++;
    return starts.slice(first, behind);
  }

  /** Pairs a directory entry with its data, by the local header it points to, one of the same name, or the room before the next. */
  #locate(entry: HeaderFacts, locals: (HeaderFacts & { dataStart: number })[]): Source | null {
    const direct = readLocalHeader(this.#bytes, entry.offset);
    if (direct && direct.name === entry.name) {
      const agreed = direct.crc === entry.crc || (direct.flags & 8) !== 0;
      if (!agreed || direct.method !== entry.method || ((direct.flags | entry.flags) & unread) !== 0)
        this.#wrongHeader(entry);
      return { ...entry, dataStart: direct.dataStart, promised: true };
    }
    const isSame =
      direct && ((direct.flags & 8) !== 0 || (direct.crc === entry.crc && direct.compressed === entry.compressed));
    if (isSame && this.#knows(direct.name) && !this.#knows(entry.name)) {
      this.#problems.push({ kind: 'directory.renamed', part: direct.name, offset: direct.offset });
      return { ...entry, name: direct.name, dataStart: direct.dataStart, promised: true };
    }
    const named = locals.find((header) => header.name === entry.name);
    if (named) {
      this.#problems.push({ kind: 'offset', part: entry.name, offset: named.offset });
      return { ...entry, offset: named.offset, dataStart: named.dataStart, promised: true };
    }
    if (entry.offset >= this.#bytes.length || entry.offset < 0) return null;
    this.#wrongHeader(entry);
    const nameLength = Buffer.byteLength(entry.name);
    const following = this.#starts.find((start) => start > entry.offset) ?? this.#bytes.length;
    const candidates = [0, entry.extra, direct?.extra ?? 0, 20, 28, 36].map(
      (extra) => entry.offset + 30 + nameLength + extra,
    );
    for (const tail of [0, 16, 12, 24]) candidates.unshift(following - entry.compressed - tail);
    for (const dataStart of candidates) {
      if (dataStart < entry.offset || dataStart + entry.compressed > this.#bytes.length) continue;
      const attempt = this.#strict({ ...entry, dataStart, promised: true });
      if (attempt && crc32(attempt.data) === entry.crc) return { ...entry, dataStart, promised: true };
    }
    return { ...entry, dataStart: Math.min(this.#bytes.length, entry.offset + 30 + nameLength), promised: true };
  }

  #wrongHeader(entry: HeaderFacts): void {
    this.#problems.push({ kind: 'header.part', part: entry.name, offset: entry.offset });
  }

  #strict(source: Source): Strict | null {
    const end = source.dataStart + source.compressed;
    if (source.promised && end > this.#bytes.length) return null;
    if (source.method === 0) {
      if (!source.promised || source.compressed !== source.size) return null;
      const data = this.#bytes.subarray(source.dataStart, end);
      return { data, end, bytes: data };
    }
    const slice = this.#bytes.subarray(source.dataStart, source.promised ? end : this.#bytes.length);
    const result = inflateStrict(slice, this.#budget);
    if (!result) return null;
    const bytes = slice.subarray(0, result.consumed);
    return {
      data: result.data,
      end: source.dataStart + (source.promised ? source.compressed : result.consumed),
      bytes,
    };
  }

  #decode(source: Source): Decoded {
    if (source.method !== 0 && source.method !== 8) {
      const problem: Damage = { kind: 'method', part: source.name, offset: source.offset };
      return { data: Buffer.alloc(0), state: 'lost', problem, end: source.dataStart };
    }
    const strict = this.#strict(source);
    if (strict) {
      this.#spend(strict.data.length);
      return this.#judge(source, strict);
    }
    const { bytes: slice, missing, end } = this.#extent(source);
    const problem: Damage = { kind: 'content', part: source.name, offset: source.offset };
    if (source.method === 0) {
      this.#spend(slice.length);
      const packed = { bytes: slice, crc: source.crc, stored: true, missing };
      return { data: slice, state: slice.length > 0 ? 'part' : 'lost', problem, end, packed };
    }
    const salvage = inflateSalvage(slice, { maxOutput: this.#budget, deadline: this.#deadline });
    if (salvage.overflow) this.#spend(this.#budget + 1);
    this.#spend(salvage.data.length);
    const packed = { bytes: slice, crc: source.crc, stored: false, missing };
    return { data: salvage.data, state: salvage.data.length > 0 ? 'part' : 'lost', problem, end, packed };
  }

  /** The data of a member as far as it reaches: to its promised end, unless the header behind it shows that bytes were lost or put in. */
  #extent(source: Source): { bytes: Buffer; missing: number; end: number } {
    const { length } = this.#bytes;
    const from = source.dataStart;
    const promisedEnd = from + source.compressed;
    const next = this.#starts[lastIndex(this.#starts, (start) => start <= from) + 1] ?? length;
    let end = source.promised && promisedEnd <= length ? promisedEnd : Math.min(length, next);
    if (!source.promised) return { bytes: this.#bytes.subarray(from, end), missing: 0, end };
    const header = this.#headers.find(({ offset }) => offset >= from) ?? { offset: length, name: null };
    const descriptor = (source.flags & 8) !== 0 ? this.#descriptorLength(header.offset) : 0;
    const apart = header.offset - promisedEnd - descriptor;
    // A member whose header is lost may stand in between.
    const isNext = (this.#following.get(source.name) ?? header.name) === header.name;
    if (isNext && (apart < 0 || (apart > 0 && apart < mostPutIn))) end = promisedEnd + apart;
    return { bytes: this.#bytes.subarray(from, end), missing: promisedEnd - end, end };
  }

  /** Bytes of the data descriptor before a header (APPNOTE 4.3.9). */
  #descriptorLength(header: number): number {
    if (header < 16) return 0;
    return this.#bytes.readUInt32LE(header - 16) === 0x08074b50 ? 16 : 12;
  }

  /** Compares what was inflated with the check sum and size of the header, or of the data descriptor behind it (APPNOTE 4.3.9). */
  #judge(source: Source, { bytes: body, ...strict }: Strict): Decoded {
    const crc = crc32(strict.data);
    const whole = { ...strict, state: 'whole', body: { bytes: body, stored: source.method === 0, crc } } as const;
    const local = readLocalHeader(this.#bytes, source.offset);
    if (crc === source.crc && (source.size === strict.data.length || !source.promised))
      return { ...whole, problem: null };
    const sums = [local?.crc, this.#descriptorCrc(strict.end), source.crc];
    if (!source.promised && sums.includes(crc)) return { ...whole, problem: null };
    const { name: part, offset } = source;
    if (sums.includes(crc)) return { ...whole, problem: { kind: 'checksum.noted', part, offset } };
    const problem: Damage = { kind: 'checksum.content', part, offset };
    const { bytes, missing } = this.#extent(source);
    const packed = { bytes, crc: source.crc, stored: source.method === 0, missing };
    return { ...strict, state: 'part', problem, packed };
  }

  #descriptorCrc(at: number): number | null {
    if (at + 8 > this.#bytes.length) return null;
    return this.#bytes.readUInt32LE(at) === 0x08074b50
      ? this.#bytes.readUInt32LE(at + 4)
      : this.#bytes.readUInt32LE(at);
  }

  #spend(bytes: number): void {
    this.#budget -= bytes;
    if (this.#budget <= 0) throw new LimitError('The compressed content grows to more than this tool opens.');
  }
}

/** Members that the list of parts has twice with other content: programs take one of them, by chance the wrong one. */
function doubled(entries: readonly HeaderFacts[]): Damage[] {
  const sums = new Map<string, number>();
  return entries.flatMap(({ name: part, crc, offset }): Damage[] => {
    const known = sums.get(part);
    sums.set(part, crc);
    return known === undefined || known === crc ? [] : [{ kind: 'directory.double', part, offset }];
  });
}

/** Readings of a member from the best one down. */
const rank = { whole: 2, part: 1, lost: 0 };

function keepBetter(members: Map<string, Member>, member: Member): void {
  const name = member.name.replace(/\\/g, '/').replace(/^\/+/, '');
  const old = members.get(name);
  const better =
    !old ||
    rank[member.state] > rank[old.state] ||
    (rank[member.state] === rank[old.state] && member.data.length > old.data.length);
  if (better) members.set(name, { ...member, name });
}
