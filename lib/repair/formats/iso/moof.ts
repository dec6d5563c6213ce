import { type Box, boxAt, boxesIn, isBoxType } from '../../core/boxes';
import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { boxBytes } from './boxsizes';
import { headFlags, isWideTime, noFlags, runHead, type UsualFlags } from './fragmentheads';

/** Values that a fragment leaves out (ISO/IEC 14496-12, 8.8.3): of one track by its trex box; `entry` is the number of its sample description. */
export type Defaults = { entry: number; duration: number; size: number; flags: number };

/**
 * Samples of one track in one fragment, by its tables (8.8.7, 8.8.8). Offsets in bytes from the start of the file; `time` is -1 when it is
 * not told, and `entry`, the number of the sample description, 0.
 */
export type Run = {
  track: number;
  entry: number;
  offset: number;
  time: number;
  sizes: number[];
  durations: number[];
  shifts: number[];
  keys: number[];
  /** The file names another place than this, where it lay before the file changed. */
  isMoved: boolean;
};

/**
 * One movie fragment: where its moof lies, its number, which rises from 1 on (8.8.5) and is 0 where it is not told, the runs it lists, and
 * where the content of the mdat behind it ends; `isTorn` where the sizes of its boxes do not lead from one to the next, which readers go by.
 */
export type Fragment = { offset: number; end: number; number: number; runs: Run[]; dataEnd: number; isTorn: boolean };

/** Largest moof that is read, in bytes, and most samples of one run that are believed. */
const moofLimit = 64 << 20;
const mostSamples = 2_000_000;

/**
 * What the fragments of a file may still take: samples, of which each has a byte at least, and bytes that are read for them. Their codes may
 * stand anywhere, and each may seem to reach far. `usual`: flags of each track that were seen.
 */
export type Room = { samples: number; bytes: number; usual: UsualFlags };

/** How often the bytes of a file may be read for fragments, and most samples of one file that are believed: all of them stand in memory. */
const mostReadings = 4;
const mostInFile = 8_000_000;

/** Room for the fragments of a file of so many bytes. */
export const roomFor = (size: number, usual = noFlags()): Room => ({
  samples: Math.min(size, mostInFile),
  bytes: size * mostReadings + moofLimit,
  usual,
});

/** Where a fragment's own boxes begin and its media data lies, with where the data of the run before ended, whether the run is the last one, and whether flags of a leaf were wrong. */
type Place = { moof: number; data: number; dataEnd: number; reached: number; isLast: boolean; isWrong: boolean };

/** `bases`: the places that offsets of runs may count from, the one that the standard names first; `isTold`: it stands in the file. */
type Header = { track: number; bases: number[]; isTold: boolean; defaults: Defaults };

/** default-base-is-moof (8.8.7.1). */
const baseIsMoof = 0x20000;

/**
 * A track fragment header (8.8.7.1). Its offsets count from a place that it names, from the moof, or from the end of the data of the track
 * fragment before; files that changed since, and some writers, mean the moof where they say otherwise.
 */
function readHeader(
  bytes: Buffer,
  at: number,
  lies: Place,
  isFirst: boolean,
  { defaults, usual }: { defaults: ReadonlyMap<number, Defaults>; usual: UsualFlags },
): Header | null {
  if (at + 16 > bytes.length) return null;
  const { moof, reached } = lies;
  const { flags, isWrong } = headFlags(bytes, at, usual);
  lies.isWrong ||= isWrong;
  const track = bytes.readUInt32BE(at + 12);
  const own = { ...(defaults.get(track) ?? { entry: 0, duration: 0, size: 0, flags: 0 }) };
  let place = at + 16;
  const word = () => {
    place += 4;
    return place <= bytes.length ? bytes.readUInt32BE(place - 4) : 0;
  };
  const isTold = (flags & 1) !== 0 && place + 8 <= bytes.length;
  const told = isTold ? Number(bytes.readBigUInt64BE(place)) : isFirst || flags & baseIsMoof ? moof : reached;
  if (flags & 1) place += 8;
  if (flags & 2) own.entry = word();
  if (flags & 8) own.duration = word();
  if (flags & 0x10) own.size = word();
  if (flags & 0x20) own.flags = word();
  return track > 0 && track < 0x10000 ? { track, bases: [told, moof], isTold, defaults: own } : null;
}

