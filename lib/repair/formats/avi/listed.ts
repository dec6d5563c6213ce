import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { after, type Chunk, isPicture, type Movi, media } from './chunks';
import { beginBytes, beginsOf } from './sizes';

/** An entry of `idx1` (AVI RIFF File Reference, AVIOLDINDEX): where its chunk begins, counted from a place of its own, and the length of its content. */
type Entry = { id: string; isKey: boolean; at: number; length: number };

/** Bytes of an entry, and AVIIF_KEYFRAME. */
const entryBytes = 16;
const keyFrame = 0x10;
/** Entries that are read, and chunks and entries at the end of both that are tried for a pair. */
const mostEntries = 1 << 21;
const triedPairs = 12;
/** Share of the chunks that the index must name at their places. */
const leastFitting = 0.5;

/** Where the index lies: where the walk came by it, or behind the last chunk. */
export const indexPlace = (source: Source, movi: Movi): number =>
  movi.index ?? source.find(Buffer.from('idx1'), movi.end);

function entriesAt(source: Source, at: number): Entry[] {
  const stated = source.read(at + 4, 4);
  if (at < 0 || stated.length < 4) return [];
  const count = Math.floor(Math.min(source.size - at - 8, stated.readUInt32LE(0)) / entryBytes);
  const entries: Entry[] = [];
  for (let index = 0; index < Math.min(count, mostEntries); index++) {
    const bytes = source.read(at + 8 + index * entryBytes, entryBytes);
    const id = bytes.toString('latin1', 0, 4);
    if (!media.test(id)) continue;
    const isKey = (bytes.readUInt32LE(4) & keyFrame) !== 0;
    entries.push({ id, isKey, at: bytes.readUInt32LE(8), length: bytes.readUInt32LE(12) });
  }
  return entries;
}

/** Entries with which every base is tried, and bases that are tried with all where there are more. */
const mostTried = 20_000;
const likelyBases = 4;

/** So many entries from all over the index. */
function strewn(entries: readonly Entry[]): readonly Entry[] {
  const step = Math.ceil(entries.length / mostTried);
  return entries.filter((_, index) => index % step === 0);
}

/** The bases that fit most entries. */
const bestOf = (counted: readonly { base: number; count: number }[]): number[] =>
  [...counted]
    .sort((one, other) => other.count - one.count)
    .slice(0, likelyBases)
    .map(({ base }) => base);

/** What is added to the places of entries so that they are those of the file, by the pairs that most chunks have in common; null where few have. */
function baseOf(entries: readonly Entry[], movi: Movi): number | null {
  const places = new Map(movi.chunks.map((chunk) => [chunk.offset, chunk]));
  const bases = new Set([movi.start - 4, 0]);
  // A file without its beginning still ends as it did.
  for (const chunk of movi.chunks.slice(-triedPairs))
    for (const entry of entries.slice(-triedPairs))
      if (entry.id === chunk.id && entry.length === chunk.length) bases.add(chunk.offset - entry.at);
  const fitting = (base: number, among: readonly Entry[]) =>
    among.filter(({ id, at, length }) => {
      const chunk = places.get(at + base);
      return chunk?.id === id && chunk.length === length;
    }).length;
  const countedBy = (some: Iterable<number>, among: readonly Entry[]) =>
    [...some].map((base) => ({ base, count: fitting(base, among) }));
  const likely = entries.length > mostTried ? bestOf(countedBy(bases, strewn(entries))) : bases;
  const counted = countedBy(likely, entries);
  const best = counted.reduce((one, other) => (other.count > one.count ? other : one));
  return best.count > 0 && best.count >= movi.chunks.length * leastFitting ? best.base : null;
}

/** What the index says of the file as it was: all its chunks, those that are lost as well. */
export type Listed = {
  /** Chunks and their bytes by name. */
  totals: Map<string, { count: number; bytes: number }>;
  /** By the offset of a chunk, the length of its content. */
  lengths: ReadonlyMap<number, number>;
  /** By the offset of a chunk, whether its picture stands alone. */
  keys: Map<number, boolean>;
  /** Pictures that came back of which nothing tells whether more than their head was overwritten. */
  overwritten: number;
  /** Pieces of sound that came back, in which what their head was overwritten with goes on. */
  overwrittenSounds: number;
};

type Placed = Chunk & { isKey: boolean };

/** Chunks that came back, what of the stretches stays unexplained, and how many pictures may be overwritten. */
type Filled = Pick<Movi, 'chunks' | 'gaps'> & Pick<Listed, 'overwritten' | 'overwrittenSounds'>;

