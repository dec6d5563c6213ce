import { decodeLzw } from '../../codecs/lzw/decode';
import { inflateZlib } from '../../core/deflate/whole';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { scheme } from './directory';
import { packingOf } from './segments';

/** A packed strip found in a file: where it begins and ends, in bytes, its content, and whether it ends as it should. */
export type FoundStrip = { at: number; end: number; packing: number; data: Buffer; sound: boolean };

const mostStrips = 20_000;
/** Bytes that a strip must hold: less may be a beginning found by chance inside a damaged one. And how many with less there are before no more are looked for. */
const least = { bytes: 64, strips: 4096 };

/** What was found before in a file, from a place on, where it is little enough to be held, in bytes. */
const found = new WeakMap<Buffer, Map<number, FoundStrip[]>>();
const mostHeld = 32 << 20;

/**
 * Finds packed strips one behind the other without any list of their places: LZW by the clear code at its beginning, Deflate by its
 * header, each proven by unpacking. Behind a damaged one the next beginning is looked for.
 */
export function scanStrips(job: EngineJob, bytes: Buffer, from: number): FoundStrip[] {
  const known = found.get(bytes)?.get(from);
  if (known) return known;
  const strips = scanFrom(job, bytes, from);
  if (strips.reduce((sum, { data }) => sum + data.length, 0) <= mostHeld)
    found.set(bytes, (found.get(bytes) ?? new Map<number, FoundStrip[]>()).set(from, strips));
  return strips;
}

function scanFrom(job: EngineJob, bytes: Buffer, from: number): FoundStrip[] {
  const strips: FoundStrip[] = [];
  let budget = Math.min(job.limits.pixels * 4, 160 << 20);
  let at = from;
  let small = 0;
  while (at + 8 < bytes.length && budget > 0 && strips.length < mostStrips && small < least.strips) {
    if ((at & 0xfff) === 0) job.deadline.check();
    const packing = maybe(bytes, at) ? packingOf(bytes, at) : null;
    if ((packing !== scheme.lzw && packing !== scheme.flate) || (strips[0] && strips[0].packing !== packing)) {
      at++;
      continue;
    }
    const strip = read(job, bytes, at, packing, budget);
    if (strip.data.length >= least.bytes) strips.push(strip);
    else small++;
    budget -= strip.data.length;
    at = Math.max(at + 1, strip.end);
  }
  return strips;
}

const maybe = (bytes: Buffer, at: number) => bytes[at] === 0x80 || ((bytes[at] ?? 0) & 15) === 8;

function read(job: EngineJob, bytes: Buffer, at: number, packing: number, budget: number): FoundStrip {
  if (packing === scheme.lzw) {
    const { data, end, ended } = decodeLzw(bytes, at, budget);
    return { at, end, packing, data, sound: ended };
  }
  const { data, consumed, complete } = inflateZlib(bytes.subarray(at), {
    clip: true,
    maxOutput: budget,
    deadline: job.deadline,
    readOn: false,
  });
  return { at, end: at + consumed + (complete ? 4 : 0), packing, data, sound: complete };
}