/** Where a run begins that lies so many bytes from its base: behind the run before, else inside the media data, by the first base that leads there. */
function placeOf({ bases }: Header, offset: number, { moof, data, dataEnd, reached }: Place): number {
  const places = bases.map((base) => base + offset);
  const isInside = (place: number) => place >= data && place < dataEnd;
  return places.find((place) => place === reached) ?? places.find(isInside) ?? moof + offset;
}

/**
 * How many samples a run has that are equally long: as many as it says, unless that are none, or more than there is room for, and those that
 * fill it differ from it by one bit. `room` is 0 where it is not told.
 */
function countByRoom(count: number, each: number, room: number): number {
  if (each === 0 || room <= 0 || (count > 0 && count * each <= room)) return count;
  const bits = (count ^ (room / each)) >>> 0;
  return room % each === 0 && (bits & (bits - 1)) === 0 ? room / each : count;
}

function readRun(bytes: Buffer, at: number, header: Header, lies: Place, time: number, room: Room): Run | null {
  if (at + 16 > bytes.length) return null;
  const { flags, count: listed, isWrong } = runHead(bytes, at, header.track, room.usual);
  let place = at + 16;
  let offset = lies.reached;
  let named = offset;
  if (flags & 1) {
    if (place + 4 > bytes.length) return null;
    const behind = bytes.readInt32BE(place);
    offset = placeOf(header, behind, lies);
    named = (header.bases[0] ?? 0) + behind;
    place += 4;
  }
  let first = -1;
  if (flags & 4) {
    if (place + 4 > bytes.length) return null;
    first = bytes.readUInt32BE(place);
    place += 4;
  }
  const each = flags & 0x200 ? 0 : header.defaults.size;
  const count = countByRoom(listed, each, lies.isLast ? lies.dataEnd - offset : 0);
  lies.isWrong ||= isWrong || count !== listed;
  const width = [0x100, 0x200, 0x400, 0x800].filter((bit) => flags & bit).length * 4;
  if (offset < lies.data || count > Math.min(mostSamples, room.samples) || place + count * width > bytes.length)
    return null;
  const isMoved = header.isTold && named !== offset;
  const { track, defaults } = header;
  const lists = { sizes: [], durations: [], shifts: [], keys: [] };
  const run: Run = { track, entry: defaults.entry, offset, time, ...lists, isMoved };
  for (let index = 0; index < count; index++) {
    const next = (bit: number, otherwise: number) => {
      if (!(flags & bit)) return otherwise;
      place += 4;
      return bytes.readUInt32BE(place - 4);
    };
    run.durations.push(next(0x100, defaults.duration));
    run.sizes.push(next(0x200, defaults.size));
    const sampleFlags = next(0x400, index === 0 && first >= 0 ? first : defaults.flags);
    run.shifts.push(next(0x800, 0) | 0);
    // sample_is_non_sync_sample (8.8.3.1)
    run.keys.push(sampleFlags & 0x10000 ? 0 : 1);
  }
  return run;
}

/** Bytes in which the data behind a moof is looked for whose size cannot be. */
const unfitBytes = 1 << 20;

/** Reads the moof box at `offset` by the codes of its leaves, so that broken sizes of the boxes around them do no harm; null when it lists nothing. */
export function readFragment(
  source: Source,
  offset: number,
  defaults: ReadonlyMap<number, Defaults>,
  room: Room,
): Fragment | null {
  const head = boxAt(source, offset);
  if (head?.type !== 'moof' || room.bytes <= 0) return null;
  const fits = head.end <= source.size && head.end - offset <= moofLimit;
  const data = fits
    ? head.end
    : source.find(Buffer.from('mdat'), offset + 8, Math.min(source.size, offset + unfitBytes)) - 4;
  room.bytes -= data > offset ? data - offset : unfitBytes;
  if (data <= offset) return null;
  const bytes = source.copy(offset, data - offset);
  const content = data + (source.word(data) === 1 ? 16 : 8);
  const dataEnd = Math.min(boxAt(source, data)?.end ?? source.size, source.size);
  const place = { moof: offset, data: content, dataEnd, reached: content, isLast: false, isWrong: false };
  const runs = readRuns(bytes, place, defaults, room);
  if (runs.length === 0) return null;
  return {
    offset,
    end: data,
    number: numberOf(bytes),
    runs,
    dataEnd,
    isTorn: place.isWrong || !fits || !isFilled(bytes, head.body - offset),
  };
}

