import type { VideoExamined } from '../../families/video';
import { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Sink } from '../../video/sink';
import type { Source } from '../../video/source';

import { isPicture } from './chunks';
import type { AviParts } from './examine';
import { beginBytes, standsAlone } from './keys';
import { isInOrder, survey } from './survey';

/** Bytes of an entry of idx1, and the flag of frames that stand alone. */
const entryBytes = 16;
const keyFrame = 0x10;

function size(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Writes the file anew from its chunks: sizes and the index follow from them. */
export async function rebuildAvi(
  { source, tell }: Reading,
  { parts: { head, chunks, prefix, keys } }: VideoExamined<AviParts>,
  sink: Sink,
): Promise<readonly Step[]> {
  sink.write(Buffer.from('RIFF\0\0\0\0AVI ', 'latin1'));
  sink.write(head ?? Buffer.alloc(0));
  const start = sink.position;
  sink.write(Buffer.from('LIST\0\0\0\0movi', 'latin1'));
  const index = Buffer.alloc(chunks.length * entryBytes);
  for (const [number, one] of chunks.entries()) {
    const key =
      !isPicture(one.id) || (keys?.get(one.offset) ?? standsAlone(source.read(one.offset + 8, beginBytes)) ?? true);
    const before = prefix?.at === one.offset ? prefix.bytes : Buffer.alloc(0);
    const length = before.length + one.length;
    const at = number * entryBytes;
    index.write(one.id, at, 'latin1');
    index.writeUInt32LE(key ? keyFrame : 0, at + 4);
    index.writeUInt32LE(sink.position - start - 8, at + 8);
    index.writeUInt32LE(length, at + 12);
    sink.write(Buffer.concat([Buffer.from(one.id, 'latin1'), size(length), before]));
    sink.take(source, one.offset + 8, one.length);
    if (length & 1) sink.write(Buffer.alloc(1));
    if ((number & 255) === 0) await tell(one.offset, 0.4, 0.8);
  }
  const end = sink.position;
  sink.write(Buffer.concat([Buffer.from('idx1'), size(index.length), index]));
  const total = sink.position;
  sink.patch(4, size(total - 8));
  sink.patch(start + 4, size(end - start - 8));
  return [{ kind: 'rebuild', of: 'index' }];
}

/** Whether what was written reads as it was meant: nothing wrong, and every chunk there. */
export async function verifyAvi(
  written: Source,
  reading: Reading,
  { parts }: VideoExamined<AviParts>,
): Promise<boolean> {
  const again = await survey(reading, written, 0.8, 0.95);
  return isInOrder(again) && again.movi.chunks.length === parts.chunks.length;
}
