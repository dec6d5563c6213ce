import { isBoxType } from '../../core/boxes';
import { Buffer } from '../../host/bytes';
import { boxBytes } from './boxsizes';
import { mostLater } from './oddtimes';
import { sampleCount } from './track';

/** Leaves of a trak or moov box by their types, each with its own head. */
export type Leaves = ReadonlyMap<string, Buffer>;

/** Version and flags of a full box (ISO/IEC 14496-12, 4.2), as one word behind its head. */
const fullHead = 8;
/** Entry count of a table, behind version and flags, and where its entries begin. */
const [countAt, entriesAt] = [12, 16];

/** Whether version and flags are such as the box has them: `versions` from 0 on, and `flags` at most. */
function isFull(leaf: Buffer, versions: number, flags: number): boolean {
  if (leaf.length < entriesAt) return false;
  const word = leaf.readUInt32BE(fullHead);
  return word >>> 24 < versions && (word & 0xffffff) <= flags;
}

/** Entries of a table, where all of them lie in its box and it has some, or is as short as one without; null for others. */
function entriesOf(leaf: Buffer, width: number): number | null {
  const count = leaf.readUInt32BE(countAt);
  if (entriesAt + count * width > leaf.length) return null;
  return count > 0 || leaf.length < entriesAt + width ? count : null;
}

/** A field of 32 bits at its places in versions 0 and 1. */
const field = (leaf: Buffer, narrow: number, wide: number) => {
  const at = leaf[fullHead] === 1 ? wide : narrow;
  return at + 4 <= leaf.length ? leaf.readUInt32BE(at) : 0;
};

/** Duration of the media in its own ticks (8.4.2); 0 where it is not told. */
function mediaTicks(leaves: Leaves): number {
  const head = leaves.get('mdhd');
  if (!head || head.length < boxBytes.mdhd) return 0;
  const told =
    head[fullHead] === 1 && head.length >= boxBytes.mdhdWide ? Number(head.readBigUInt64BE(32)) : head.readUInt32BE(24);
  return told >= 0xffffffff ? 0 : told;
}

/** Sample descriptions that a track has at most (8.5.2). */
const descriptions = (leaves: Leaves) => Math.max(1, leaves.get('stsd')?.readUInt32BE(countAt) ?? 1);

/** Samples of which the tables of sizes and of durations tell alike (8.6.1.2, 8.7.3); null where they do not. */
function samples(leaves: Leaves): number | null {
  const [sizes, times] = [leaves.get('stsz') ?? leaves.get('stz2'), leaves.get('stts')];
  if (!sizes || sizes.length < boxBytes.stsz || !times) return null;
  const count = sizes.readUInt32BE(16);
  return sampleCount(times) === count ? count : null;
}

/**
 * How much longer or shorter than its head says the samples of a track may last, how far two heads may be apart, and samples of which the
 * first says little: the last one may count or not.
 */
const apart = { ticks: 2, seconds: 0.1, samples: 2 };

/** 8.6.1.2: runs of durations, which last about as long as the heads of the media and of the track say, where these agree. */
function isTimes(leaf: Buffer, leaves: Leaves, movieScale: number): boolean {
  const entries = isFull(leaf, 1, 0) ? entriesOf(leaf, 8) : null;
  if (entries === null) return false;
  const told = mediaTicks(leaves);
  const [media, track] = [leaves.get('mdhd'), leaves.get('tkhd')];
  if (told === 0 || entries === 0 || !media || !track || movieScale === 0) return true;
  const seconds = told / Math.max(1, field(media, 20, 28));
  if (Math.abs(seconds - field(track, 28, 40) / movieScale) > seconds * apart.seconds) return true;
  const count = sampleCount(leaf);
  if (count > 0 && count <= apart.samples) return true;
  let ticks = 0;
  for (let entry = 0; entry < entries; entry++)
    ticks += leaf.readUInt32BE(entriesAt + entry * 8) * leaf.readUInt32BE(entriesAt + 4 + entry * 8);
  return ticks < told * apart.ticks && ticks * apart.ticks > told;
}

/** The longest duration of a table of them, in ticks. */
function longest(times: Buffer | undefined): number {
  let most = 0;
  for (let entry = 0, all = (times && entriesOf(times, 8)) ?? 0; times && entry < all; entry++)
    most = Math.max(most, times.readUInt32BE(entriesAt + 4 + entry * 8));
  return most;
}

