import { decodeLzw, type LzwResult } from '../../codecs/lzw/decode';
import type { Salvage } from '../../core/deflate/inflate';
import { inflateStrict, inflateZlib, zlibHeaderLength } from '../../core/deflate/whole';
import { adler32 } from '../../core/sums';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';

/** What strips gave before, by the places of their data: every reading of a page asks for the same ones. */
type Memory = { results: Map<string, { source: Buffer; result: unknown }>; bytes: number };

const memories = new WeakMap<EngineJob['deadline'], Memory>();

/** Unpacked bytes that are held, with what each entry takes itself; beyond that all is forgotten. */
const mostHeld = 64 << 20;
const entryBytes = 256;
/** The most that one strip is unpacked to when its own length is asked for. */
const longestStrip = 64 << 20;

function memoryOf({ deadline }: EngineJob): Memory {
  const memory = memories.get(deadline) ?? { results: new Map(), bytes: 0 };
  memories.set(deadline, memory);
  return memory;
}

const placeOf = (kind: string, source: Buffer) => `${kind}:${source.byteOffset}:${source.length}`;

function recall<T>(job: EngineJob, key: string, source: Buffer): T | undefined {
  const known = memoryOf(job).results.get(key);
  // The same place of a changed copy of the file may hold other bytes.
  return known?.source.equals(source) ? (known.result as T) : undefined;
}

function remember<T>(job: EngineJob, key: string, source: Buffer, result: T, bytes: number): T {
  const memory = memoryOf(job);
  if (memory.bytes + bytes + entryBytes > mostHeld) {
    memory.results.clear();
    memory.bytes = 0;
  }
  memory.results.set(key, { source, result });
  memory.bytes += bytes + entryBytes;
  return result;
}

/** What `work` makes of a strip, once for every `kind` of reading. */
export async function once<T extends { data: Buffer }>(
  job: EngineJob,
  kind: string,
  source: Buffer,
  work: () => Promise<T>,
): Promise<T> {
  const key = placeOf(kind, source);
  const known = recall<T>(job, key, source);
  if (known) return known;
  const result = await work();
  return remember(job, key, source, result, result.data.length);
}

/** An LZW strip as `decodeLzw` gives it, of which more or less may have been asked for before. */
export function lzwOf(job: EngineJob, source: Buffer, most: number): Pick<LzwResult, 'data' | 'ended' | 'spoilt'> {
  const key = placeOf('lzw', source);
  const known = recall<{ most: number; strip: LzwResult }>(job, key, source);
  if (known) {
    const { data, ended, spoilt } = known.strip;
    if (ended && data.length < most) return known.strip;
    // The end code behind what was asked for is not read.
    if (most <= known.most) return { data: data.subarray(0, most), ended: false, spoilt: spoilt < most ? spoilt : -1 };
  }
  const strip = decodeLzw(source, 0, most);
  remember(job, key, source, { most, strip }, strip.data.length);
  return strip;
}

/** All that a zlib stream holds, when it comes to its end and its check sum fits; null otherwise. */
export function flateOf(job: EngineJob, source: Buffer): Buffer | null {
  const key = placeOf('flate', source);
  const known = recall<{ data: Buffer | null }>(job, key, source);
  if (known) return known.data;
  const data = unpackFlate(source);
  remember(job, key, source, { data }, data?.length ?? 0);
  return data;
}

/** What a damaged zlib stream gives, up to so many bytes. */
export function salvageOf(job: EngineJob, source: Buffer, most: number): Salvage {
  const key = placeOf(`salvage ${most}`, source);
  const known = recall<Salvage>(job, key, source);
  if (known) return known;
  const { deadline } = job;
  const salvage = inflateZlib(source, { maxOutput: most, deadline, filler: 0, clip: true });
  return remember(job, key, source, salvage, salvage.data.length);
}

function unpackFlate(source: Buffer): Buffer | null {
  const header = zlibHeaderLength(source);
  if (header === 0) return null;
  try {
    const whole = inflateStrict(source.subarray(header), longestStrip);
    if (!whole) return null;
    const at = header + whole.consumed;
    return at + 4 <= source.length && source.readUInt32BE(at) === adler32(whole.data) ? whole.data : null;
  } catch {
    return null;
  }
}