/** Whether the boxes of a moof fill it from a place on, and those of its track fragments them; one that is called otherwise holds a tfhd all the same. */
function isFilled(bytes: Buffer, from: number): boolean {
  const fragments = boxesIn(bytes, from, bytes.length);
  const isTrack = ({ type, body }: Box) => type === 'traf' || bytes.toString('latin1', body + 4, body + 8) === 'tfhd';
  const tracks = fragments.boxes.filter(isTrack);
  const inner = tracks.map(({ body, end }) => boxesIn(bytes, body, end));
  const isNamed = tracks.every(({ type }) => type === 'traf');
  return (
    isNamed && [fragments, ...inner].every(({ boxes, whole }) => whole && boxes.every(({ type }) => isBoxType(type)))
  );
}

/** sequence_number (8.8.5). */
function numberOf(bytes: Buffer): number {
  const at = bytes.indexOf('mfhd', 8, 'latin1');
  return at >= 0 && at + 12 <= bytes.length ? bytes.readUInt32BE(at + 8) : 0;
}

/** Leaves of a fragment by their codes, in the order in which they lie. */
function leavesOf(bytes: Buffer): { at: number; type: string }[] {
  const marks: { at: number; type: string }[] = [];
  for (const type of ['tfhd', 'tfdt', 'trun'])
    for (let at = bytes.indexOf(type, 8, 'latin1'); at >= 4; at = bytes.indexOf(type, at + 4, 'latin1'))
      marks.push({ at: at - 4, type });
  return marks.sort((left, right) => left.at - right.at);
}

/** The runs of a moof, whose media data begins at `place.data`. */
function readRuns(bytes: Buffer, place: Place, defaults: ReadonlyMap<number, Defaults>, room: Room): Run[] {
  const runs: Run[] = [];
  let header: Header | null = null;
  let headers = 0;
  let time = -1;
  const leaves = leavesOf(bytes);
  for (const { at, type } of leaves) {
    if (type === 'tfhd') {
      header = readHeader(bytes, at, place, headers++ === 0, { defaults, usual: room.usual });
      time = -1;
    } else if (type === 'tfdt' && at + 16 <= bytes.length) {
      const { isWide, isWrong } = isWideTime(bytes, at);
      place.isWrong ||= isWrong;
      time = isWide ? Number(bytes.readBigUInt64BE(at + 12)) : bytes.readUInt32BE(at + 12);
    } else if (type === 'trun' && header) {
      place.isLast = at === leaves.at(-1)?.at;
      const run = readRun(bytes, at, header, place, time, room);
      if (!run) continue;
      room.samples -= run.sizes.length;
      runs.push(run);
      place.reached = run.offset + run.sizes.reduce((sum, size) => sum + size, 0);
      time = -1;
    }
  }
  return runs;
}

/** Defaults of all tracks in an mvex box (8.8.1). */
export function readDefaults(mvex: Buffer | undefined): Map<number, Defaults> {
  const defaults = new Map<number, Defaults>();
  for (
    let at = mvex?.indexOf('trex', 0, 'latin1') ?? -1;
    mvex && at >= 0 && at + boxBytes.trexBehindSize <= mvex.length;
    at = mvex.indexOf('trex', at + 4, 'latin1')
  )
    defaults.set(mvex.readUInt32BE(at + 8), {
      entry: mvex.readUInt32BE(at + 12),
      duration: mvex.readUInt32BE(at + 16),
      size: mvex.readUInt32BE(at + 20),
      flags: mvex.readUInt32BE(at + 24),
    });
  return defaults;
}
