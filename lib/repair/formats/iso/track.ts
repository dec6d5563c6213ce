import type { Buffer } from '../../host/bytes';
import { boxBytes } from './boxsizes';
/** One track as its tables tell it (ISO/IEC 14496-12, 8). Raw boxes are kept whole, with their headers. */
export type Track = {
  id: number;
  kind: string;
  /** Sample entry's four-character code: avc1, hvc1, mp4a. */
  codec: string;
  timescale: number;
  /** Bytes of a NAL length field, from avcC or hvcC; 0 for other codecs. */
  lengthBytes: number;
  /** False when the data lies in another file. */
  inside: boolean;
  raw: Map<string, Buffer>;
  stsd: Buffer;
  sizes: Uint32Array;
  /** Absolute offsets of samples in the file, in bytes; -1 when unknown. */
  offsets: Float64Array;
  durations: Uint32Array;
  compositions: Int32Array | null;
  keys: Uint8Array | null;
  /** Index of the sample entry of each sample, from 1; null when all are 1. */
  entries: Uint8Array | null;
  /** First sample of each chunk, in order. */
  chunks: Uint32Array;
  /**
   * Bytes of one frame of PCM, whose chunks count as one sample each: a table of millions of equal frames would fill the memory.
   * 0 for every other codec. `unit` is what the size table calls one frame, which old QuickTime files set to 1.
   */
  block: number;
  unit: number;
  /** Whether the tables agreed with one another. */
  agreed: boolean;
};

export type Tables = {
  stts?: Buffer;
  ctts?: Buffer;
  stss?: Buffer;
  stsc?: Buffer;
  stsz?: Buffer;
  stz2?: Buffer;
  stco?: Buffer;
  co64?: Buffer;
};

/** The tables of samples, by their codes. */
export const tableNames = ['stts', 'ctts', 'stss', 'stsc', 'stsz', 'stz2', 'stco', 'co64'] as const;

/** The tables of samples among the leaves of a track. */
export function tablesOf(leaves: ReadonlyMap<string, Buffer>): Tables {
  const tables: Tables = {};
  for (const name of tableNames) {
    const table = leaves.get(name);
    if (table) tables[name] = table;
  }
  return tables;
}

/** Samples of one track at most that are believed: ten days of AAC. More would fill the memory. */
export const mostSamples = 20_000_000;

/** Entry count of a full box at byte 12, limited to what the box can hold. */
function entryCount(table: Buffer | undefined, width: number): number {
  if (!table || table.length < 16) return 0;
  return Math.min(table.readUInt32BE(12), Math.floor((table.length - 16) / width));
}

function readSizes(tables: Tables): Uint32Array | null {
  const { stsz, stz2 } = tables;
  if (stsz && stsz.length >= 20) {
    const fixed = stsz.readUInt32BE(12);
    const count = stsz.readUInt32BE(16);
    if (fixed > 0) return count <= mostSamples ? new Uint32Array(count).fill(fixed) : null;
    const have = Math.min(count, Math.floor((stsz.length - 20) / 4));
    return Uint32Array.from({ length: have }, (_, index) => stsz.readUInt32BE(20 + index * 4));
  }
  if (stz2 && stz2.length >= 20) {
    const bits = stz2[15] ?? 0;
    const count = Math.min(stz2.readUInt32BE(16), Math.floor(((stz2.length - 20) * 8) / Math.max(4, bits)));
    return Uint32Array.from({ length: count }, (_, index) =>
      bits === 16
        ? stz2.readUInt16BE(20 + index * 2)
        : bits === 8
          ? (stz2[20 + index] ?? 0)
          : ((stz2[20 + (index >> 1)] ?? 0) >> (index & 1 ? 0 : 4)) & 15,
    );
  }
  return null;
}

/** Samples that a table of runs covers. */
export function sampleCount(table: Buffer | undefined): number {
  let sum = 0;
  for (let entry = 0; entry < entryCount(table, 8) && table; entry++) sum += table.readUInt32BE(16 + entry * 8);
  return sum;
}

/** Spreads run-length pairs of a table over the samples; what the table does not cover repeats the last value. */
function spread(table: Buffer | undefined, samples: number): { values: Int32Array; covered: number } {
  const values = new Int32Array(samples);
  let at = 0;
  let last = 0;
  let covered = 0;
  for (let entry = 0; entry < entryCount(table, 8) && table; entry++) {
    const run = table.readUInt32BE(16 + entry * 8);
    last = table.readInt32BE(20 + entry * 8);
    covered += run;
    const end = Math.min(samples, at + run);
    values.fill(last, at, end);
    at = end;
  }
  values.fill(last, at);
  return { values, covered };
}

