import { Buffer } from '../../host/bytes';
import { type Encoding, type Envelope, mostLayers, type Pieces, piecesOf } from './carried';
import { endOf, envelopeOf, mostHead } from './envelope';
import { stretchOf, unpackerFor } from './unpackers';

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

/** The bytes of a file in what carried it, up to about so many; null where more come out. */
function unpacked(file: Buffer, envelope: Envelope, most: number): Buffer | null {
  const unpacker = unpackerFor(envelope);
  const end = endOf(envelope, file.length, (mark, from) => file.indexOf(mark, from));
  if (!unpacker) return file.subarray(envelope.from, end);
  const parts: Buffer[] = [];
  const stretch = stretchOf(envelope);
  let length = 0;
  for (let at = envelope.from; at < end && !unpacker.isOver; at += stretch) {
    const part = unpacker.next(file.subarray(at, Math.min(end, at + stretch)));
    length += part.length;
    if (length > most) return null;
    parts.push(part);
  }
  return Buffer.concat([...parts, unpacker.end()]);
}

/** Encodings in which a message writes a file, of which it may hold several. */
const inMessages: readonly Encoding[] = ['base64', 'quoted', 'plain'];

/** One layer of what carries a file, taken off: the largest of what a text holds as base64, else the one that its envelope names. */
function once(bytes: Buffer, most: number): Unpacked | null {
  const envelope = envelopeOf(piecesOf(bytes));
  const text = envelope && !inMessages.includes(envelope.encoding) ? null : fromLetters(bytes);
  if (text) return text;
  const file = envelope && unpacked(bytes, envelope, most);
  return file && { bytes: file, how: envelope.encoding, count: bytes.length - file.length };
}

/** The file in what carried it: a mail, an address, an answer, a form, an archive of nothing else; null where the bytes are none of these. */
export function outOfCarrier(bytes: Buffer, most = Number.POSITIVE_INFINITY): Unpacked | null {
  const first = once(bytes, most);
  if (!first) return null;
  let within = first.bytes;
  for (let layer = 1; layer < mostLayers; layer++) {
    const next = once(within, most);
    if (!next) break;
    within = next.bytes;
  }
  return { bytes: within, how: first.how, count: bytes.length - within.length };
}

/** Packed bytes that are taken at a time where the beginning is asked for alone: they become a megabyte at most. */
const few = 1024;

/** What the first bytes of what is carried come to, as far as tells a format: a server asks for it, too. */
function beginning(head: Buffer, envelope: Envelope): Buffer {
  const unpacker = unpackerFor(envelope);
  if (!unpacker) return head;
  const parts: Buffer[] = [];
  let length = 0;
  for (let at = 0; at < head.length && length < mostHead && !unpacker.isOver; at += few) {
    const part = unpacker.next(head.subarray(at, at + few));
    length += part.length;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** What the beginning of a file holds that is read in pieces, out of what carried it; null where nothing did. */
export function glimpse(file: Pieces): Buffer | null {
  let found: Buffer | null = null;
  let within = file;
  for (let layer = 0; layer < mostLayers; layer++) {
    const envelope = envelopeOf(within);
    if (!envelope) return found;
    found = beginning(within.copy(envelope.from, mostHead), envelope);
    within = piecesOf(found);
  }
  return found;
}

/** Whether there is nothing but printing letters and line ends. */
const isText = (bytes: Buffer): boolean =>
  bytes.length >= leastText &&
  bytes.every((byte) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13);
