import { Buffer } from '../../../../host/bytes';
import type { Size, TiffField } from '../../../../report/facts/photo';
import { TiffBytes, tiffNumber } from '../../../tiff/directory';
import { entriesAt, setNumber } from '../tiff/entries';
import { overwrite } from '../tiff/write';
import { field, headBytes, headerAt, type Place, placeAt, placeOf } from './places';
import { depths } from './sensor';

/** The record with the size of all of the sensor, and those of what of it is stored and shown. */
const sizeRecord = 0x0100;
const others = [0x0121, 0x0111];
/** Records that are followed, as dcraw's `parse_fuji` does. */
const mostRecords = 255;
/** Fields of the directory before the sensor data, without which it tells nothing. */
const needed = [field.width, field.height, field.bits, field.strip, field.stripBytes] as const;
/** The first number of that directory's fields. */
const firstNumber = 0xf000;

/** A head whose sizes and places were set right by what the sensor data takes, and which they were. */
export type RafSettled = { data: Buffer; fields: readonly TiffField[] };

type Sized = Size & { at: number };

/**
 * Sets right what the head of a file says of its sensor data and what its bytes contradict: how many records the header has up to its end,
 * the place of data that would lie on the header, and sizes with which the data is not one value for each pixel, by those with which it is.
 * Null where nothing is wrong, or nothing says what is right.
 */
export function settledRaf(bytes: Buffer): RafSettled | null {
  if (bytes.length < headBytes) return null;
  const data = Buffer.from(bytes);
  const fields = new Set<TiffField>();
  const header = placeAt(data, placeOf.header);
  if (header.start < headBytes || header.start + header.length > data.length) return null;
  if (areRecordsSet(data, header)) fields.add('places');
  if (isPlaceSet(data, header)) fields.add('places');
  const sensor = placeAt(data, placeOf.sensor);
  const own = directoryAt(data, sensor.start);
  if (own && areNumbersSet(own.tiff, own.offset)) fields.add('places');
  const records = recordsOf(data, header);
  const value = (number: number) => (own ? numberIn(own.tiff, own.offset, number) : 0);
  const length = own ? value(field.stripBytes) : sensor.length;
  for (const name of sizeSet(data, records, own, length)) fields.add(name);
  return fields.size > 0 ? { data, fields: [...fields] } : null;
}

const fits = ({ width, height }: Size, length: number): boolean =>
  length > 0 && depths.some((bits) => (width * height * bits) / 8 === length);

/** Sets the number of records to as many as end with the header, and the length of those with a size; whether one was another. */
function areRecordsSet(data: Buffer, { start, length }: Place): boolean {
  const end = start + length;
  const told = headerAt(data, start);
  if (told && told.end <= end) return false;
  const before = Buffer.from(data.subarray(start, end));
  let [at, count, isSet] = [start + 4, 0, false];
  for (; at + 4 <= end && count < mostRecords; count++) {
    const number = data.readUInt16BE(at);
    const isSize = number === sizeRecord || others.includes(number);
    if (isSize && data.readUInt16BE(at + 2) !== 4 && at + 12 <= end && data.readUInt16BE(at + 10) > 0) {
      data.writeUInt16BE(4, at + 2);
      isSet = true;
    }
    at += 4 + data.readUInt16BE(at + 2);
  }
  if (at !== end || count === 0) {
    before.copy(data, start);
    return false;
  }
  if (data.readUInt32BE(start) === count) return isSet;
  data.writeUInt32BE(count, start);
  return true;
}

/** Leads to sensor data that would begin in what stands before it, and ends with the file where it begins behind the header. */
function isPlaceSet(data: Buffer, header: Place): boolean {
  const sensor = placeAt(data, placeOf.sensor);
  const start = data.length - sensor.length;
  const end = header.start + header.length;
  if (sensor.start >= end || start < end || start - end > mostFilled) return false;
  data.writeUInt32BE(start, placeOf.sensor);
  return true;
}

/** Bytes that may stand between the header and the data. */
const mostFilled = 4096;