type TableValues = Pick<
  Track,
  'sizes' | 'offsets' | 'durations' | 'compositions' | 'keys' | 'entries' | 'chunks' | 'agreed' | 'block' | 'unit'
>;

/** Chunks of one track of PCM at most that are believed. */
export const mostChunks = 4_000_000;

/** Places of chunks, in bytes (8.7.5): of how many they are known, and each by its number from 0 on; -1 where the table does not tell. */
export function chunkPlaces({ co64, stco }: Tables): { known: number; of: (chunk: number) => number } {
  const table = co64 ?? stco;
  const known = entryCount(table, co64 ? 8 : 4);
  const of = (chunk: number) => {
    if (!table || chunk >= known) return -1;
    return co64 ? Number(table.readBigUInt64BE(16 + chunk * 8)) : table.readUInt32BE(16 + chunk * 4);
  };
  return { known, of };
}

/** Gives the duration of the next so many samples, again and again, along a table of runs. */
function frameClock(table: Buffer | undefined): (frames: number) => number {
  const runs = entryCount(table, 8);
  let run = 0;
  let left = table && runs > 0 ? table.readUInt32BE(16) : 0;
  return (frames) => {
    let sum = 0;
    for (let rest = frames; rest > 0; ) {
      const part = run + 1 < runs ? Math.min(rest, left) : rest;
      sum += part * (table && runs > 0 ? table.readUInt32BE(20 + run * 8) : 1);
      rest -= part;
      left -= part;
      if (left <= 0 && run + 1 < runs && table) left = table.readUInt32BE(16 + ++run * 8);
    }
    return sum;
  };
}

/** PCM: every chunk is one sample of many frames. Null when its frames do not follow one another evenly. */
function readChunks(tables: Tables, block: number): TableValues | null {
  const { stsz, stsc, stts } = tables;
  const unit = stsz && stsz.length >= 20 ? stsz.readUInt32BE(12) : 0;
  const runs = entryCount(stsc, 12);
  if (!stsz || !stsc || unit === 0 || (unit !== block && unit !== 1) || runs === 0) return null;
  const all = stsz.readUInt32BE(16);
  const clock = frameClock(stts);
  const places = chunkPlaces(tables);
  const count = Math.min(mostChunks, Math.max(entryCount(tables.co64, 8), entryCount(tables.stco, 4)));
  const sizes: number[] = [];
  const entries: number[] = [];
  let left = all;
  let run = 0;
  for (let chunk = 0; chunk < count && left > 0; chunk++) {
    while (run + 1 < runs && stsc.readUInt32BE(16 + (run + 1) * 12) <= chunk + 1) run++;
    const frames = Math.min(left, stsc.readUInt32BE(20 + run * 12));
    const entry = stsc.readUInt32BE(24 + run * 12);
    sizes.push(frames * block);
    entries.push(entry > 0 && entry < 256 ? entry : 1);
    left -= frames;
  }
  return {
    sizes: Uint32Array.from(sizes),
    offsets: Float64Array.from(sizes, (_, chunk) => places.of(chunk)),
    durations: Uint32Array.from(sizes, (size) => clock(size / block)),
    compositions: null,
    keys: null,
    entries: entries.every((entry) => entry === 1) ? null : Uint8Array.from(entries),
    chunks: Uint32Array.from(sizes, (_, index) => index),
    agreed: left === 0 && sizes.length === count && sampleCount(stts) === all,
    block,
    unit,
  };
}

/**
 * Reads the leaf tables of one track into one value per sample; null when sizes are missing, which nothing else can replace. `block`
 * is the bytes of one frame for PCM, otherwise 0.
 */
export function readTables(tables: Tables, fallbackStep: number, block: number): TableValues | null {
  const chunked = block > 0 && !tables.ctts ? readChunks(tables, block) : null;
  if (chunked) return chunked;
  const sizes = readSizes(tables);
  if (!sizes || sizes.length > mostSamples) return null;
  const count = sizes.length;
  const times = spread(tables.stts, count);
  const { keys, isInside } = readKeys(tables.stss, count);
  const placed = placeSamples(tables, sizes);
  return {
    sizes,
    offsets: placed.offsets,
    durations: tables.stts ? Uint32Array.from(times.values) : new Uint32Array(count).fill(fallbackStep),
    compositions: tables.ctts ? spread(tables.ctts, count).values : null,
    keys,
    entries: placed.entries.every((entry) => entry === 1) ? null : placed.entries,
    chunks: placed.chunks,
    agreed: tables.stts !== undefined && times.covered === count && isInside && placed.agreed,
    block: 0,
    unit: 0,
  };
}

