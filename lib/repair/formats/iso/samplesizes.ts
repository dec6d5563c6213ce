import { differInOneBit } from '../../core/bits';
import { Buffer } from '../../host/bytes';
import type { Reading } from '../../video/session';
import type { FrameJudge } from '../../video/unreadable';
import { soundJudgeFor } from '../judges';
import type { Span } from './demux/demux';
import { firstBehind } from './demux/spans';
import { judgedSound } from './judged';
import type { Fragment } from './moof';
import type { Movie } from './movie';
import { looksRight } from './probes';
import { pcmBlock, readTables, sampleCount, type Track, tablesOf } from './track';

/** Samples of one track that lie one behind another from a place on: those of a chunk (ISO/IEC 14496-12, 8.7.5), or of a run (8.8.8). `sizes` may be set. */
type Row = { track: Track; sizes: Uint32Array | number[]; first: number; after: number; from: number };

/**
 * A row, and the bytes that its samples are longer than there is room up to the next row, or to the end of the data. `isAnchored`: it begins
 * where the data begins, or where the row before it ends, so that its place is right; `isLast`: no row begins behind it in the data.
 */
type Placed = { row: Row; over: number; isAnchored: boolean; isLast: boolean };

/** Share of the rows from which on it is the file that leaves room between them, or lays them over one another, rather than an entry that is wrong. */
const mostUnfit = 0.1;

/** How often the bytes of a file may be read for rows that do not fit: rows may be listed over each other. */
const mostReadings = 4;

function lengthOf({ sizes, first, after }: Row): number {
  let sum = 0;
  for (let index = first; index < after; index++) sum += sizes[index] ?? 0;
  return sum;
}

/** The rows that begin in one of the stretches of data, which are sorted, with what fits and does not. */
function placedRows(rows: readonly Row[], spans: readonly Span[]): Placed[] {
  const sorted = rows
    .filter(({ from, first, after }) => from >= 0 && after > first)
    .sort((left, right) => left.from - right.from);
  const placed: Placed[] = [];
  let end = -1;
  for (const [index, row] of sorted.entries()) {
    const span = spans[firstBehind(spans, row.from)];
    const isAnchored = row.from === end || row.from === span?.from;
    end = row.from + lengthOf(row);
    if (!span || span.from > row.from) continue;
    const next = sorted[index + 1]?.from ?? span.to;
    placed.push({ row, over: end - Math.min(next, span.to), isAnchored, isLast: next >= span.to });
  }
  return placed;
}

/** What tells whether samples are right, and what may still be read for it. */
class Judge {
  readonly #reading: Reading;
  readonly #sounds = new Map<Track, FrameJudge | null>();
  #left: number;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#left = reading.source.size * mostReadings;
  }

  get isSpent(): boolean {
    return this.#left <= 0 || this.#reading.job.deadline.effort.isSpent;
  }

  /** Whether a sample is one of its codec; `isExact`: its end is told by it, too. Null where nothing tells. */
  tell(track: Track, from: number, size: number): boolean | null {
    const { source } = this.#reading;
    if (from + size > source.size) return false;
    this.#left -= size;
    const looks = looksRight(source, track, from, size);
    return looks ?? this.#soundOf(track)?.isSound(source.copy(from, size)) ?? null;
  }

  /** Whether the bytes of a sample tell where it ends: chains of units do (14496-15, 4.3.2), and sound that is read to its last element. */
  isExact(track: Track): boolean {
    return track.lengthBytes > 0 || track.codec === 'av01' || this.#soundOf(track) !== null;
  }

  #soundOf(track: Track): FrameJudge | null {
    const known = this.#sounds.get(track);
    if (known !== undefined) return known;
    const sound = judgedSound(track);
    const judge = sound && soundJudgeFor(sound, this.#reading.job.deadline.effort);
    this.#sounds.set(track, judge);
    return judge;
  }
}

/** The first sample of a row from one on that is wrong where its sizes put it; `after` where none is. `other` is the size that one of them has instead. */
function firstWrong(judge: Judge, row: Row, from: number, other: { index: number; size: number } | null): number {
  let at = row.from;
  for (let index = row.first; index < row.after; index++) {
    const size = index === other?.index ? other.size : (row.sizes[index] ?? 0);
    if (index >= from && size > 0 && judge.tell(row.track, at, size) !== true) return index;
    at += size;
    if (judge.isSpent) return index;
  }
  return row.after;
}

/**
 * Which sample of a row has a wrong size: with the one that fills the row exactly, it and all behind it are right. Where the bytes of samples
 * tell only how these begin, one of them must begin wrong, as the place of the next row may be wrong as well. -1 where none does.
 */
function wrongIn(judge: Judge, { row, over }: Placed): number {
  const wrong = firstWrong(judge, row, row.first, null);
  const last = row.after - 1;
  if (wrong === row.after && !judge.isExact(row.track)) return -1;
  for (const index of new Set([Math.min(wrong, last), wrong - 1])) {
    const size = (row.sizes[index] ?? 0) - over;
    if (index < row.first || size <= 0) continue;
    if (firstWrong(judge, row, index, { index, size }) === row.after) return index;
  }
  return -1;
}

/** The only sample of a row that a single wrong bit made so much longer or shorter; -1 where several may be it, or none. */
function onlyByBit({ row: { sizes, first, after }, over }: Placed): number {
  let found = -1;
  for (let index = first; index < after; index++) {
    const size = sizes[index] ?? 0;
    if (size - over <= 0 || !differInOneBit(size, size - over)) continue;
    if (found >= 0) return -1;
    found = index;
  }
  return found;
}

/**
 * The size of all samples of a track whose table names only one (sample_size, 8.7.3), where another than that fills each row up to the last,
 * and rows of another number of samples, or how these end, bear it out; 0 where nothing does.
 */