/** The header's sizes, by the numbers of their records. */
function recordsOf(data: Buffer, { start, length }: Place): Map<number, Sized> {
  const records = new Map<number, Sized>();
  const end = Math.min(start + length, data.length);
  for (let at = start + 4, count = 0; at + 8 <= end && count < mostRecords; count++) {
    const [number, size] = [data.readUInt16BE(at), data.readUInt16BE(at + 2)];
    if (size === 4)
      records.set(number, { at: at + 4, height: data.readUInt16BE(at + 4), width: data.readUInt16BE(at + 6) });
    at += 4 + size;
  }
  return records;
}

/** The directory before the sensor data of newer cameras; null where there is none. */
function directoryAt(data: Buffer, start: number): { tiff: TiffBytes; offset: number } | null {
  const order = data.toString('latin1', start, start + 2);
  const tiff = new TiffBytes(data.subarray(start), order === 'II');
  if ((order !== 'II' && order !== 'MM') || tiff.u16(2) !== tiffNumber) return null;
  const first = tiff.directory(tiff.u32(4), true);
  const offset = first ? tiff.value(first, field.directory, 0) : 0;
  return entriesAt(tiff, offset).length >= needed.length ? { tiff, offset } : null;
}

function numberIn(tiff: TiffBytes, offset: number, number: number): number {
  return (
    tiff.values(
      entriesAt(tiff, offset).find((entry) => entry.tag === number),
      1,
    )[0] ?? 0
  );
}

/** Gives fields their numbers, which ascend one by one, and the count of one; whether any had others. */
function areNumbersSet(tiff: TiffBytes, offset: number): boolean {
  let isSet = false;
  for (const number of needed) {
    const entries = entriesAt(tiff, offset);
    const own = entries.filter((entry) => entry.tag === number);
    if (own.length === 1 && own[0]?.count === 1) continue;
    const entry =
      own.length === 1
        ? own[0]
        : entries.find(({ tag }, index) => {
            const [low, high] = [
              entries[index - 1]?.tag ?? firstNumber,
              entries[index + 1]?.tag ?? Number.POSITIVE_INFINITY,
            ];
            const isTaken = needed.some((one) => one === tag) && entries.filter((one) => one.tag === tag).length === 1;
            return !isTaken && low < number && high > number;
          });
    if (!entry) continue;
    overwrite(tiff, entry.place, number, 2);
    overwrite(tiff, entry.place + 4, 1, 4);
    isSet = true;
  }
  return isSet;
}

/** Sets the sizes that do not fill the data by another one that does and has one of their numbers. */
function sizeSet(
  data: Buffer,
  records: ReadonlyMap<number, Sized>,
  own: { tiff: TiffBytes; offset: number } | null,
  length: number,
): TiffField[] {
  const full = records.get(sizeRecord);
  const named: TiffField[] = [];
  if (!full) return named;
  const told = own && {
    width: numberIn(own.tiff, own.offset, field.width),
    height: numberIn(own.tiff, own.offset, field.height),
  };
  const known = [full, ...(told ? [told] : []), ...others.flatMap((number) => records.get(number) ?? [])].filter(
    (size) => fits(size, length),
  );
  const right = known.find((size) => size.width === full.width || size.height === full.height);
  if (!right) return named;
  if (full.width !== right.width) named.push('width');
  if (full.height !== right.height) named.push('height');
  data.writeUInt16BE(right.height, full.at);
  data.writeUInt16BE(right.width, full.at + 2);
  if (!own || !told) return named;
  const entries = entriesAt(own.tiff, own.offset);
  const set = (number: number, value: number, name: TiffField) => {
    const entry = entries.find(({ tag }) => tag === number);
    if (!entry || numberIn(own.tiff, own.offset, number) === value) return;
    setNumber(own.tiff, entry, value);
    named.push(name);
  };
  if (!fits(told, length) && (told.width === right.width || told.height === right.height)) {
    set(field.width, right.width, 'width');
    set(field.height, right.height, 'height');
  }
  const bits = depths.find((one) => (right.width * right.height * one) / 8 === length);
  const toldBits = numberIn(own.tiff, own.offset, field.bits);
  // Values of fewer bits may be stored in two bytes each.
  if (bits && toldBits !== bits && !(bits === depths[0] && toldBits > leastBits && toldBits < bits))
    set(field.bits, bits, 'depth');
  return named;
}

/** The fewest bits of a value of the sensor. */
const leastBits = 8;
