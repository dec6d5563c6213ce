import { differInOneBit } from '../../core/bits';
import { lostBytes, wrongBytes } from '../../core/sumalgebra';
import { lostReturns, placeOfRun } from '../../core/sumplaces';
import { crc32 } from '../../core/sums';
import { withReturnsAt } from '../../core/transfer/returns';
import { Buffer } from '../../host/bytes';
import type { Chunk } from './chunks';

/** What was wrong with a chunk: CR that a transfer took, a bit, bytes beside each other, bytes that came in or are gone. */
export type SumMend = 'returns' | 'bit' | 'bytes' | 'added' | 'missing';

/** A chunk's data as its check sum allows it, and whether it does so hardly ever by chance. */
export type Allowed = { data: Buffer; how: SumMend; isSure: boolean };

/** Bytes of all damaged chunks of a file up to which one wrong or lost byte fits one of their sums by chance in less than one of 120 files. */
const sureLength = 1 << 17;
/** Bytes beside each other that may be wrong or lost. */
const mostBytes = 2;

/**
 * Ways of setting a damaged chunk right that its check sum allows (ISO/IEC 15948, 5.3), the likeliest first. Nothing is tried out for it: a
 * CRC tells the place by arithmetic. Those that are sure come alone. `damaged`: bytes of all damaged chunks of the file.
 */
export function allowedBySum(bytes: Buffer, { type, start, end, sound }: Chunk, damaged: number): Allowed[] {
  if (sound || start < 8 || end + 4 > bytes.length || type === '????') return [];
  const data = bytes.subarray(start, end);
  const sum = bytes.readUInt32BE(end);
  const missing = bytes.readUInt32BE(start - 8) - data.length;
  const before = crc32(Buffer.from(type, 'latin1'));
  const isFew = damaged <= sureLength;
  if (missing === 0) return wrong(data, crc32(data, before) ^ sum, isFew);
  const named = bytes.subarray(start - 4, end);
  if (missing < 0) return withoutRun(named, -missing, sum);
  const places = lostReturns(named, missing, sum);
  if (places) return [{ data: withReturnsAt(named, places).subarray(4), how: 'returns', isSure: true }];
  return missing <= mostBytes
    ? withLost(data, crc32(Buffer.alloc(missing), crc32(data, before)) ^ sum, missing, isFew)
    : [];
}

/** A chunk's data with the one wrong bit set right that its sum shows; null where no bit explains it. */
export function withFlippedBit(data: Buffer, difference: number): Buffer | null {
  const bit =
    difference === 0 ? undefined : wrongBytes(difference, data.length, 1).find(({ value }) => differInOneBit(value, 0));
  return bit ? changed(data, bit, 1) : null;
}

/** With a wrong bit, byte or pair of bytes set right. */
function wrong(data: Buffer, difference: number, isFew: boolean): Allowed[] {
  if (difference === 0) return [];
  const single = wrongBytes(difference, data.length, 1);
  const bit = single.find(({ value }) => differInOneBit(value, 0));
  if (bit) return [{ data: changed(data, bit, 1), how: 'bit', isSure: true }];
  const [only, ...more] = single;
  if (only && more.length === 0 && isFew) return [{ data: changed(data, only, 1), how: 'bytes', isSure: true }];
  return [1, mostBytes].flatMap((width) =>
    (width === 1 ? single : wrongBytes(difference, data.length, width)).map((change) => ({
      data: changed(data, change, width),
      how: 'bytes' as const,
      isSure: false,
    })),
  );
}

function changed(data: Buffer, { at, value }: { at: number; value: number }, width: number): Buffer {
  const result = Buffer.from(data);
  for (let on = 0; on < width; on++) result[at + on] = (result[at + on] ?? 0) ^ ((value >>> (8 * on)) & 255);
  return result;
}

/** Without bytes that came in at one place behind the name of a chunk. */
function withoutRun(named: Buffer, added: number, sum: number): Allowed[] {
  const at = placeOfRun(named, added, sum);
  if (at === null || at < 4) return [];
  return [{ data: Buffer.concat([named.subarray(4, at), named.subarray(at + added)]), how: 'added', isSure: true }];
}

/** With bytes that are gone from one place. */
function withLost(data: Buffer, difference: number, missing: number, isFew: boolean): Allowed[] {
  const found = lostBytes(data, difference, missing);
  const isSure = missing === 1 && found.length === 1 && isFew;
  return found.map(({ at, value }) => {
    const lost = Buffer.from([value & 255, value >>> 8].slice(0, missing));
    return { data: Buffer.concat([data.subarray(0, at), lost, data.subarray(at)]), how: 'missing', isSure };
  });
}
