import { decodeLzw } from '../../codecs/lzw/decode';
import { isOldLzw } from '../../codecs/lzw/strings';
import { inflateStrict, inflateZlib, zlibHeaderLength } from '../../core/deflate/whole';
import { adler32 } from '../../core/sums';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { scheme, space } from './directory';
import { isFax, readFaxSegment, readsFax } from './faxstrip';
import { mendFlate } from './flatemend';
import { readJpegStrip, rebuildJpegStrip } from './jpegstrip';
import { type Layout, rowBytes } from './layout';
import { type MendedStrip, mendLzw } from './lzwmend';
import { decodePackBits, packBitsEnd } from './packbits';
import { adoptRows, type RowKind } from './striprows';
import { flateOf, lzwOf, once, salvageOf } from './unpacked';

/** Bytes that a strip must unpack to before its first bytes tell how it is packed: chance goes less far with DEFLATE than with LZW. */
const proof = { lzw: 3000, flate: 2000 };

/** An unpacked strip or tile: its bytes, as many as there are; whether it is as its writer made it; whether it held more than wanted, which bytes are
 * known where others stand for lost ones (0), and whether bits were set right. */
export type Segment = {
  data: Buffer;
  sound: boolean;
  over?: boolean | undefined;
  known?: Uint8Array | undefined;
  /** Whether it was unpacked to its own end and holds as much as wanted, so that whatever is wrong in it moved nothing. */
  exact?: boolean;
  mended?: boolean;
  /** Whether a check sum proves what was set right. */
  isProven?: boolean;
};

/** Kinds of packing that are unpacked here; others are left to the independent decoder. */
export const unpackable = new Set([1, 2, 3, 4, 5, 7, 8, scheme.oldFlate, scheme.packBits]);

const lzwBeyond = 4096;
/** Bytes that programs leave behind the last packet of a strip. */
const packBitsPadding = 3;

/** Whether strips of this layout are unpacked here: not colour differences stored apart, and not differences of numbers of other sizes. */
export function unpacks(layout: Layout): boolean {
  const { compression, photometric, predictor, depth, samples } = layout;
  if (!unpackable.has(compression)) return false;
  if (isFax(compression)) return readsFax(layout);
  if (compression === scheme.jpeg) return depth === 8 && (samples === 1 || samples === 3) && predictor === 1;
  return photometric !== space.yCbCr && (predictor === 1 || (predictor === 2 && (depth === 8 || depth === 16)));
}

/** Unpacks a strip or tile that should hold `wanted` bytes, going on behind damage where the packing allows it. */
export async function unpackSegment(
  job: EngineJob,
  source: Buffer,
  layout: Layout,
  wanted: number,
  { little, thorough }: { little: boolean; thorough: boolean },
): Promise<Segment> {
  const { compression } = layout;
  const rows = Math.round(wanted / rowBytes(layout));
  if (compression === scheme.none) return { data: source.subarray(0, wanted), sound: source.length >= wanted };
  if (compression === scheme.lzw) {
    // A little more than wanted shows whether the strip ends where it should: a wrong code mostly changes the length.
    const { data, ended, spoilt } = lzwOf(job, source, wanted + lzwBeyond);
    const fits = ended ? data.length === wanted : data.length >= wanted;
    const over = spoilt < 0 && data.length > wanted + 8;
    if (spoilt < 0 && fits && !over) return { data: data.subarray(0, wanted), sound: true };
    const plain: Segment = { data: data.subarray(0, wanted), sound: over, over };
    // What stands behind a wrong code is only searched for in strips of the usual kind.
    if (!thorough || isOldLzw(source)) return plain;
    const kind = rowKind(layout, little);
    return mendedWithin(job, plain, layout, kind, () => mendLzw(source, wanted, kind, job.deadline));
  }
  if (compression === scheme.packBits) {
    const data = decodePackBits(source, wanted);
    const end = packBitsEnd(source, 0, wanted);
    return { data, sound: end >= 0 && source.length - end <= packBitsPadding };
  }
  if (isFax(compression)) {
    const kind = JSON.stringify(['fax', wanted, rowBytes(layout), compression, layout.faxOptions, layout.isTurned]);
    return once(job, `${kind}${thorough}`, source, () => readFaxSegment(job, source, layout, rows, thorough));
  }
  if (compression === scheme.jpeg) {
    const { width, samples, tile, subsampling, photometric } = layout;
    const kind = JSON.stringify([wanted, rows, width, samples, tile, subsampling, photometric]);
    const strip = { source, layout, wanted, rows };
    const plain = await once(job, kind, source, () => readJpegStrip(job, strip));
    if (plain.sound || !thorough) return plain;
    return once(job, `${kind}*`, source, () => rebuildJpegStrip(job, strip));
  }
  const plain = inflated(job, source, wanted);
  if (plain.sound || !thorough) return plain;
  const kind = rowKind(layout, little);
  const mended = mendedWithin(job, plain, layout, kind, () =>
    mendFlate(source, wanted, kind, job.deadline, plain.data),
  );
  if (isProven(source, mended.data)) return { ...mended, isProven: true };
  // Bits that give as many bytes as are wanted are no proof: garbage does, too.
  return plain.exact ? { ...plain, over: false } : mended;
}