/** 8.6.1.3: runs of what pictures are shown later than they are decoded, no more than the whole media lasts, or some pictures do: the rest may lie in fragments. */
function isShifts(leaf: Buffer, leaves: Leaves): boolean {
  const entries = isFull(leaf, 2, 0) ? entriesOf(leaf, 8) : null;
  if (entries === null) return false;
  const all = samples(leaves);
  const most = Math.max(mediaTicks(leaves) || Number.POSITIVE_INFINITY, longest(leaves.get('stts')) * mostLater);
  for (let entry = 0; entry < entries; entry++)
    if (Math.abs(leaf.readInt32BE(entriesAt + 4 + entry * 8)) > most) return false;
  return all === null || sampleCount(leaf) === all;
}

/** 8.6.2: numbers of samples that rise. */
function isKeys(leaf: Buffer, leaves: Leaves): boolean {
  const entries = isFull(leaf, 1, 0) ? entriesOf(leaf, 4) : null;
  if (entries === null) return false;
  let last = 0;
  for (let entry = 0; entry < entries; entry++) {
    const key = leaf.readUInt32BE(entriesAt + entry * 4);
    if (key <= last) return false;
    last = key;
  }
  return last <= (samples(leaves) ?? last);
}

/** Whether runs of chunks hold as many samples as a track has, the last chunk as few as it likes. */
function holdsAll(leaf: Buffer, entries: number, leaves: Leaves): boolean {
  const all = samples(leaves);
  const places = leaves.get('co64') ?? leaves.get('stco');
  if (all === null || !places || places.length < entriesAt || entries === 0) return true;
  const chunks = places.readUInt32BE(countAt);
  let sum = 0;
  let last = 0;
  for (let entry = 0; entry < entries; entry++) {
    const at = entriesAt + entry * 12;
    const next = entry + 1 < entries ? leaf.readUInt32BE(at + 12) - 1 : chunks;
    last = leaf.readUInt32BE(at + 4);
    sum += last * (next + 1 - leaf.readUInt32BE(at));
  }
  return sum >= all && sum - last < all;
}

/** 8.7.4: runs of chunks from the first on, each with samples and a description that there is, which hold all samples. */
function isChunks(leaf: Buffer, leaves: Leaves): boolean {
  const entries = isFull(leaf, 1, 0) ? entriesOf(leaf, 12) : null;
  if (entries === null) return false;
  let last = 0;
  for (let entry = 0; entry < entries; entry++) {
    const at = entriesAt + entry * 12;
    const [first, count, description] = [leaf.readUInt32BE(at), leaf.readUInt32BE(at + 4), leaf.readUInt32BE(at + 8)];
    if (entry === 0 ? first !== 1 : first <= last) return false;
    if (count === 0 || description === 0 || description > descriptions(leaves)) return false;
    last = first;
  }
  return holdsAll(leaf, entries, leaves);
}

/** 8.6.6: edits that begin inside of the media, or are empty. */
function isEdits(leaf: Buffer, leaves: Leaves): boolean {
  if (!isFull(leaf, 2, 0)) return false;
  const width = leaf[fullHead] === 1 ? 20 : 12;
  const entries = entriesOf(leaf, width);
  if (entries === null) return false;
  const most = mediaTicks(leaves) || Number.POSITIVE_INFINITY;
  for (let entry = 0; entry < entries; entry++) {
    const at = entriesAt + entry * width;
    const time = width === 20 ? Number(leaf.readBigInt64BE(at + 8)) : leaf.readInt32BE(at + 4);
    if (time < -1 || time > most) return false;
  }
  return true;
}

/** 8.7.2: entries that are boxes. */
function isReferences(leaf: Buffer): boolean {
  if (!isFull(leaf, 1, 0)) return false;
  let at = entriesAt;
  for (let left = leaf.readUInt32BE(countAt); left > 0; left--) {
    if (at + 12 > leaf.length) return false;
    const size = leaf.readUInt32BE(at);
    const type = leaf.toString('latin1', at + 4, at + 8);
    if (size < 12 || at + size > leaf.length || !isBoxType(type)) return false;
    at += size;
  }
  return at > entriesAt;
}

/** The data references of a dinf box, or of a track whose leaves were found by their codes. */
const isData = (leaf: Buffer) => leaf.length < boxBytes.dref || isReferences(leaf.subarray(8));

/** Flags of a track header (8.3.2): enabled, in the movie, in its preview, and whether its size is a ratio. */
const trackFlags = 15;

