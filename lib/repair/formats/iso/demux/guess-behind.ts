import { readAac } from '../../../codecs/aac/frame';
import { readAc3, readAmr, readMp3 } from '../../../codecs/sound';
import type { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { distinct, guessSounds } from './guess';
import type { Template } from './template';

/** Pictures that are looked at, how many must have such sound behind them as a share, and bytes before the next one in which it lies. */
const looked = 40;
const mostOf = 0.4;
const farthest = 6000;

type Read = (bytes: Buffer) => { length: number } | null;

/** First bytes of frames of AAC: a channel, or a pair, that is the first of its kind (ISO/IEC 14496-3, 4.4.2.1). */
const aacHeads = new Set([0x00, 0x01, 0x20, 0x21]);
const aac =
  (frequency: number): Read =>
  (bytes) =>
    aacHeads.has(bytes[0] ?? 0xff) ? readAac(bytes, { frequency, channels: 8 }) : null;

/** Ways to read frames of sound, those that are hardly met by chance first. */
const ways: readonly Read[] = [
  readAc3,
  readMp3,
  (bytes) => readAmr(bytes, false),
  (bytes) => readAmr(bytes, true),
  ...distinct.map(aac),
];

/** Where frames begin that lead exactly to the end of these bytes; -1 where none do. */
function beginningOf(bytes: Buffer, least: number, read: Read): number {
  for (let from = least; from < bytes.length; from++) {
    let at = from;
    for (let frame = read(bytes.subarray(at)); frame && frame.length > 0; frame = read(bytes.subarray(at))) {
      at += frame.length;
      if (at >= bytes.length) break;
    }
    if (at === bytes.length && at > from) return from;
  }
  return -1;
}

/**
 * Sound behind pictures whose end nothing tells, so that they were taken to last until the next one: frames of it lead exactly there.
 * `least` is the shortest picture in bytes.
 */
export function soundBehind(source: Source, pictures: readonly Span[], least: number): Template[] {
  const some = pictures.filter(({ from, to }) => to - from > least).slice(0, looked);
  let best: Span[] = [];
  for (const read of ways) {
    const tails: Span[] = [];
    for (const { from, to } of some) {
      const start = Math.max(from + least, to - farthest);
      const begin = beginningOf(source.copy(start, to - start), 0, read);
      if (begin >= 0) tails.push({ from: start + begin, to });
    }
    if (tails.length > best.length) best = tails;
    if (best.length >= some.length * mostOf) break;
  }
  return best.length >= Math.max(2, some.length * mostOf) ? guessSounds(source, best, 0) : [];
}