/** Bytes behind a head that show that what it was overwritten with goes on. */
const shownBehind = 4;

/** Whether one value fills the head of a chunk and the first bytes of its content. */
function goesOn(source: Source, { offset, length }: Chunk): boolean {
  const bytes = source.read(offset, 8 + shownBehind);
  return length >= shownBehind && bytes.every((byte) => byte === bytes[0]);
}

/**
 * Adds the chunks of the index that lie in a stretch that is none. One that begins in another way than others of its name is gone; of a picture an
 * empty chunk takes its place, so that what follows keeps its time.
 */
function fillGap(
  source: Source,
  placed: readonly Placed[],
  begins: ReadonlyMap<string, Buffer>,
  gap: Movi['gaps'][0],
  to: Filled,
): void {
  const end = gap.offset + gap.length;
  let at = gap.offset;
  for (const { id, offset, length } of placed) {
    if (offset < at || offset + 8 + length > end) continue;
    const begin = begins.get(id);
    const isGone = begin !== undefined && length > 0 && !source.read(offset + 8, beginBytes).equals(begin);
    if (isGone && !isPicture(id)) continue;
    if (offset > at) to.gaps.push({ offset: at, length: offset - at });
    if (isGone) to.gaps.push({ offset, length: length + 8 });
    else if (!begin && isPicture(id)) to.overwritten++;
    else if (!begin && goesOn(source, { id, offset, length })) to.overwrittenSounds++;
    to.chunks.push({ id, offset, length: isGone ? 0 : length });
    at = Math.min(end, after({ id, offset, length }));
  }
  if (at < end) to.gaps.push({ offset: at, length: end - at });
}

/** The walk with chunks whose heads were overwritten; empty ones right before a stretch that is none have lost their size. */
function filled(source: Source, movi: Movi, placed: readonly Placed[]): Filled {
  const gaps = new Map(movi.gaps.map((gap) => [gap.offset, gap]));
  const lengths = new Map(placed.map(({ offset, length }) => [offset, length]));
  const kept: Chunk[] = [];
  for (const chunk of movi.chunks) {
    const gap = chunk.length === 0 ? gaps.get(chunk.offset + 8) : undefined;
    if (gap && (lengths.get(chunk.offset) ?? 0) > 0) {
      gaps.delete(gap.offset);
      gaps.set(chunk.offset, { offset: chunk.offset, length: gap.length + 8 });
    } else kept.push(chunk);
  }
  const begins = beginsOf(source, { ...movi, chunks: kept });
  const all: Filled = { chunks: kept, gaps: [], overwritten: 0, overwrittenSounds: 0 };
  let next = 0;
  for (const gap of [...gaps.values()].sort((one, other) => one.offset - other.offset)) {
    while ((placed[next]?.offset ?? gap.offset) < gap.offset) next++;
    const first = next;
    while ((placed[next]?.offset ?? source.size) < gap.offset + gap.length) next++;
    fillGap(source, placed.slice(first, next), begins, gap, all);
  }
  all.chunks.sort((one, other) => one.offset - other.offset);
  all.gaps.sort((one, other) => one.offset - other.offset);
  return all;
}

/** What the index says; `movi` is the walk with the chunks that it puts back, since it says where each is and how long. Null where none fits. */
export function readListed(source: Source, movi: Movi): { movi: Movi; listed: Listed } | null {
  const entries = entriesAt(source, indexPlace(source, movi));
  const base = entries.length > 0 && movi.chunks.length > 0 ? baseOf(entries, movi) : null;
  if (base === null) return null;
  const placed = entries
    .map(({ id, isKey, at, length }) => ({ id, isKey, offset: at + base, length }))
    .sort((one, other) => one.offset - other.offset);
  const totals: Listed['totals'] = new Map();
  for (const { id, length } of entries) {
    const { count, bytes } = totals.get(id) ?? { count: 0, bytes: 0 };
    totals.set(id, { count: count + 1, bytes: bytes + length });
  }
  const { overwritten, overwrittenSounds, ...rest } = filled(source, movi, placed);
  const keys = new Map(placed.map(({ offset, isKey }) => [offset, isKey]));
  const lengths = new Map(placed.map(({ offset, length }) => [offset, length]));
  return { movi: { ...movi, ...rest }, listed: { totals, lengths, keys, overwritten, overwrittenSounds } };
}
