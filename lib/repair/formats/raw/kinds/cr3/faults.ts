import { topBoxes } from '../../../../core/boxes';
import { Buffer } from '../../../../host/bytes';
import type { Damage } from '../../../../report/facts/photo';
import { isWithoutNotes } from './notes';
import { tracksOf } from './tracks';
import { settledBoxes } from './tree';

/** The box that a CR3 begins with: its brand. */
export const brand = Buffer.from('000000186674797063727820000000016372782069736f6d', 'hex');

/** Whether a file begins with the brand, whatever follows it. */
export const isBranded = (bytes: Buffer): boolean => bytes.subarray(4, 12).equals(brand.subarray(4, 12));

const mark = Buffer.from([0xff, 0xd8]);

/** What is wrong with the structure of a CR3: its brand, its boxes, and where its tracks lead. */
export function faultsOf(bytes: Buffer): Damage[] {
  const faults: Damage[] = [];
  if (!isBranded(bytes)) faults.push({ kind: 'head', how: 'damaged', offset: 0 });
  const { boxes, end, whole } = topBoxes(bytes);
  if (!whole) faults.push({ kind: 'boxes', how: 'broken', offset: end });
  for (const type of ['moov', 'mdat'] as const) {
    if (!boxes.some((box) => box.type === type)) faults.push({ kind: 'boxes', how: 'missing', type });
  }
  for (const track of tracksOf(bytes)) {
    const { isJpeg, start, length, startAt } = track;
    if (track.isTorn) faults.push({ kind: 'boxes', how: 'broken', offset: track.box.offset });
    else if (start + length > bytes.length) faults.push({ kind: 'cut', offset: bytes.length });
    else if (isJpeg && !bytes.subarray(start, start + 2).equals(mark))
      faults.push({ kind: 'head', how: 'preview', offset: startAt });
    else if (isWithoutNotes(bytes, track)) faults.push({ kind: 'boxes', how: 'broken', offset: start });
  }
  if (faults.length === 0 && settledBoxes(bytes)) faults.push({ kind: 'boxes', how: 'broken', offset: 0 });
  return faults;
}