function evenSize(judge: Judge, track: Track, placed: readonly Placed[]): number {
  const named = track.raw.get('stsz')?.readUInt32BE(12) ?? 0;
  const rows = placed.filter(({ row }) => row.track === track);
  const [first] = rows;
  if (named === 0 || track.block > 0 || !first || rows.length < 2 || rows.some(({ over }) => over === 0)) return 0;
  const countOf = ({ row }: Placed) => row.after - row.first;
  const sizeOf = (one: Placed) => named - one.over / countOf(one);
  const size = sizeOf(first);
  if (size <= 0 || !rows.slice(0, -1).every((one) => sizeOf(one) === size)) return 0;
  const isTold = judge.isExact(track)
    ? judge.tell(track, first.row.from, size) === true
    : rows.slice(0, -1).some((one) => countOf(one) !== countOf(first));
  return isTold && Number.isInteger(size) ? size : 0;
}

/**
 * Sets how many frames of PCM a chunk has, where it has room for those that the table of durations counts and that of sizes does not; whether
 * it did. A chunk counts as one sample there.
 */
function settleFrames({ row, over, isLast }: Placed): boolean {
  const { sizes, durations, block, raw } = row.track;
  const size = sizes[row.first] ?? 0;
  const bytes = sizes.reduce((sum, each) => sum + each, 0) - over;
  if (!isLast || size <= over || over % block !== 0 || bytes !== sampleCount(raw.get('stts')) * block) return false;
  sizes[row.first] = size - over;
  durations[row.first] = Math.round(((durations[row.first] ?? 0) * (size - over)) / size);
  return true;
}

/** Sets wrong sizes of samples right where those of a row must add up to what lies between it and the next one; how many were set. */
function settle(judge: Judge, placed: readonly Placed[]): number {
  const unfit = placed.filter(({ over }) => over !== 0);
  const isUsual = unfit.length === 1 || unfit.length <= placed.length * mostUnfit;
  let count = 0;
  for (const one of unfit) {
    if (judge.isSpent) break;
    const { row, over, isAnchored, isLast } = one;
    if (row.track.block > 0) {
      if (settleFrames(one)) count++;
      continue;
    }
    // Of a file that was cut the last samples are as long as its tables say.
    const isPlain = isUsual && isAnchored && !(isLast && over > 0);
    if (!isPlain && !judge.isExact(row.track)) continue;
    const told = wrongIn(judge, one);
    // What nothing else tells is believed where all other rows of the file fit.
    const index = told < 0 && isPlain && unfit.length === 1 && placed.length > 1 ? onlyByBit(one) : told;
    if (index < 0) continue;
    row.sizes[index] = (row.sizes[index] ?? 0) - over;
    count++;
  }
  return count;
}

/** Reads the tables of a track again with another size of all samples, as frames of PCM, which then have the one of their description, count by chunks. */
function resize(track: Track, size: number): void {
  const stsz = Buffer.from(track.raw.get('stsz') ?? []);
  stsz.writeUInt32BE(size, 12);
  track.raw.set('stsz', stsz);
  const block = pcmBlock(track.stsd);
  const read = readTables(tablesOf(track.raw), track.durations[0] ?? 0, size === block ? block : 0);
  if (read) Object.assign(track, read);
}

/** Lays the samples of each chunk of a track one behind another. */
function layChunks({ chunks, sizes, offsets }: Track): void {
  for (const [chunk, first] of chunks.entries()) {
    const after = (offsets[first] ?? -1) < 0 ? first : (chunks[chunk + 1] ?? sizes.length);
    for (let index = first + 1; index < after; index++)
      offsets[index] = (offsets[index - 1] ?? 0) + (sizes[index - 1] ?? 0);
  }
}

/** Chunks of tracks that lie in the file. */
function chunksOf(tracks: readonly Track[]): Row[] {
  return tracks.flatMap((track) =>
    Array.from(track.chunks, (first, index): Row => {
      const after = track.chunks[index + 1] ?? track.sizes.length;
      return { track, sizes: track.sizes, first, after, from: track.offsets[first] ?? -1 };
    }),
  );
}

/** Sets wrong sizes (8.7.3) of samples right by the places of their chunks, and lays those behind them in the chunk anew; how many were wrong. */
export function settleSizes(reading: Reading, all: readonly Track[], spans: readonly Span[]): number {
  const tracks = all.filter(({ inside }) => inside);
  const judge = new Judge(reading);
  let placed = placedRows(chunksOf(tracks), spans);
  let count = 0;
  for (const track of tracks) {
    const size = evenSize(judge, track, placed);
    if (size === 0) continue;
    resize(track, size);
    count++;
  }
  if (count > 0) placed = placedRows(chunksOf(tracks), spans);
  count += settle(judge, placed);
  if (count > 0) for (const track of tracks) layChunks(track);
  return count;
}

/** The same for the runs of fragments (8.8.8), whose samples fill the data behind them; tracks that the movie does not tell of stay as they are. */
export function settleRuns(reading: Reading, fragments: readonly Fragment[], { tracks, broken }: Movie): number {
  const byId = new Map([...tracks, ...broken].map((track) => [track.id, track]));
  const rows = fragments.flatMap(({ runs }) =>
    runs.flatMap(({ track: id, offset, sizes }): Row[] => {
      const track = byId.get(id);
      return track ? [{ track, sizes, first: 0, after: sizes.length, from: offset }] : [];
    }),
  );
  const spans = fragments
    .flatMap(({ runs, dataEnd }) =>
      runs[0] ? [{ from: Math.min(...runs.map(({ offset }) => offset)), to: dataEnd }] : [],
    )
    .sort((left, right) => left.from - right.from);
  return settle(new Judge(reading), placedRows(rows, spans));
}
