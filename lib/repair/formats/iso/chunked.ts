import { box, words } from '../../core/boxes';
import type { Buffer } from '../../host/bytes';
import { boxBytes } from './boxsizes';
import type { Leaves } from './leaves';
import { chunkPlaces, mostChunks, mostSamples } from './track';

/** Where the chunks of a track begin, in bytes of the file; none where it has more than are believed. */
function placesOf(leaves: Leaves): number[] {
  const [co64, stco] = [leaves.get('co64'), leaves.get('stco')];
  const { known, of } = chunkPlaces({ ...(co64 ? { co64 } : {}), ...(stco ? { stco } : {}) });
  return known > mostChunks ? [] : Array.from({ length: known }, (_, chunk) => of(chunk));
}

/** Size of each sample in bytes, and how many there are (8.7.3); null where the table does not tell. */
function sizesOf(leaves: Leaves): { count: number; of: (sample: number) => number } | null {
  const table = leaves.get('stsz');
  if (!table || table.length < boxBytes.stsz) return null;
  const [fixed, count] = [table.readUInt32BE(12), table.readUInt32BE(16)];
  if (count > mostSamples || (fixed === 0 && boxBytes.stsz + count * 4 > table.length)) return null;
  return { count, of: (sample) => (fixed > 0 ? fixed : table.readUInt32BE(boxBytes.stsz + sample * 4)) };
}

/**
 * The table that says how many samples each chunk of a track has (8.7.4), told from their sizes: those that fit before the next chunk of
 * any track begins belong into it. Null where a chunk has room for none, or samples are left over before the last one.
 */
export function chunksByPlaces(leaves: Leaves, all: readonly Leaves[]): Buffer | null {
  const own = placesOf(leaves);
  const sizes = sizesOf(leaves);
  if (!sizes || own.length === 0 || own.length > sizes.count) return null;
  const bounds = [...new Set(all.flatMap(placesOf))].sort((left, right) => left - right);
  const next = new Map(bounds.map((place, index) => [place, bounds[index + 1] ?? Number.POSITIVE_INFINITY]));
  const runs: number[] = [];
  let sample = 0;
  for (const [chunk, place] of own.entries()) {
    const first = sample;
    const isLast = chunk === own.length - 1;
    let room = isLast ? Number.POSITIVE_INFINITY : (next.get(place) ?? place) - place;
    while (sample < sizes.count && sizes.of(sample) <= room) room -= sizes.of(sample++);
    if (sample === first) return null;
    if (runs.at(-2) !== sample - first) runs.push(chunk + 1, sample - first, 1);
  }
  return sample === sizes.count ? box('stsc', words(0, runs.length / 3), words(...runs)) : null;
}
