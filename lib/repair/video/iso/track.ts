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

const mostSamples = 20_000_000;

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

/** Reads the leaf tables of one track into one value per sample; null when sizes are missing, which nothing else can replace. */
export function readTables(
  tables: Tables,
  fallbackStep: number,
): Pick<Track, 'sizes' | 'offsets' | 'durations' | 'compositions' | 'keys' | 'entries' | 'chunks' | 'agreed'> | null {
  const sizes = readSizes(tables);
  if (!sizes || sizes.length > mostSamples) return null;
  const count = sizes.length;
  const times = spread(tables.stts, count);
  let agreed = times.covered === count && tables.stts !== undefined;
  const durations = tables.stts ? Uint32Array.from(times.values) : new Uint32Array(count).fill(fallbackStep);
  const compositions = tables.ctts ? spread(tables.ctts, count).values : null;
  let keys: Uint8Array | null = null;
  if (tables.stss) {
    keys = new Uint8Array(count);
    for (let entry = 0; entry < entryCount(tables.stss, 4); entry++) {
      const key = tables.stss.readUInt32BE(16 + entry * 4);
      if (key >= 1 && key <= count) keys[key - 1] = 1;
      else agreed = false;
    }
  }
  const wide = tables.co64 !== undefined;
  const table = tables.co64 ?? tables.stco;
  const chunkCount = entryCount(table, wide ? 8 : 4);
  const runs = entryCount(tables.stsc, 12);
  const offsets = new Float64Array(count).fill(-1);
  const entries = new Uint8Array(count).fill(1);
  const chunks: number[] = [];
  let sample = 0;
  let run = 0;
  const perChunk = (index: number) => (runs > 0 && tables.stsc ? tables.stsc.readUInt32BE(20 + index * 12) : 1);
  const lastKnown = runs > 0 ? Number.MAX_SAFE_INTEGER : 0;
  for (let chunk = 0; sample < count && chunk < Math.max(chunkCount, Math.min(lastKnown, count)); chunk++) {
    while (run + 1 < runs && tables.stsc && tables.stsc.readUInt32BE(16 + (run + 1) * 12) <= chunk + 1) run++;
    let at = -1;
    if (table && chunk < chunkCount)
      at = wide ? Number(table.readBigUInt64BE(16 + chunk * 8)) : table.readUInt32BE(16 + chunk * 4);
    else agreed = false;
    const entry = runs > 0 && tables.stsc ? tables.stsc.readUInt32BE(24 + run * 12) : 1;
    chunks.push(sample);
    for (let step = Math.max(1, perChunk(run)); step > 0 && sample < count; step--) {
      offsets[sample] = at;
      entries[sample] = entry > 0 && entry < 256 ? entry : 1;
      if (at >= 0) at += sizes[sample] ?? 0;
      sample++;
    }
  }
  if (sample < count || (count > 0 && runs === 0) || chunks.length < chunkCount) agreed = false;
  const single = entries.every((entry) => entry === 1);
  return {
    sizes,
    offsets,
    durations,
    compositions,
    keys,
    entries: single ? null : entries,
    chunks: Uint32Array.from(chunks),
    agreed,
  };
}
