import type { VideoExamined } from '../../families/video';
import { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Sink } from '../../video/sink';
import type { Source } from '../../video/source';
import { type FlvParts, metadata, picture, sound } from './examine';
import { placeOf } from './metadata';
import { isMedia } from './tags';
import { secondsOf } from './timing';
import { timesBroken, walkTags } from './walk';

/** The header of a file, and the size of the tag before the first one, which is none (Adobe FLV 10.1, annex E.2 and E.3). */
function header({ tags }: FlvParts): Buffer {
  const has = (type: number, flag: number) => (tags.some((tag) => tag.type === type) ? flag : 0);
  return Buffer.from([0x46, 0x4c, 0x56, 1, has(sound, 4) | has(picture, 1), 0, 0, 0, 9, 0, 0, 0, 0]);
}

/** Share of its length by which a file must be shorter than it says to be told anew. */
const shorter = 0.01;

/** Metadata with the length of what is left, in seconds, where they tell of more: players would show that of what is gone, too. */
function withLength(content: Buffer, seconds: number): Buffer {
  const at = placeOf(content, 'duration');
  if (at < 0 || seconds <= 0 || !(content.readDoubleBE(at) * (1 - shorter) > seconds)) return content;
  const copy = Buffer.from(content);
  copy.writeDoubleBE(seconds, at);
  return copy;
}

/** The size of a tag as it stands behind it (E.3). */
function previousTagSize(content: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content + 11);
  return size;
}

/** Writes the file anew from its whole packets, with the setups that it had lost in front. */
export async function rebuildFlv(
  { source, tell }: Reading,
  { parts }: VideoExamined<FlvParts>,
  sink: Sink,
): Promise<readonly Step[]> {
  sink.write(header(parts));
  for (const { type, content } of parts.setups) {
    const head = Buffer.alloc(11);
    head[0] = type;
    head.writeUIntBE(content.length, 1, 3);
    sink.write(Buffer.concat([head, content, previousTagSize(content.length)]));
  }
  const timeOf = (index: number) => parts.times?.[index] ?? parts.tags[index]?.time ?? 0;
  const seconds = secondsOf(parts.tags, timeOf);
  for (const [index, tag] of parts.tags.entries()) {
    const head = source.copy(tag.offset, 11);
    const time = timeOf(index);
    head.writeUIntBE(time & 0xffffff, 4, 3);
    head.writeUInt8((time >>> 24) & 0xff, 7);
    sink.write(head);
    if (tag.type === metadata) sink.write(withLength(source.copy(tag.offset + 11, tag.size), seconds));
    else sink.take(source, tag.offset + 11, tag.size);
    sink.write(previousTagSize(tag.size));
    await tell(tag.offset, 0.4, 0.8);
  }
  const steps: Step[] = parts.times ? [{ kind: 'times', packets: parts.tags.filter(isMedia).length }] : [];
  return [...steps, { kind: 'rebuild', of: 'packets' }];
}

/** Whether what was written reads as it was meant: every tag whole and in its place, and times that run on. */
export async function verifyFlv(
  written: Source,
  { source, job }: Reading,
  { parts }: VideoExamined<FlvParts>,
): Promise<boolean> {
  const again = await walkTags(written, () => source.pause(job.deadline));
  const isWhole = again.gaps.length === 0 && again.tags.length === parts.tags.length + parts.setups.length;
  return isWhole && !timesBroken(again.tags);
}
