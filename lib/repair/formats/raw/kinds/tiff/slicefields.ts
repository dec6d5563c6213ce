import { losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import { readLossless } from '../../../../codecs/ljpeg/read';
import { rawTag } from './directories';
import { type Entry, setCount } from './entries';
import type { Named } from './forms';
import { ownValue, type Sheet } from './sheet';
import { overwrite, type } from './write';

/** How many slices of the first width, that width, and the last one. */
const numbers = 3;
/** How far the place or the number of the field may be off. */
const nearest = 4;
/** Samples at the beginning and at the end of the data that are compared, and how far apart they are picked. */
const compared = { samples: 1 << 18, each: 7 };
/** How much better than all others slices must be, by how rows resemble those two above them. */
const clearly = 0.85;

/**
 * Sets the slices of a CR2 right, in place, which have to add up to the lines of its lossless JPEG: the field under another number or at
 * another place, or one of its numbers, by how rows go on. Whether they add up then; a CR2 without slices has none to add up.
 */
export function withSlices(sheet: Sheet, named: Named): boolean {
  const { tiff } = sheet;
  const [at = 0] = sheet.places;
  const frame = losslessFrameAt(tiff.bytes, at);
  if (!frame) return false;
  const line = frame.width * frame.components.length;
  const isWhole = ([count = 0, each = 0, last = 0]: readonly number[]) => last > 0 && count * each + last === line;
  const own = sheet.find(rawTag.slices);
  if (own && (own.count !== numbers || own.type !== type.short)) {
    overwrite(tiff, own.place + 2, type.short, 2);
    setCount(tiff, own, numbers);
    named.add('width');
  }
  const told = sheet.list(rawTag.slices);
  if (own && (isWhole(told) || told.every((one) => one === 0))) return true;
  for (const entry of own ? [own] : sheet.entries.filter((one) => Math.abs(one.tag - rawTag.slices) <= nearest))
    if (isPlaced(sheet, entry, isWhole)) {
      named.add('width');
      return true;
    }
  if (!own || told.length !== numbers) return !own;
  const [best, other] = waysOf(told, line)
    .filter(isWhole)
    .map((slices) => ({ slices, cost: costOf(sheet, slices) }))
    .sort((left, right) => left.cost - right.cost);
  if (!best || (other && best.cost > other.cost * clearly)) return false;
  for (const [index, value] of best.slices.entries()) sheet.setAt(rawTag.slices, index, value);
  named.add('width');
  return true;
}

/** Leads an entry to slices that add up, at its place or near it; whether any do. */
function isPlaced(sheet: Sheet, entry: Entry, isWhole: (slices: readonly number[]) => boolean): boolean {
  const { tiff } = sheet;
  const place = tiff.u32(ownValue(entry));
  for (let shift = -nearest; shift <= nearest; shift++) {
    const values = tiff.values({ ...entry, type: type.short, count: numbers, at: place + shift });
    if (place + shift < 8 || values.length !== numbers || values[0] === 0 || !isWhole(values)) continue;
    overwrite(tiff, entry.place, rawTag.slices, 2);
    overwrite(tiff, entry.place + 2, type.short, 2);
    setCount(tiff, entry, numbers);
    overwrite(tiff, ownValue(entry), place + shift, 4);
    return true;
  }
  return false;
}

/** The slices that add up to a line with one of their numbers changed. */
function waysOf([count = 0, each = 0, last = 0]: readonly number[], line: number): number[][] {
  const ways = [[count, each, line - count * each]];
  if (count > 0 && (line - last) % count === 0) ways.push([count, (line - last) / count, last]);
  if (each > 0 && (line - last) % each === 0) ways.push([(line - last) / each, each, last]);
  return ways.filter((way) => way.every((one) => one >= 0 && one <= 0xffff));
}

/** How little rows resemble those two above them where the data begins, in slices of the first width, and where it ends, in the last one. */
function costOf(sheet: Sheet, [, each = 0, last = 0]: readonly number[]): number {
  const { bytes } = sheet.tiff;
  const [at = 0] = sheet.places;
  const [count = 0] = sheet.counts;
  const frame = losslessFrameAt(bytes, at);
  if (!frame) return Number.POSITIVE_INFINITY;
  const line = frame.width * frame.components.length;
  const kept = Math.min(frame.height, Math.ceil(compared.samples / line));
  const front = new Uint16Array(kept * line);
  const back = new Uint16Array(kept * line);
  readLossless(bytes, frame, at + count, (values, row) => {
    if (row < kept) front.set(values, row * line);
    if (row >= frame.height - kept) back.set(values, (row - frame.height + kept) * line);
  });
  return (
    stepAt(front, each * 2) + stepAt(back.subarray(-last * Math.max(1, Math.floor((kept * line) / last / 2))), last * 2)
  );
}

function stepAt(samples: Uint16Array, lag: number): number {
  let [sum, count] = [0, 0];
  for (let at = lag; lag > 0 && at < samples.length; at += compared.each) {
    sum += Math.abs((samples[at] ?? 0) - (samples[at - lag] ?? 0));
    count++;
  }
  return count > 0 ? sum / count : Number.POSITIVE_INFINITY;
}
