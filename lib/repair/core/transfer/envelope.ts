import { Buffer } from '../../host/bytes';
import { inArchive } from './archives';
import type { Encoding, Envelope, Pieces } from './carried';
import { inLetters } from './letters';

/** Bytes of the heads of a message at most, of its parts as well. */
export const mostHead = 65_536;
/** Parts of a message that are looked at. */
const mostParts = 20;

const statusLine = /^HTTP\/1\.[01] \d{3}[^\r\n]*\r?\n/;
const fieldLine = /^[A-Za-z][A-Za-z0-9-]{1,60}:[ \t]*[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n/;
/** Names of fields without which lines with colons are no head of a transfer. */
const telling =
  /^(?:content-type|content-transfer-encoding|content-disposition|content-length|content-encoding|mime-version|transfer-encoding)$/;

type Head = { fields: Map<string, string>; end: number };

/** The fields of a head that begins at `at` (RFC 5322, 2.2; RFC 9112, 5) and where its body begins; null where none does. */
function headAt(text: string, at: number): Head | null {
  const fields = new Map<string, string>();
  let place = at + (statusLine.exec(text.slice(at, at + 512))?.[0].length ?? 0);
  for (let field = fieldLine.exec(text.slice(place)); field; field = fieldLine.exec(text.slice(place))) {
    const [line] = field;
    const colon = line.indexOf(':');
    fields.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    place += line.length;
  }
  const blank = /^\r?\n/.exec(text.slice(place, place + 2));
  return blank && [...fields.keys()].some((name) => telling.test(name))
    ? { fields, end: place + blank[0].length }
    : null;
}

const boundaryOf = (type: string) => /^multipart\/.*;\s*boundary="?([^";]{1,70})"?/is.exec(type)?.[1] ?? null;

function encodingOf({ fields }: Head): Encoding {
  const told = (fields.get('content-transfer-encoding') ?? '').toLowerCase();
  if (told === 'base64') return 'base64';
  if (told === 'quoted-printable') return 'quoted';
  return /\bchunked\b/i.test(fields.get('transfer-encoding') ?? '') ? 'chunked' : 'plain';
}

/** The part of a message that is a file rather than its text: the first one that is no text. */
function partOf(text: string, from: number, boundary: string): Envelope | null {
  const mark = `--${boundary}`;
  let at = text.indexOf(mark, from);
  for (let part = 0; at >= 0 && part < mostParts; part++) {
    const line = text.indexOf('\n', at + mark.length);
    const head = line < 0 ? null : headAt(text, line + 1);
    const type = head?.fields.get('content-type') ?? '';
    const inner = boundaryOf(type);
    if (head && inner) return partOf(text, head.end, inner);
    if (head && !/^text\//i.test(type)) return { from: head.end, encoding: encodingOf(head), length: null, boundary };
    at = text.indexOf(mark, at + mark.length);
  }
  return null;
}

/** The first chunk of an answer whose head is gone, with the line of the next one behind it, or all of what was looked at. */
function inChunks(text: string, size: number): Envelope | null {
  const [line, digits] = /^([0-9A-Fa-f]{2,8})\r\n/.exec(text) ?? [];
  if (!line || !digits) return null;
  const next = line.length + Number.parseInt(digits, 16);
  if (next + 3 > Math.min(size, text.length)) return null;
  return /^\r\n[0-9A-Fa-f]{1,8}\r\n/.test(text.slice(next, next + 12))
    ? { from: 0, encoding: 'chunked', length: null, boundary: null }
    : null;
}

/** What a transfer put around a file; null for one that begins with its own bytes. */
export function envelopeOf(file: Pieces): Envelope | null {
  const text = file.copy(0, mostHead).toString('latin1');
  const form = /^--([^\r\n]{1,70})\r?\n/.exec(text)?.[1];
  if (form) return partOf(text, 0, form);
  const head = headAt(text, 0);
  if (!head) return inArchive(file) ?? inChunks(text, file.size) ?? inLetters(text);
  const boundary = boundaryOf(head.fields.get('content-type') ?? '');
  if (boundary) return partOf(text, head.end, boundary);
  const length = Number(head.fields.get('content-length') ?? Number.NaN);
  const encoding = encodingOf(head);
  return { from: head.end, encoding, length: encoding === 'plain' && length > 0 ? length : null, boundary: null };
}

/** Encodings whose own letters tell where they end. */
const selfEnding: readonly Encoding[] = ['base64', 'quoted', 'chunked', 'uuencode', 'hex'];

/** Where the bytes of a file end in what carried it; `find` is the place of a mark from one on, or less than 0. */
export function endOf(
  { from, encoding, length, boundary }: Envelope,
  size: number,
  find: (mark: Buffer, from: number) => number,
): number {
  if (selfEnding.includes(encoding)) return size;
  const mark = boundary === null ? -1 : find(Buffer.from(`\r\n--${boundary}`, 'latin1'), from);
  if (mark >= 0) return mark;
  return length === null ? size : Math.min(size, from + length);
}
