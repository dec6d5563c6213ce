import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../lib/repair/core/transfer/carried';
import { envelopeOf } from '../../lib/repair/core/transfer/envelope';
import { Base64, Chunks, Quoted } from '../../lib/repair/core/transfer/unpackers';
import { repairBytes } from './support/run';
import { videoFiles, videos } from './support/videos';

const text = (words: string) => Buffer.from(words, 'latin1');
const fields = (...lines: string[]) => text(`${lines.join('\r\n')}\r\n\r\n`);
const lines = (letters: string) => letters.replace(/.{76}/g, '$&\r\n');

/** Chunks of many sizes, one behind the other. */
function chunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 37) % 4093 || 1) {
    size = Math.min(size, bytes.length - at);
    parts.push(text(`${size.toString(16)}\r\n`), bytes.subarray(at, at + size), text('\r\n'));
  }
  return Buffer.concat([...parts, text('0\r\n\r\n')]);
}

/** Quoted-printable text of bytes, in lines of 76 letters at most. */
function quoted(bytes: Buffer): Buffer {
  const codes = Array.from(bytes, (byte) =>
    byte < 33 || byte > 126 || byte === 61
      ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
      : String.fromCharCode(byte),
  );
  let out = '';
  let line = 0;
  for (const code of codes) {
    if (line + code.length > 75) out += '=\r\n';
    line = line + code.length > 75 ? code.length : line + code.length;
    out += code;
  }
  return text(out);
}

const ways: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  [
    'as it is behind the head of an answer',
    (bytes) =>
      Buffer.concat([
        fields('HTTP/1.1 200 OK', 'Content-Type: video/mp4', `Content-Length: ${bytes.length}`),
        bytes,
        text('HTTP/1.1'),
      ]),
  ],
  [
    'in chunks',
    (bytes) => Buffer.concat([fields('HTTP/1.1 206 Partial Content', 'Transfer-Encoding: chunked'), chunked(bytes)]),
  ],
  [
    'in a form',
    (bytes) =>
      Buffer.concat([
        fields(
          '------Boundary7',
          'Content-Disposition: form-data; name="file"; filename="a"',
          'Content-Type: video/mp4',
        ),
        bytes,
        text('\r\n------Boundary7--\r\n'),
      ]),
  ],
  [
    'attached to a mail as base64',
    (bytes) =>
      Buffer.concat([
        fields('From: a@example.org', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed;', ' boundary="of parts"'),
        text('--of parts\r\nContent-Type: text/plain\r\n\r\nHere it is.\r\n'),
        fields('--of parts', 'Content-Type: video/mp4; name="a"', 'Content-Transfer-Encoding: base64'),
        text(`${lines(bytes.toString('base64'))}\r\n--of parts--\r\n`),
      ]),
  ],
  ['as base64 and nothing else', (bytes) => text(`${lines(bytes.toString('base64'))}\r\n`)],
  [
    'as quoted-printable text',
    (bytes) =>
      Buffer.concat([
        fields('Content-Type: video/mp4', 'Content-Transfer-Encoding: quoted-printable'),
        quoted(bytes),
        text('\r\n'),
      ]),
  ],
];

describe.each(ways)('a video %s', (_, wrapped) => {
  it.each([
    ['a.mp4', videos.mp4],
    ['a.mkv', videos.mkv],
    ['a.ts', videos.ts],
  ] as const)('comes back byte for byte: %s', async (name, bytes) => {
    const { report, output } = await repairBytes(wrapped(bytes), name);
    expect([report.verdict, report.found.map(({ kind }) => kind)]).toEqual(['repaired', ['transfer']]);
    expect(output?.equals(bytes)).toBe(true);
  });
});

it('what is left of a mail that was cut off is repaired like any other', async () => {
  const mail = ways[3]?.[1](videos.mkv) ?? Buffer.alloc(0);
  const { report } = await repairBytes(mail.subarray(0, mail.length >> 1), 'a.mkv');
  expect(report.verdict).toBe('partly');
  expect(report.found[0]?.kind).toBe('transfer');
});

it('no file begins as a transfer that is none', () => {
  for (const { bytes } of videoFiles) expect(envelopeOf(piecesOf(bytes))).toBeNull();
  expect(envelopeOf(piecesOf(text('Title: a note\r\n\r\nabout nothing')))).toBeNull();
});

it('unpacks byte by byte as it does at once', () => {
  const bytes = videos.mp4.subarray(0, 3000);
  const one = (unpacker: Base64 | Chunks | Quoted, packed: Buffer) => {
    const parts = Array.from(packed, (_, at) => unpacker.next(packed.subarray(at, at + 1)));
    return Buffer.concat(unpacker instanceof Quoted ? [...parts, unpacker.end()] : parts);
  };
  expect(one(new Base64(), text(lines(bytes.toString('base64')))).equals(bytes)).toBe(true);
  expect(one(new Chunks(), chunked(bytes)).equals(bytes)).toBe(true);
  expect(one(new Quoted('b'), Buffer.concat([quoted(bytes), text('\r\n--b--')])).equals(bytes)).toBe(true);
});
