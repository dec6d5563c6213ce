import { Buffer } from '../../host/bytes';
import { type Encoding, envelopeOf, mostHead, plainEnd, Quoted, unpackerFor } from './envelope';

/** A file that was taken out of what carried it, how it lay there, and by how many bytes that made it smaller. */
export type Unpacked = { bytes: Buffer; how: Encoding; count: number };

/** Shortest run of letters that counts as a file, and the longest line of a message (RFC 2045, 6.8: 76; some writers put all into one line). */
const leastText = 256;
/** Share of a file that the text must make up: anything else in it is the rest of a message. */
const leastShare = 0.5;

/** The letters of base64 (RFC 4648, 4), in lines, with the padding at their end. */
const text = /[A-Za-z0-9+/\r\n]+={0,2}/g;

/**
 * The file that a message holds as base64 (RFC 2045, 6.8), as it lies in a saved mail or a `data:` address; null where the bytes are none.
 * A file that is text by itself has blanks and signs among its words, which end such a run early.
 */
function fromLetters(bytes: Buffer): Unpacked | null {
  if (!isText(bytes.subarray(0, mostHead))) return null;
  const all = bytes.toString('latin1');
  const named = /content-transfer-encoding:\s*base64[^\r\n]*[\s\S]*?\r?\n\r?\n|^data:[^,]{0,100};base64,/gi;
  let best: Unpacked | null = null;
  const consider = (from: number) => {
    text.lastIndex = from;
    const run = text.exec(all);
    if (!run || run.index - from > 2 || run[0].length < leastText) return;
    const file = Buffer.from(run[0], 'base64');
    if (file.length > (best?.bytes.length ?? 0))
      best = { bytes: file, how: 'base64', count: bytes.length - file.length };
  };
  for (const head of all.slice(0, mostHead).matchAll(named)) consider(head.index + head[0].length);
  if (!best) consider(all.length - all.trimStart().length);
  const found = best as Unpacked | null;
  return found && found.bytes.length >= bytes.length * leastShare ? found : null;
}

/** The file that lies behind the head of an HTTP answer, in a form, or in a mail as anything but base64. */
function fromEnvelope(bytes: Buffer): Unpacked | null {
  const envelope = envelopeOf(bytes);
  if (!envelope) return null;
  const unpacker = unpackerFor(envelope);
  const within = bytes.subarray(
    envelope.from,
    unpacker ? bytes.length : plainEnd(envelope, bytes.length, (mark, from) => bytes.indexOf(mark, from)),
  );
  const parts = unpacker ? [unpacker.next(within), unpacker instanceof Quoted ? unpacker.end() : null] : [within];
  const file = Buffer.concat(parts.filter((part) => part !== null));
  return { bytes: file, how: envelope.encoding, count: bytes.length - file.length };
}

/** The file in what carried it: a saved mail, a `data:` address, an HTTP answer, a form; null where the bytes are none of these. */
export const outOfCarrier = (bytes: Buffer): Unpacked | null => fromLetters(bytes) ?? fromEnvelope(bytes);

/** Whether there is nothing but printing letters and line ends. */
const isText = (bytes: Buffer): boolean =>
  bytes.length >= leastText &&
  bytes.every((byte) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13);
