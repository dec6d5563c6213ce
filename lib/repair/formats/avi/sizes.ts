import { commonest } from '../../core/commonest';
import type { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { after, type Chunk, isPicture, isSound, type Movi, media } from './chunks';

/** First bytes of chunks that are held against each other, how many chunks, and share of them that must have the same. */
export const beginBytes = 2;
const lookedAlike = 64;
const mostAlike = 0.8;

/** How the chunks of each name begin, where nearly all of one name begin alike. */
export function beginsOf(source: Source, { chunks }: Movi): Map<string, Buffer> {
  const begins = new Map<string, Buffer>();
  for (const name of new Set(chunks.map(({ id }) => id))) {
    const own = chunks.filter(({ id, length }) => id === name && length > beginBytes).slice(0, lookedAlike);
    const all = own.map(({ offset }) => source.copy(offset + 8, beginBytes));
    const { value, count } = commonest(all.map((begin) => begin.readUInt16BE(0)));
    const begin = all.find((one) => one.readUInt16BE(0) === value);
    if (begin && count >= all.length * mostAlike) begins.set(name, begin);
  }
  return begins;
}

/** How much larger than all others of its name a chunk may be whose size is lost, and how much larger one is whose size is wrong. */
const mostLarger = 1.5;
const farLarger = 4;

/**
 * Gives chunks whose size was overwritten the one that leads to the next chunk, where they begin as others of their name do and are no larger. A size
 * that others may have is believed: bytes are missing then. Returns how many; the walk is changed.
 */
export function sizeChunks(source: Source, movi: Movi): number {
  if (movi.gaps.length === 0) return 0;
  const begins = beginsOf(source, movi);
  const largest = new Map<string, number>();
  for (const { id, length } of movi.chunks) largest.set(id, Math.max(length, largest.get(id) ?? 0));
  const empty = new Map(movi.chunks.filter(({ length }) => length === 0).map((chunk) => [chunk.offset + 8, chunk]));
  const found: Chunk[] = [];
  const gaps = movi.gaps.filter(({ offset, length }) => {
    const head = source.copy(offset, 8);
    const before = empty.get(offset);
    const id = before?.id ?? head.toString('latin1', 0, 4);
    const start = before ? offset : offset + 8;
    const size = offset + length - start;
    const most = largest.get(id) ?? 0;
    const isLost = before || (head.length === 8 && head.readUInt32LE(4) > most * farLarger);
    if (!isLost || !media.test(id) || size < beginBytes || size > most * mostLarger) return true;
    const begin = begins.get(id);
    if (!begin || offset + length >= source.size || !source.read(start, beginBytes).equals(begin)) return true;
    if (before) before.length = size;
    else found.push({ id, offset, length: size });
    return false;
  });
  const count = movi.gaps.length - gaps.length;
  movi.gaps = gaps;
  movi.chunks = [...movi.chunks, ...found].sort((one, other) => one.offset - other.offset);
  return count;
}

/**
 * Gives chunks the length that the index has for them, where that leads to the next chunk and their own does not, or counts a byte behind
 * an odd one that is said to pad it and is none of zero. Returns of how many; the walk is changed.
 */
export function listedSizes(source: Source, movi: Movi, lengths: ReadonlyMap<number, number>): number {
  const ends = new Set<number>();
  let count = 0;
  for (const [index, chunk] of movi.chunks.entries()) {
    const { offset, length } = chunk;
    const told = lengths.get(offset);
    if (told === undefined || told === length) continue;
    const behind = movi.chunks[index + 1]?.offset ?? -1;
    const isGrown = length % 2 === 1 && told === length + 1 && source.read(offset + 8 + length, 1)[0] !== 0;
    const isLed = after({ ...chunk, length: told }) === behind && after(chunk) !== behind;
    if (!isGrown && !isLed) continue;
    chunk.length = told;
    if (isLed) ends.add(behind);
    count++;
  }
  // What lies before the next chunk is of the one that leads there.
  movi.gaps = movi.gaps.filter(({ offset, length }) => !ends.has(offset + length));
  return count;
}

/** Bytes that a picture may lack and still be worth showing, and the share of it that must be left. */
const mostLacking = 4096;
const leastLeft = 0.5;

/**
 * Keeps pictures that lack some bytes, so that the next chunk comes sooner than their size says: readers show what stands before the place
 * and conceal the rest, where leaving them out loses them whole and what builds on them. Sound would lose its step instead. Returns
 * where they begin; the walk is changed.
 */
export function keepTorn(source: Source, movi: Movi): ReadonlySet<number> {
  const begins = beginsOf(source, movi);
  const torn: Chunk[] = [];
  movi.gaps = movi.gaps.filter(({ offset, length }) => {
    const head = source.copy(offset, 8);
    const id = head.toString('latin1', 0, 4);
    const left = length - 8;
    const told = head.length === 8 ? head.readUInt32LE(4) : 0;
    const isShort = told + (told & 1) > left && told - left <= mostLacking && left >= told * leastLeft;
    if (!media.test(id) || !isPicture(id) || !isShort || offset + length >= source.size) return true;
    const begin = begins.get(id);
    if (!begin || !source.read(offset + 8, beginBytes).equals(begin)) return true;
    torn.push({ id, offset, length: left });
    return false;
  });
  movi.chunks = [...movi.chunks, ...torn].sort((one, other) => one.offset - other.offset);
  return new Set(torn.map(({ offset }) => offset));
}

/**
 * Keeps what is left of the last chunk where the file ends inside it and it holds plain PCM, of which each sample stands alone. `blocks`: bytes of a
 * sample of all channels, by stream. Returns where it begins, -1 where there is none such; the walk is changed.
 */
export function keepCut(source: Source, movi: Movi, blocks: ReadonlyMap<number, number>): number {
  const last = movi.gaps.at(-1);
  if (!last || last.offset + last.length < source.size) return -1;
  const head = source.copy(last.offset, 8);
  const id = head.toString('latin1', 0, 4);
  const block = blocks.get(Number(id.slice(0, 2)));
  const left = last.length - 8;
  if (!block || !media.test(id) || !isSound(id) || left < block || head.readUInt32LE(4) <= left) return -1;
  movi.gaps.pop();
  movi.chunks.push({ id, offset: last.offset, length: left - (left % block) });
  return last.offset;
}
