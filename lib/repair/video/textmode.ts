import { type Encoding, type Envelope, mostLayers } from '../core/transfer/carried';
import { envelopeOf } from '../core/transfer/envelope';
import { LineEnds, withoutReturns } from '../core/transfer/lineends';
import { onceOf } from '../core/transfer/restart';
import { Narrower } from '../core/transfer/utf8';
import { formatsOf } from '../formats/table';
import { Buffer } from '../host/bytes';
import { OpenFile, removeFile } from '../host/files';
import { writeUnpacked } from './envelope';
import type { Reading } from './session';
import { Sink } from './sink';
import { Source } from './source';

const stretch = 1 << 18;
const carriageReturn = 13;

/** What a transfer did to the bytes of a file: a CR before every LF, every byte above 7f as a character of UTF-8, or both. */
export type Transfer = 'added' | 'utf8' | 'both';

/** What a transfer did to the whole file, by the rule of `core/transfer`; null where nothing says so. Most files say no after a few bytes. */
async function transferOf({ source, tell }: Reading): Promise<Transfer | null> {
  const ends = new LineEnds();
  let narrower: Narrower | null = new Narrower();
  for (let at = 0; at < source.size; at += stretch) {
    const bytes = source.read(at, stretch);
    if (!narrower?.narrow(bytes)) narrower = null;
    if (ends.add(bytes).areOwn && !narrower) return null;
    await tell(at, 0, 0.05);
  }
  if (!narrower?.isNeeded) return ends.areChanged ? 'added' : null;
  return ends.areChanged ? 'both' : 'utf8';
}

/** Takes the CR before each LF out of bytes that come one stretch after another. */
class ReturnRemover {
  #isHeld = false;

  /** The next stretch; a CR at its end is held back until it is known what follows. */
  next(bytes: Buffer): Buffer {
    const all = this.#isHeld ? Buffer.concat([Buffer.of(carriageReturn), bytes]) : bytes;
    this.#isHeld = all.at(-1) === carriageReturn;
    return withoutReturns(this.#isHeld ? all.subarray(0, -1) : all);
  }

  /** What was held back. */
  end(): Buffer {
    return this.#isHeld ? Buffer.of(carriageReturn) : Buffer.alloc(0);
  }
}

async function writeUndone({ source, tell }: Reading, how: Transfer, path: string): Promise<void> {
  const file = await OpenFile.open(path, 'write');
  const narrower = how === 'added' ? null : new Narrower();
  const remover = how === 'utf8' ? null : new ReturnRemover();
  try {
    const sink = new Sink(file);
    for (let at = 0; at < source.size; at += stretch) {
      const bytes = source.read(at, stretch);
      const narrow = narrower?.narrow(bytes) ?? bytes;
      sink.write(remover?.next(narrow) ?? narrow);
      await tell(at, 0.05, 0.1);
    }
    if (remover) sink.write(remover.end());
    sink.flush();
  } finally {
    await file.close();
  }
}

/** A file as it was before it was sent: as if it were text, in what a transfer puts around a file, or in what lay in that. */
export type Undone = {
  source: Source;
  path: string;
  sent: ({ kind: 'textmode'; how: Transfer } | { kind: 'transfer'; how: Encoding | 'twice' })[];
};

type Sent = Undone['sent'][number];

/** What a transfer did to a file, and how it is undone; null for a file that nothing was done to. */
async function sentOf(reading: Reading): Promise<{ sent: Sent; write: (path: string) => Promise<void> } | null> {
  const { source, job } = reading;
  const envelope = envelopeOf(source);
  if (envelope)
    return {
      sent: { kind: 'transfer', how: envelope.encoding },
      write: (path) => writeUnpacked(reading, envelope, path),
    };
  const how = await transferOf(reading);
  if (how) return { sent: { kind: 'textmode', how }, write: (path) => writeUndone(reading, how, path) };
  // A recording of packets alone may be played again and again.
  const once = formatsOf('transport').some((format) => format === job.format) ? null : onceOf(source);
  if (!once) return null;
  const { from, to } = once;
  const again: Envelope = { from, encoding: 'again', length: to - from, boundary: null };
  return { sent: { kind: 'transfer', how: 'again' }, write: (path) => writeUnpacked(reading, again, path) };
}

/** Runs `act` on the file as it was before a transfer changed it, which is undone without loss. With null for a file without such a transfer. */
export async function undoTransfer<T>(
  reading: Reading,
  act: (undone: Undone | null) => Promise<T>,
  before: Undone | null = null,
): Promise<T> {
  const layers = before?.sent ?? [];
  const layer = layers.length < mostLayers ? await sentOf(reading) : null;
  if (!layer) return act(before);
  const path = `${before?.path ?? reading.job.outputPath}.binary`;
  try {
    await layer.write(path);
    const file = await OpenFile.open(path, 'read');
    try {
      const source = new Source(file);
      return await undoTransfer({ ...reading, source }, act, { source, path, sent: [...layers, layer.sent] });
    } finally {
      await file.close();
    }
  } finally {
    await removeFile(path);
  }
}
