import { decodeLzw } from '../../../codecs/lzw/decode';
import { inflateZlib } from '../../../core/deflate/whole';
import { highest } from '../../../core/extent';
import { Buffer } from '../../../host/bytes';
import type { EngineJob } from '../../../report';
import { scheme } from '../directory';
import { decodePackBits } from '../packbits';
import { type FoundStrip, scanStrips } from '../scan';
import { packingOf, unpackable } from '../segments';

/**
 * Unpacked strips or tiles in their order, lost ones without data; `size` is the length in bytes that all but the last have, 0 when
 * unknown; `row` the length of rows where the packing shows it; `packed` whether rows may hold differences.
 */
export type Source = { data: Buffer[]; size: number; row: number; packed: boolean; damaged: number };

const mostBytes = 160 << 20;
/** Most strips whose places are believed without a whole directory. */
const mostPlaces = 50_000;
const mostLost = 64;

/** Unpacks strips whose places are known; `told` is the packing that the directory still names. Null when hardly anything comes out. */
export function sourceFromPlaces(
  job: EngineJob,
  bytes: Buffer,
  places: readonly { at: number; count: number }[],
  told: number | undefined,
): Source | null {
  const first = places[0];
  if (!first || places.length > mostPlaces) return null;
  const shown = packingOf(bytes, first.at) ?? packingOf(bytes, places[1]?.at ?? first.at);
  if (shown === 7) return null;
  const runs = shown === null && places.every(({ at, count }) => endsInRuns(bytes, at, at + count));
  const packing = told !== undefined && unpackable.has(told) ? told : (shown ?? (runs ? scheme.packBits : 1));
  let budget = mostBytes;
  let damaged = 0;
  const data = places.map(({ at, count }) => {
    job.deadline.check();
    const piece = unpack(job, bytes.subarray(at, at + count), packing, Math.max(0, budget));
    budget -= piece.data.length;
    if (!piece.sound || at + count > bytes.length) damaged++;
    return piece.data;
  });
  const size = usualLength(data);
  if (size === 0) return null;
  const packed = packing === scheme.lzw || packing === scheme.flate || packing === scheme.oldFlate;
  return { data, size: data.length > 1 ? size : 0, row: 0, packed, damaged };
}

function unpack(job: EngineJob, piece: Buffer, packing: number, most: number): { data: Buffer; sound: boolean } {
  if (packing === scheme.none) return { data: piece.subarray(0, most), sound: true };
  if (packing === scheme.packBits)
    return { data: decodePackBits(piece, Math.min(most, piece.length * 64)), sound: true };
  if (packing === scheme.lzw) {
    const { data, ended, complete } = decodeLzw(piece, 0, Math.min(most, piece.length * 1400));
    return { data, sound: ended && complete };
  }
  const { data, complete } = inflateZlib(piece, { clip: true, maxOutput: most, deadline: job.deadline });
  return { data, sound: complete };
}

/** Whether bytes from `at` to `end` are whole packets of PackBits (TIFF 6.0, section 9), and at least some of them runs or long literals. */
function endsInRuns(bytes: Buffer, at: number, end: number): boolean {
  let place = at;
  while (place < end && place < bytes.length) {
    const head = bytes.readInt8(place);
    place += head >= 0 ? head + 2 : head === -128 ? 1 : 2;
  }
  return place === end;
}

function usualLength(data: readonly Buffer[]): number {
  const counts = new Map<number, number>();
  for (const { length } of data) if (length > 0) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].sort(([a, left], [b, right]) => right - left || b - a)[0]?.[0] ?? 0;
}

/** Finds packed strips by how they begin; null when they make up too little of the file, as chance finds do. */
export function scannedSource(job: EngineJob, bytes: Buffer): Source | null {
  const strips = scanStrips(job, bytes, 0);
  if (strips.length === 0 || strips.reduce((sum, { data }) => sum + data.length, 0) < bytes.length / 3) return null;
  const longest = highest(strips.map(({ data }) => data.length));
  const sound = strips.filter((strip) => strip.sound);
  const usual = usualLength(sound.map(({ data }) => data));
  // A damaged strip may unpack to far more than it held, when zeroes or the next one follow.
  const isMost = sound.length > 2 && sound.filter(({ data }) => data.length === usual).length > sound.length / 2;
  const size = isMost || usual > longest / 2 ? usual : longest;
  const only = strips[0];
  if (strips.length === 1 && only)
    return { data: [only.data], size: only.sound ? size : 0, row: 0, packed: true, damaged: only.sound ? 0 : 1 };
  return inOrder(strips, size);
}

/** Room for whole strips between two of them is where lost ones were; a damaged strip keeps its place. */
function inOrder(strips: readonly FoundStrip[], size: number): Source {
  const packed = strips.reduce((sum, { at, end }) => sum + end - at, 0) / strips.length;
  const data: Buffer[] = [];
  let before = 8;
  let missing = 0;
  for (const [index, { at, end, data: own, sound }] of strips.entries()) {
    const cut = own.length < size && !sound && index < strips.length - 1;
    const room = cut ? 0 : Math.round((at - before) / packed);
    for (let lost = 0; lost < Math.min(room, mostLost); lost++, missing++) data.push(Buffer.alloc(0));
    data.push(own.subarray(0, size));
    before = cut ? (strips[index + 1]?.at ?? end) : end;
  }
  return { data, size, row: 0, packed: true, damaged: strips.filter(({ sound }) => !sound).length + missing };
}

const leastRow = 16;
const rowsChecked = 48;

/** Reads a file as one stream of PackBits (TIFF 6.0, section 9), in which each row is packed on its own: rows end where packets do. Null when they do not. */
export function packBitsSource(bytes: Buffer, start: number): Source | null {
  const ends = new Set<number>();
  let [at, length] = [start, 0];
  while (at < bytes.length && length < rowsChecked * 8192) {
    const head = bytes.readInt8(at);
    at += head >= 0 ? head + 2 : head === -128 ? 1 : 2;
    length += head >= 0 ? head + 1 : head === -128 ? 0 : 1 - head;
    ends.add(length);
  }
  for (const row of ends) {
    if (row < leastRow || row * 12 > length) continue;
    let rows = 1;
    while (rows < rowsChecked && ends.has(row * (rows + 1))) rows++;
    if (rows < Math.min(rowsChecked, Math.floor(length / row))) continue;
    const data = decodePackBits(bytes.subarray(start), Math.min(mostBytes, bytes.length * 64));
    return { data: [data], size: 0, row, packed: false, damaged: 0 };
  }
  return null;
}
