import type { Buffer } from '../../../../host/bytes';
import type { Damage, Size } from '../../../../report/facts/photo';
import type { Sensor } from '../../layout';
import { wipedShare } from '../wiped';
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
  const wiped = wipedShare(bytes.subarray(start, start + used));
  const damages: Damage[] = wiped > 0 ? [{ kind: 'data', how: 'sensor', offset: start }] : [];
  const missing = Math.max(0, start + Math.min(used, length) - Math.max(start, bytes.length));
  return { width, height, how: 'sized', intact: Math.max(0, 1 - missing / used - wiped), damages };
}

/** The bytes that one value for each pixel takes; null where they do not fill the strip. */
export function packedBytes({ length, width, height }: Place & Size): number | null {
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
