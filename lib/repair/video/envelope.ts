import type { Envelope } from '../core/transfer/carried';
import { endOf } from '../core/transfer/envelope';
import { stretchOf, unpackerFor } from '../core/transfer/unpackers';
import { OpenFile } from '../host/files';
import { LimitError } from '../report';
import type { Reading } from './session';
import { Sink } from './sink';

/** Writes the file as it was before it was sent; more than a video may be is a LimitError. */
export async function writeUnpacked({ job, source, tell }: Reading, envelope: Envelope, path: string): Promise<void> {
  const file = await OpenFile.open(path, 'write');
  const unpacker = unpackerFor(envelope);
  const stretch = stretchOf(envelope);
  const end = endOf(envelope, source.size, (mark, from) => source.find(mark, from));
  try {
    const sink = new Sink(file);
    for (let at = envelope.from; at < end && unpacker?.isOver !== true; at += stretch) {
      const bytes = source.copy(at, Math.min(stretch, end - at));
      sink.write(unpacker?.next(bytes) ?? bytes);
      if (sink.position > job.limits.videoBytes) throw new LimitError('What is packed in the file is too large.');
      await tell(at, 0, 0.1);
    }
    if (unpacker) sink.write(unpacker.end());
    sink.flush();
  } finally {
    await file.close();
  }
}
