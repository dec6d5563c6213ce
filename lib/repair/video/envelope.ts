import { type Envelope, envelopeOf, mostHead, Quoted, unpackerFor } from '../core/transfer/envelope';
import { Buffer } from '../host/bytes';
import { OpenFile } from '../host/files';
import type { Reading } from './session';
import { Sink } from './sink';

const stretch = 1 << 18;

/** What a transfer put around the file; null where it begins with its own bytes. */
export const envelopeAround = ({ source }: Reading): Envelope | null => envelopeOf(source.copy(0, mostHead));

/** Where the bytes of a file end that lie in the message as they are. */
function plainEnd({ source }: Reading, { from, length, boundary }: Envelope): number {
  const told = length === null ? source.size : Math.min(source.size, from + length);
  const mark = boundary === null ? -1 : source.find(Buffer.from(`\r\n--${boundary}`, 'latin1'), from);
  return mark >= 0 ? mark : told;
}

/** Writes the file as it was before it was sent. */
export async function writeUnpacked(reading: Reading, envelope: Envelope, path: string): Promise<void> {
  const { source, tell } = reading;
  const file = await OpenFile.open(path, 'write');
  const unpacker = unpackerFor(envelope);
  const end = unpacker ? source.size : plainEnd(reading, envelope);
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
