import { BitReader, golomb } from '../../codecs/bits';
import { planeTypes } from '../../codecs/mpeg4/header';
import type { Buffer } from '../../host/bytes';

/** nal_unit_type of slices that stand alone, of messages, which come before points of recovery, and of sets (ISO/IEC 14496-10, table 7-1). */
const nal = { slice: 1, key: 5, message: 6, set: 7, delimiter: 9 } as const;
/** vop_start_code (ISO/IEC 14496-2, table 6-3), whose bits make it none of a NAL unit. */
const planeCode = 0xb6;
/** slice_type of I and SI slices, modulo 5 (table 7-6). */
const aloneTypes = [2, 4];
/** Bytes at the beginning of a picture in which its type stands. */
export const beginBytes = 96;

function isSliceAlone(unit: Buffer): boolean {
  const bits = new BitReader(unit.subarray(1));
  golomb(bits);
  return aloneTypes.includes(golomb(bits) % 5);
}

/** Whether a picture of MPEG-4 Part 2 or H.264 stands alone, by its first bytes; null for other codecs. */
export function standsAlone(begin: Buffer): boolean | null {
  for (let at = begin.indexOf('\0\0\x01', 0, 'latin1'); at >= 0 && at + 5 < begin.length; ) {
    const code = begin[at + 3] ?? 0;
    if (code === planeCode) return (begin[at + 4] ?? 0) >> 6 === planeTypes.intra;
    const type = (code & 0x80) === 0 ? code & 31 : 0;
    if (at < 2 && type === nal.slice) return isSliceAlone(begin.subarray(at + 3));
    if (at < 2 && (type === nal.key || type === nal.message || type === nal.set)) return true;
    const next = begin.indexOf('\0\0\x01', at + 3, 'latin1');
    if (at < 2 && type === nal.delimiter && next >= 0) return standsAlone(begin.subarray(next));
    at = next;
  }
  return null;
}
