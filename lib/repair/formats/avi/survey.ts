import { Buffer } from '../../host/bytes';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { after, type Movi, walkChunks } from './chunks';
import { hasIndex } from './headers';
import { indexPlace, type Listed, readListed } from './listed';
import { keepCut, keepTorn, listedSizes, sizeChunks } from './sizes';
import { leadsOn, plainSounds, settleHead } from './streams';

/**
 * What stands in a file: the header list, the chunks of `movi`, and whether what leads to them is as it should be. `gaps` are the stretches in which
 * the walk found no chunks, `sized` how many of these got a size by what follows, `torn` how many lack bytes, and `listed` what the index says.
 */
export type Survey = {
  head: Buffer | null;
  headOk: boolean;
  movi: Movi;
  gaps: Movi['gaps'];
  sized: number;
  torn: number;
  listed: Listed | null;
  riffOk: boolean;
  moviOk: boolean;
  /** Whether chunks lead from the beginning to the pictures. */
  chainOk: boolean;
  indexOk: boolean;
};

/** How far the header list is looked for, and its most bytes. */
const mostHead = 1 << 22;

/** The header list wherever it is: LIST of kind hdrl with a stream in it; its size is measured by what follows when it is wrong. */
export function findHead(source: Source, before: number): Buffer | null {
  const at = source.find(Buffer.from('hdrlavih'), 0, Math.min(source.size, mostHead));
  if (at < 8) return null;
  const length = source.read(at - 4, 4).readUInt32LE(0);
  const end = at + length <= before && length > 64 ? at + length : before;
  if (end <= at) return null;
  const list = source.copy(at - 8, Math.min(end - at + 8, mostHead));
  list.write('LIST', 0, 'latin1');
  list.writeUInt32LE(list.length - 8, 4);
  return list.includes('strh') && list.includes('strf') ? list : null;
}

/** Share of entries from which on what an index says is meant as it is read here, so that the others are wrong. */
const meant = 0.9;

/**
 * Whether every entry of idx1 names the chunk that lies at its place, counted from `movi` or from the start of the file, and its size where
 * most do; of `torn` chunks nothing but the place is left to compare. `isSpare` where the file has another index (OpenDML), beside which one that says something else altogether is its writer's way.
 */
function checkIndex(source: Source, movi: Movi, torn: ReadonlySet<number>, isSpare: boolean): boolean {
  const wanted = new Map(movi.chunks.map((one) => [one.offset, one]));
  // Clusters of another file, inside a chunk, may hold that one's index.
  const at = indexPlace(source, movi);
  if (at < 0) return isSpare;
  const count = Math.floor(Math.min(source.size - at - 8, source.read(at + 4, 4).readUInt32LE(0)) / 16);
  if (count === 0) return isSpare;
  const tally = (base: number) => {
    let [places, sizes] = [0, 0];
    for (let index = 0; index < count; index++) {
      const entry = source.read(at + 8 + index * 16, 16);
      const id = entry.toString('latin1', 0, 4);
      const chunk = wanted.get(entry.readUInt32LE(8) + base);
      const isRecord = id === 'rec ';
      if (isRecord || chunk?.id === id) places++;
      if (isRecord || (chunk?.id === id && (torn.has(chunk.offset) || chunk.length === entry.readUInt32LE(12))))
        sizes++;
    }
    return { places, sizes };
  };
  const bases = [movi.start - 4, 0].map(tally);
  const isRight = ({ places, sizes }: { places: number; sizes: number }) =>
    places === count && (sizes === count || sizes < count * meant);
  return bases.some(isRight) || (isSpare && bases.every(({ places }) => places < count * meant));
}

/** Whether the file begins as RIFF of kind AVI whose size holds its chunks. */
function checkRiff(source: Source, movi: Movi, first: number, size: number): boolean {
  const top = source.copy(0, 12).toString('latin1');
  if (top.slice(0, 4) !== 'RIFF' || top.slice(8) !== 'AVI ' || size <= first || size > source.size + 1) return false;
  const next = size < source.size ? source.read(size + (size & 1), 4).toString('latin1') : 'RIFF';
  return next === 'RIFF' || movi.chunks.every(({ offset }) => offset < size);
}

/** Whether the list of the pictures, at `list`, has its name and a size that holds its chunks. */
function checkMovi(source: Source, movi: Movi, list: number, size: number): boolean {
  if (list < 8 || source.read(list - 8, 4).toString('latin1') !== 'LIST') return false;
  const stated = source.read(list - 4, 4).readUInt32LE(0) + list;
  const own = movi.chunks.filter(({ offset }) => offset < size);
  return stated <= source.size + 1 && own.every((one) => after(one) <= stated + 1);
}

/** Where the flags lie in a header list. */
const flagsAt = 8 + 12 + 12;

/** Reads a file from its first chunk to its last. */
export async function survey(
  reading: Pick<Reading, 'tell'>,
  source: Source,
  from: number,
  to: number,
): Promise<Survey> {
  const list = source.find(Buffer.from('movi'), 0);
  const first = list >= 0 ? list + 4 : 0;
  const walked = await walkChunks(reading, source, first, from, to);
  const told = readListed(source, walked);
  const movi = told?.movi ?? walked;
  const { gaps } = walked;
  const sized = sizeChunks(source, movi) + (told ? listedSizes(source, movi, told.listed.lengths) : 0);
  const torn = keepTorn(source, movi);
  const top = source.copy(0, 12);
  const size = top.length === 12 ? top.readUInt32LE(4) + 8 : 0;
  // Where the list of the pictures has lost its name, the headers end before the first of them at the latest.
  const found = findHead(source, list >= 8 ? list - 8 : (movi.chunks[0]?.offset ?? source.size));
  const chainOk = list < 8 || list > mostHead || leadsOn(source.copy(0, list - 8), list - 8);
  const cut = keepCut(source, movi, found ? plainSounds(found) : new Map());
  const { head, isOwn } = settleHead(found, movi, chainOk);
  const isIndexPromised = !head || (head.readUInt32LE(flagsAt) & hasIndex) !== 0;
  return {
    head,
    headOk: head !== null && isOwn,
    movi,
    gaps: gaps.filter(({ offset }) => offset !== cut),
    sized,
    torn: torn.size,
    listed: told?.listed ?? null,
    riffOk: checkRiff(source, movi, first, size),
    moviOk: checkMovi(source, movi, list, size),
    chainOk,
    indexOk: checkIndex(source, movi, torn, head?.includes('indx') ?? false) || !isIndexPromised,
  };
}

/** Whether nothing is wrong with what was seen. */
export const isInOrder = (seen: Survey): boolean =>
  seen.headOk && seen.riffOk && seen.moviOk && seen.chainOk && seen.indexOk && seen.gaps.length === 0;
