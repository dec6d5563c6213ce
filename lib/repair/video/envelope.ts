import { type Envelope, envelopeOf, mostHead, plainEnd, Quoted, unpackerFor } from '../core/transfer/envelope';
import { OpenFile } from '../host/files';
import type { Reading } from './session';
import { Sink } from './sink';

const stretch = 1 << 18;

/** What a transfer put around the file; null where it begins with its own bytes. */
export const envelopeAround = ({ source }: Reading): Envelope | null => envelopeOf(source.copy(0, mostHead));

/** Writes the file as it was before it was sent. */
export async function writeUnpacked(reading: Reading, envelope: Envelope, path: string): Promise<void> {
  const { source, tell } = reading;
  const file = await OpenFile.open(path, 'write');
  const unpacker = unpackerFor(envelope);
  const end = unpacker ? source.size : plainEnd(envelope, source.size, (mark, from) => source.find(mark, from));
  try {
    const sink = new Sink(file);
    for (let at = envelope.from; at < end && unpacker?.isOver !== true; at += stretch) {
      const bytes = source.copy(at, Math.min(stretch, end - at));
      sink.write(unpacker?.next(bytes) ?? bytes);
      await tell(at, 0, 0.1);
    }
    if (unpacker instanceof Quoted) sink.write(unpacker.end());
    sink.flush();
  } finally {
    await file.close();
  }
}