/** Sync samples (8.6.2), null where all are; whether the table names only samples that there are. */
function readKeys(stss: Buffer | undefined, count: number): { keys: Uint8Array | null; isInside: boolean } {
  if (!stss) return { keys: null, isInside: true };
  const keys = new Uint8Array(count);
  let isInside = true;
  for (let entry = 0; entry < entryCount(stss, 4); entry++) {
    const key = stss.readUInt32BE(16 + entry * 4);
    if (key >= 1 && key <= count) keys[key - 1] = 1;
    else isInside = false;
  }
  return { keys, isInside };
}

/** Largest sample_description_index that is believed. */
const mostEntries = 255;

/** The runs of a sample-to-chunk table (8.7.4): samples and description of each chunk, asked in order. One sample a chunk where it is gone. */
class ChunkRuns {
  readonly count: number;
  readonly #stsc: Buffer | undefined;
  #run = 0;

  constructor(stsc: Buffer | undefined) {
    this.#stsc = stsc;
    this.count = entryCount(stsc, 12);
  }

  /** `chunk` counts from 0. */
  of(chunk: number): { samples: number; entry: number } {
    const stsc = this.#stsc;
    if (!stsc || this.count === 0) return { samples: 1, entry: 1 };
    while (this.#run + 1 < this.count && stsc.readUInt32BE(16 + (this.#run + 1) * 12) <= chunk + 1) this.#run++;
    const entry = stsc.readUInt32BE(24 + this.#run * 12);
    return {
      samples: Math.max(1, stsc.readUInt32BE(20 + this.#run * 12)),
      entry: entry > 0 && entry <= mostEntries ? entry : 1,
    };
  }
}

type Placed = { offsets: Float64Array; entries: Uint8Array; chunks: Uint32Array; agreed: boolean };

/** Lays samples into their chunks, one behind another (8.7.4, 8.7.5). */
function placeSamples(tables: Tables, sizes: Uint32Array): Placed {
  const count = sizes.length;
  const places = chunkPlaces(tables);
  const runs = new ChunkRuns(tables.stsc);
  const most = Math.max(places.known, runs.count > 0 ? count : 0);
  const offsets = new Float64Array(count).fill(-1);
  const entries = new Uint8Array(count).fill(1);
  const chunks: number[] = [];
  let sample = 0;
  for (let chunk = 0; sample < count && chunk < most; chunk++) {
    const { samples, entry } = runs.of(chunk);
    let at = places.of(chunk);
    chunks.push(sample);
    for (const end = Math.min(count, sample + samples); sample < end; sample++) {
      offsets[sample] = at;
      entries[sample] = entry;
      if (at >= 0) at += sizes[sample] ?? 0;
    }
  }
  const agreed = sample === count && (count === 0 || runs.count > 0) && chunks.length === places.known;
  return { offsets, entries, chunks: Uint32Array.from(chunks), agreed };
}

const pcm = /^(sowt|twos|raw |lpcm|in24|in32|fl32|fl64|alaw|ulaw|NONE|ipcm|fpcm)$/;

/** Bytes of one frame of PCM by its sample description (QuickTime File Format, sound sample descriptions, versions 0 to 2); 0 for other codecs. */
export function pcmBlock(stsd: Buffer): number {
  const codec = stsd.toString('latin1', 20, 24);
  if (!pcm.test(codec) || stsd.length < boxBytes.stsdRate) return 0;
  const version = stsd.readUInt16BE(32);
  const told =
    version === 1 && stsd.length >= boxBytes.stsdFrame
      ? stsd.readUInt32BE(60)
      : version === 2 && stsd.length >= boxBytes.stsdPacket
        ? stsd.readUInt32BE(80)
        : stsd.readUInt16BE(40) * (/^.law$/.test(codec) ? 1 : Math.ceil(stsd.readUInt16BE(42) / 8));
  return told > 0 && told <= 256 ? told : 0;
}