/** 8.2.2, 8.3.2 and 8.4.2: ticks a second, or a number of the track, and the version of the times before them. */
const isMovieHead = (leaf: Buffer) => isFull(leaf, 2, 0) && field(leaf, 20, 28) > 0;
const isTrackHead = (leaf: Buffer) => isFull(leaf, 2, trackFlags) && field(leaf, 20, 28) > 0;
const isMediaHead = (leaf: Buffer) => isFull(leaf, 2, 0) && field(leaf, 20, 28) > 0;

/** Tables whose entries are places or sizes: what stands before the first of them, and the bytes of each (8.7.3, 8.7.5). */
const listed: Readonly<Record<string, { head: number; width: number }>> = {
  stsz: { head: 20, width: 4 },
  stco: { head: 16, width: 4 },
  co64: { head: 16, width: 8 },
};

/** Bytes of a sample entry at least (8.5.2). */
const leastEntry = 16;

const withWord = (leaf: Buffer, at: number, word: number): Buffer => {
  const copy = Buffer.from(leaf);
  copy.writeUInt32BE(word, at);
  return copy;
};

/** A leaf whose number of entries, or size of its only one, cannot be, with that which its own size leaves; null for others. */
function settled(type: string, leaf: Buffer): Buffer | null {
  if (type === 'stsd' && leaf.length >= boxBytes.stsdCodec && leaf.readUInt32BE(countAt) === 1) {
    const [size, room] = [leaf.readUInt32BE(entriesAt), leaf.length - entriesAt];
    return size < leastEntry || size > room ? withWord(leaf, entriesAt, room) : null;
  }
  const table = listed[type];
  if (!table || leaf.length < table.head) return null;
  const { head, width } = table;
  const [count, room] = [leaf.readUInt32BE(head - 4), Math.floor((leaf.length - head) / width)];
  const isEven = type === 'stsz' && leaf.readUInt32BE(countAt) > 0;
  return count > room && !isEven ? withWord(leaf, head - 4, room) : null;
}

/** Bytes of an entry of the tables of runs. */
const widths: Readonly<Record<string, number>> = { stts: 8, ctts: 8, stss: 4, stsc: 12 };

/** A table with the version or the number of entries that its size proves, where it can be what it is called with them; null for others. */
function setRight(type: string, leaf: Buffer, fits: (leaf: Buffer) => boolean): Buffer | null {
  const width = widths[type];
  const room = width ? (leaf.length - entriesAt) / width : 0;
  if (room < 1 || !Number.isInteger(room)) return null;
  const counted = withWord(leaf, countAt, room);
  return [counted, withWord(leaf, fullHead, 0), withWord(counted, fullHead, 0)].find(fits) ?? null;
}

type Check = (leaf: Buffer, leaves: Leaves, movieScale: number) => boolean;
const checks: Readonly<Record<string, Check>> = {
  ...{ mvhd: isMovieHead, tkhd: isTrackHead, mdhd: isMediaHead, elst: isEdits, dref: isReferences, dinf: isData },
  ...{ stts: isTimes, ctts: isShifts, stss: isKeys, stsc: isChunks },
  edts: (leaf, leaves) => leaf.length < boxBytes.elst || isEdits(leaf.subarray(8), leaves),
};

/**
 * The leaves that can be what their types say, and the types of the others: counts that fit their boxes, numbers that rise, a version that
 * there is. What cannot be is worth less than nothing to a reader, which opens no track that has it: it counts as gone, unless its own size
 * proves what it should be (`isMended`). `movieScale` is the ticks a second of the movie (8.2.2); 0 where they are not known.
 * `areSized`: the boxes lead to the leaves and behind them, so that their sizes are a proof.
 */
export function soundLeaves(
  leaves: Leaves,
  movieScale: number,
  areSized = true,
): { sound: Map<string, Buffer>; gone: string[]; isMended: boolean } {
  const sound = new Map(leaves);
  const gone: string[] = [];
  let isMended = false;
  const replace = (type: string, leaf: Buffer) => {
    sound.set(type, leaf);
    isMended = true;
  };
  for (const [type, leaf] of leaves) {
    const other = areSized || type === 'stsd' ? settled(type, leaf) : null;
    if (other) replace(type, other);
  }
  // What others are held against comes first.
  for (const type of new Set(['mdhd', 'tkhd', 'stts', ...leaves.keys()])) {
    const leaf = sound.get(type);
    const fits = (one: Buffer) => checks[type]?.(one, sound, movieScale) !== false;
    if (!leaf || fits(leaf)) continue;
    const right = areSized ? setRight(type, leaf, fits) : null;
    if (right) {
      replace(type, right);
      continue;
    }
    sound.delete(type);
    gone.push(type);
  }
  return { sound, gone, isMended };
}
