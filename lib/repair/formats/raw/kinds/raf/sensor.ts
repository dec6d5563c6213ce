import type { Buffer } from '../../../../host/bytes';
import type { Damage, Size } from '../../../../report/facts/photo';
import type { Sensor } from '../../layout';
import { headBytes, headerAt, type Place, placeAt, placeOf, stripAt } from './places';

/** Bits in which a value of the sensor is stored where it is not compressed. */
export const depths = [16, 14, 12] as const;
/** Bytes that may follow packed values: cameras fill up to whole blocks of their cards. */
export const mostFilled = 1 << 16;
/** Signature of compressed sensor data, and the bytes of its head (LibRaw's `parse_fuji_compressed_header`). */
const compressed = 'IS';
const compressedHead = 16;
/** Where that head keeps the count of its blocks. */
const countAt = 13;
/** Bytes of zeros without end that no sensor gives: more than a row of any camera has dark. */
const wipedRun = 4096;
const wipedStep = wipedRun / 2;
/** Bytes beside such a run that tell whether it breaks off, and the share of zeros from which they are dark. */
const beside = 512;
const darkShare = 0.6;

/** The sensor data to which the head leads, or the directory before it. */
export function stripOf(bytes: Buffer): (Place & Size) | null {
  if (bytes.length < headBytes) return null;
  const header = headerAt(bytes, bytes.readUInt32BE(placeOf.header));
  const told = placeAt(bytes, placeOf.sensor);
  const strip = stripAt(bytes, told.start) ?? { ...told, size: null };
  const size = strip.size ?? header;
  if (!header || !size || strip.length === 0) return null;
  return { start: strip.start, length: strip.length, width: size.width, height: size.height };
}

/** Judges the sensor data by the size that its values or its table of blocks ask for, and counts what is wiped or missing. */
export function sensorOf(bytes: Buffer): Sensor | null {
  const strip = stripOf(bytes);
  if (!strip) return null;
  const { start, length, width, height } = strip;
  const used = blockBytes(bytes, strip) ?? packedBytes(strip);
  if (used === null) return { width, height, how: 'unread', intact: 0, damages: [] };
  const { lost, damages } = wipedIn(bytes.subarray(start, start + used), start);
  const missing = Math.max(0, start + Math.min(used, length) - Math.max(start, bytes.length));
  return { width, height, how: 'sized', intact: Math.max(0, 1 - (lost + missing) / used), damages };
}

/** The bytes that one value for each pixel takes; null where they do not fill the strip. */
function packedBytes({ length, width, height }: Place & Size): number | null {
  const asked = depths.map((bits) => Math.ceil((width * height * bits) / 8));
  return asked.find((bytes) => length >= bytes && length < bytes + mostFilled) ?? null;
}

/** The bytes of compressed data by the sizes of its blocks, which stand behind its head; null where they do not fill the strip. */
function blockBytes(bytes: Buffer, { start, length }: Place): number | null {
  const table = start + compressedHead;
  if (table > bytes.length || bytes.toString('latin1', start, start + 2) !== compressed) return null;
  const count = bytes[start + countAt] ?? 0;
  if (count === 0 || table + count * 4 > bytes.length) return null;
  let sum = compressedHead + Math.ceil((count * 4) / 16) * 16;
  for (let index = 0; index < count; index++) sum += bytes.readUInt32BE(table + index * 4);
  return sum <= length && sum > length - mostFilled ? sum : null;
}

/** The bytes of long runs of zeros, and a damage where they break off data that is not dark. */
function wipedIn(data: Buffer, start: number): { lost: number; damages: Damage[] } {
  let lost = 0;
  const damages: Damage[] = [];
  for (let at = 0; at < data.length; at += wipedStep) {
    if (data[at] !== 0) continue;
    let [from, to] = [at, at];
    while (from > 0 && data[from - 1] === 0) from--;
    while (to < data.length && data[to] === 0) to++;
    at = to - (to % wipedStep);
    const isSharp = !isDark(data.subarray(Math.max(0, from - beside), from)) || !isDark(data.subarray(to, to + beside));
    if (to - from < wipedRun || !isSharp) continue;
    lost += to - from;
    if (damages.length === 0) damages.push({ kind: 'data', how: 'damaged', offset: start + from });
  }
  return { lost, damages };
}

/** Whether most bytes are zeros, as in the night where a camera stores no black above nothing. */
function isDark(bytes: Buffer): boolean {
  let zeros = 0;
  for (const value of bytes) if (value === 0) zeros++;
  return zeros > bytes.length * darkShare || bytes.length === 0;
}
