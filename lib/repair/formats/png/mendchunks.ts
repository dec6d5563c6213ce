import type { PhotoTold } from '../../families/photo';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { type Allowed, allowedBySum, type SumMend } from './bysum';
import { type Chunk, readChunks, writeChunk } from './chunks';
import { undoExchanges } from './exchanged';
import { provenWay } from './ways';

/** A file and its chunks. */
export type Chunked = { bytes: Buffer; chunks: Chunk[] };

/** Exchanges that are told of one by one. */
const mostTold = 6;

/**
 * A file with its chunks as they were, where their check sums tell what is wrong with them: pieces that changed places, bytes that are wrong,
 * lost, or came in. What fits a sum by chance now and then is taken only where all picture data proves it (`proves`).
 */
export function mendChunks(
  given: Chunked,
  told: PhotoTold,
  effort: Effort,
  proves: (packed: Buffer) => boolean,
): Chunked {
  // Where the data is right, only the sums are not.
  if (given.chunks.some(isDamagedData) && proves(packedOf(given))) return given;
  const ordered = allOf(given).some(isOpen) ? inOrder(given, told, effort) : given;
  const allowed = allOf(ordered);
  const chosen = choose(ordered, allowed, effort, proves);
  if (chosen.every((mend) => mend === null)) return ordered;
  tellMends(chosen, told);
  const bytes = written(ordered, chosen);
  return { bytes, chunks: readChunks(bytes) };
}

/** A chunk, and the ways of setting it right. */
type Ways = { chunk: Chunk; ways: Allowed[] };

const isDamagedData = ({ type, sound }: Chunk): boolean => type === 'IDAT' && !sound;

function allOf({ bytes, chunks }: Chunked): Ways[] {
  const damaged = chunks.filter(isDamagedData).reduce((sum, { start, end }) => sum + end - start, 0);
  return chunks.map((chunk) => ({ chunk, ways: allowedBySum(bytes, chunk, damaged) }));
}

/** Whether a chunk of picture data is damaged, and its sum does not surely tell how. */
const isOpen = ({ chunk, ways: [first] }: Ways): boolean => isDamagedData(chunk) && !first?.isSure;

/** All picture data in a row, of chunks in the way that was chosen. */
const packedOf = ({ bytes, chunks }: Chunked, chosen: readonly (Allowed | null)[] = []): Buffer =>
  Buffer.concat(
    chunks.flatMap(({ type, start, end }, index) =>
      type === 'IDAT' ? [chosen[index]?.data ?? bytes.subarray(start, end)] : [],
    ),
  );

/** The file with pieces put back that had changed places. */
function inOrder(given: Chunked, told: PhotoTold, effort: Effort): Chunked {
  const found = undoExchanges(given.bytes, effort);
  if (!found) return given;
  for (const { first, size } of found.exchanges.slice(0, mostTold))
    told.damages.push({ kind: 'exchanged', count: size, offset: first });
  told.steps.push({ kind: 'exchanged', count: found.exchanges.length, by: 'sums' });
  return { bytes: found.bytes, chunks: readChunks(found.bytes) };
}

/** The way that is taken for each chunk, null for those that stay as they are. */
function choose(
  file: Chunked,
  all: readonly Ways[],
  effort: Effort,
  proves: (packed: Buffer) => boolean,
): (Allowed | null)[] {
  const sure = all.map(({ ways: [first] }) => (first?.isSure ? first : null));
  const open = all.flatMap((ways, index) => (isOpen(ways) ? [index] : []));
  const choices = open.map((index) => all[index]?.ways ?? []);
  const { length } = packedOf(file);
  const withWay = (way: readonly Allowed[]) =>
    sure.map((mend, index) => (open.includes(index) ? (way[open.indexOf(index)] ?? null) : mend));
  const way = provenWay(choices, length, effort, (some) => proves(packedOf(file, withWay(some))));
  return way ? withWay(way) : sure;
}

/** The file with chunks in the way that was chosen. */
function written({ bytes, chunks }: Chunked, chosen: readonly (Allowed | null)[]): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const [index, { type, start, end }] of chunks.entries()) {
    const mend = chosen[index];
    if (!mend) continue;
    pieces.push(bytes.subarray(at, start - 8), writeChunk(type, mend.data));
    at = end + 4;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

function tellMends(chosen: readonly (Allowed | null)[], { steps }: PhotoTold): void {
  const count = (how: SumMend) => chosen.filter((mend) => mend?.how === how).length;
  const parts = (['returns', 'bit', 'bytes', 'added', 'missing'] as const).map((how) => [how, count(how)] as const);
  for (const [how, number] of parts) if (number > 0) steps.push({ kind: 'partBytes', how, parts: number });
}