/** Units of effort that damaged strips of one file may take in all; the rest of them is read without a search. */
const patience = 1800;
const spent = new WeakMap<EngineJob, number>();

/** A damaged strip as it could be mended, within the effort there is for the file; as it was where nothing came of it. */
function mendedWithin(
  job: EngineJob,
  plain: Segment,
  { photometric, depth }: Layout,
  kind: RowKind,
  work: () => MendedStrip | null,
): Segment {
  const before = spent.get(job) ?? 0;
  // How rows fit together shows in their samples, not in the numbers of a palette or in bits.
  if (before > patience || photometric === space.palette || depth < 8)
    return { ...plain, sound: plain.sound && !plain.over };
  const started = job.deadline.effort.left;
  const strip = work();
  spent.set(job, before + started - job.deadline.effort.left);
  if (!strip) return { ...plain, sound: false };
  const { data, known, flips } = strip;
  adoptRows(kind, data, known, plain.data);
  const all = known.every((byte) => byte === 1);
  const over = plain.over === true && all && flips === 0;
  return { data, known, sound: all && (flips > 0 || over), over, mended: flips > 0 };
}

function inflated(job: EngineJob, source: Buffer, wanted: number): Segment {
  const whole = flateOf(job, source);
  if (whole) return { data: whole.subarray(0, wanted), sound: whole.length >= wanted, over: whole.length > wanted };
  const salvage = salvageOf(job, source, wanted + 1);
  const plain: Segment = {
    data: salvage.data.subarray(0, wanted),
    // Without its own end and the sum behind that, data that goes on is as good as any garbage that bytes put in between make of it.
    sound: salvage.data.length === wanted && salvage.complete && salvage.firstError === null,
  };
  // A stream that ends where it should but whose check sum does not fit holds wrong bits.
  if (plain.sound && adlerStands(source, salvage.consumed, plain.data)) return plain;
  // To the end of the strip, but for the check sum, which stands there.
  const isRead = salvage.consumed + sumBytes === source.length;
  const exact = isRead && salvage.firstError === null && salvage.data.length === wanted;
  return { ...plain, sound: false, exact };
}

/** Bytes of that check sum. */
const sumBytes = 4;

/** Whether the check sum of RFC 1950 at the end of a strip is that of these rows. */
const isProven = (source: Buffer, data: Buffer): boolean =>
  source.length > sumBytes && source.readUInt32BE(source.length - sumBytes) === adler32(data);

/** Whether the check sum of RFC 1950 stands behind the data; one that is cut off proves nothing. */
function adlerStands(source: Buffer, consumed: number, data: Buffer): boolean {
  const at = zlibHeaderLength(source) + consumed;
  return at + 4 > source.length || source.readUInt32BE(at) === adler32(data);
}

function rowKind(layout: Layout, little: boolean): RowKind {
  const size = Math.max(1, layout.depth >> 3);
  const pixel = (layout.planes ? 1 : layout.samples) * size;
  const wide = layout.depth === 16 ? (little ? 'little' : 'big') : null;
  return { row: rowBytes(layout), pixel, predictor: layout.predictor === 2, wide };
}

/** How many bytes a segment gives when it is unpacked to its own end; null when it does not end as it should. */
export function naturalLength(job: EngineJob, source: Buffer, compression: number, most: number): number | null {
  if (compression === scheme.none) return source.length;
  if (compression === scheme.lzw) {
    const { data, ended } = lzwOf(job, source, most);
    return ended ? data.length : null;
  }
  if (compression === scheme.packBits) return decodePackBits(source, most).length;
  if (compression === scheme.flate || compression === scheme.oldFlate) {
    const whole = flateOf(job, source);
    if (whole && whole.length <= most) return whole.length;
    const header = zlibHeaderLength(source);
    try {
      return header > 0 ? (inflateStrict(source.subarray(header), most)?.data.length ?? null) : null;
    } catch {
      return null;
    }
  }
  return null;
}

/** What a segment is packed with, by how it begins; null when nothing shows. */
export function packingOf(bytes: Buffer, at: number): number | null {
  if (bytes[at] === 0xff && bytes[at + 1] === 0xd8) return 7;
  if (bytes[at] === 0x80 && (bytes[at + 1] ?? 255) < 0x80) {
    const probe = decodeLzw(bytes, at, proof.lzw);
    if (probe.data.length >= proof.lzw || (probe.ended && probe.data.length >= 64)) return 5;
  }
  if (zlibHeaderLength(bytes, at) > 0) {
    const probe = inflateZlib(bytes.subarray(at, at + 65_536), { maxOutput: proof.flate, clip: true, readOn: false });
    if (probe.data.length >= proof.flate || probe.complete) return 8;
  }
  return null;
}
