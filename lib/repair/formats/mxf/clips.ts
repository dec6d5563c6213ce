import type { Source } from '../../video/source';
import { tag } from './description';
import { isSound, type Klv } from './klv';
import { localSet, valueAt } from './sets';

/** Sets that describe sound: generic, wave, AES3 (SMPTE 377-1, F; 382M). */
const soundSets = /^060e2b34025301010d010101010142|^060e2b34025301010d01010101014[78]/;

/** The bytes of one sample of all channels, by the description of sound; null where none tells. */
export function sampleBytes({ source, klvs }: { source: Source; klvs: readonly Klv[] }): number | null {
  for (const klv of klvs) {
    if (!soundSets.test(klv.key)) continue;
    const align = valueAt(localSet(source, klv), tag.align);
    if (align && align.length >= 2) return align.readUInt16BE(0) || null;
  }
  return null;
}

/** Bytes of sound that are judged at once, and how many such stretches in a row must tell the same. */
const stretch = 4096;
const inRow = 3;
/** How much smoother sound is that is read from where its samples begin. */
const smoother = 0.5;

/** From where on samples begin elsewhere, and how many bytes are left out there so that they begin as before. */
export type Jolt = { at: number; drop: number };

/**
 * Where bytes were lost or added inside a track of samples that is one packet: as many as tell it longer or shorter than it states, from the
 * place on where samples are smooth only when they begin so many bytes further on. Null where whole samples were, or where no place tells.
 */
export function joltOf(source: Source, klv: Klv, align: number): Jolt | null {
  const { body, end, stated } = klv;
  if (stated === undefined || !isSound(klv) || align < 2) return null;
  const drop = (((end - body - stated) % align) + align) % align;
  if (drop === 0) return null;
  let found = 0;
  const step = Math.floor(stretch / align) * align;
  for (let at = body; at + step + align <= end; at += step) {
    const bytes = source.copy(at, step + align);
    found = roughness(bytes, drop, align) < roughness(bytes, 0, align) * smoother ? found + 1 : 0;
    if (found === inRow) return { at: at - (inRow - 1) * step, drop };
  }
  return null;
}

/** The mean step from one sample to the next of the same channel, by the upper byte, which PCM has last; from `from` on. */
function roughness(bytes: Uint8Array, from: number, align: number): number {
  let sum = 0;
  let count = 0;
  const high = (at: number) => ((bytes[at + align - 1] ?? 0) << 24) >> 24;
  for (let at = from; at + 2 * align <= bytes.length; at += align) {
    sum += Math.abs(high(at) - high(at + align));
    count++;
  }
  return count > 0 ? sum / count : 0;
}
