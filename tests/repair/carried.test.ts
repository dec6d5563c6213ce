import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../lib/repair/core/transfer/carried';
import { glimpse, outOfCarrier } from '../../lib/repair/core/transfer/carrier';
import { envelopeOf } from '../../lib/repair/core/transfer/envelope';
import { onceOf } from '../../lib/repair/core/transfer/restart';
import { Digits, Lines, Pairs, type Unpacker } from '../../lib/repair/core/transfer/unpackers';
import { repairBytes } from './support/run';
import { videos } from './support/videos';

const original = (name: string) => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));
const text = (words: string) => Buffer.from(words, 'latin1');
const base64 = (bytes: Buffer) => bytes.toString('base64');

const { width, height } = { width: 120, height: 90 };
const colours = Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => (at * 7 + (at >> 6) * 31) & 255));
const photo = await sharp(colours, { raw: { width, height, channels: 3 } })
  .jpeg()
  .toBuffer();

/** Lines of uuencode, behind their first one. */
function uuencoded(bytes: Buffer): Buffer {
  const letter = (bits: number) => String.fromCharCode(bits === 0 ? 96 : bits + 32);
  const lines = ['begin 644 file'];
  for (let at = 0; at < bytes.length; at += 45) {
    const part = Buffer.concat([bytes.subarray(at, at + 45), Buffer.alloc(2)]);
    const count = Math.min(45, bytes.length - at);
    let line = letter(count);
    for (let three = 0; three < count; three += 3) {
      const [a = 0, b = 0, c = 0] = part.subarray(three);
      line += [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63].map(letter).join('');
    }
    lines.push(line);
  }
  return text(`${lines.join('\n')}\n\`\nend\n`);
}

/** A TAR archive of files. */
function tarred(files: Record<string, Buffer>): Buffer {
  const parts = Object.entries(files).flatMap(([name, bytes]) => {
    const head = Buffer.alloc(512);
    head.write(name, 0, 'latin1');
    head.write(bytes.length.toString(8).padStart(11, '0'), 124, 'latin1');
    head.fill(32, 148, 156);
    head.write('0', 156, 'latin1');
    head.write('ustar\x0000', 257, 'latin1');
    const sum = head.reduce((all, byte) => all + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** Each byte as the letter of two bytes that Windows-1252 has for it. */
const letters = (bytes: Buffer) => new TextDecoder('windows-1252').decode(bytes);
const asWindowsText = (bytes: Buffer) => Buffer.from(letters(bytes), 'utf8');
const samePixels = async (one: Buffer | null, other: Buffer) =>
  one !== null && (await sharp(one).raw().toBuffer()).equals(await sharp(other).raw().toBuffer());
const chunk = (bytes: Buffer) => Buffer.concat([text(`${bytes.length.toString(16)}\r\n`), bytes, text('\r\n')]);
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

const ways: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['packed by gzip', (bytes) => gzipSync(bytes)],
  ['in a ZIP archive', (bytes) => Buffer.from(zipSync({ 'holiday/one': bytes }))],
  [
    'in a ZIP archive of a Mac, as it is',
    (bytes) => Buffer.from(zipSync({ one: [bytes, { level: 0 }], '__MACOSX/._one': text('what a Mac adds') })),
  ],
  ['in a TAR archive', (bytes) => tarred({ './._one': text('what a Mac adds'), one: bytes })],
  ['as hexadecimal digits', (bytes) => text(`\\x${bytes.toString('hex')}`)],
  ['as lines of uuencode', uuencoded],
  ['as base64 in JSON', (bytes) => text(JSON.stringify({ name: 'one', data: base64(bytes) }))],
  ['as base64 for addresses', (bytes) => text(bytes.toString('base64url'))],
  ['as base64 in a data: address', (bytes) => text(`data:application/octet-stream;base64,${base64(bytes)}`)],
  ['as text of two bytes a letter', (bytes) => Buffer.from(`\ufeff${bytes.toString('latin1')}`, 'utf16le')],
  ['the same the other way round', (bytes) => swapped(Buffer.from(bytes.toString('latin1'), 'utf16le'))],
  ['as UTF-8 of Windows letters', asWindowsText],
  [
    'in chunks without the head of the answer',
    (bytes) => Buffer.concat([chunk(bytes.subarray(0, 900)), chunk(bytes.subarray(900)), text('0\r\n\r\n')]),
  ],
  [
    'packed, in an answer',
    (bytes) => Buffer.concat([text('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n'), gzipSync(bytes)]),
  ],
  ['behind a first try that broke off', (bytes) => Buffer.concat([bytes.subarray(0, bytes.length * 0.4), bytes])],
];

const files: readonly (readonly [string, Buffer])[] = [
  ['a.jpg', photo],
  ['a.docx', original('libreoffice-letter.docx')],
  ['a.xls', original('libreoffice-table.xls')],
  ['a.mp4', videos.mp4],
  ['a.avi', videos.avi],
];

describe.each(ways)('a file %s', (_, carry) => {
  it.each(files)('comes back byte for byte: %s', async (name, bytes) => {
    const { report, output } = await repairBytes(carry(bytes), name);
    expect(report).toMatchObject({ verdict: 'repaired' });
    // What was made UTF-8 is undone within the format, which writes a photo's head anew.
    const isSame = carry === asWindowsText && bytes === photo ? await samePixels(output, bytes) : output?.equals(bytes);
    expect(isSame).toBe(true);
  });
});

it('unpacks letters byte by byte as it does at once', () => {
  const one = (unpacker: Unpacker, packed: Buffer) =>
    Buffer.concat([...Array.from(packed, (_, at) => unpacker.next(packed.subarray(at, at + 1))), unpacker.end()]);
  const lines = uuencoded(photo);
  expect(one(new Digits(), text(photo.toString('hex'))).equals(photo)).toBe(true);
  expect(one(new Lines(), lines.subarray(lines.indexOf(10) + 1)).equals(photo)).toBe(true);
  expect(one(new Pairs(true), Buffer.from(photo.toString('latin1'), 'utf16le')).equals(photo)).toBe(true);
});

it('gives a line of uuencode up that has no end, and no more of a bomb than tells its format', () => {
  const lines = new Lines();
  expect(lines.next(text('M'.repeat(5000)))).toHaveLength(0);
  expect(lines.isOver).toBe(true);
  const bomb = piecesOf(gzipSync(Buffer.alloc(1 << 26)));
  expect(glimpse(bomb)?.length).toBeLessThan(1 << 22);
});

it('of a file that is cut off while packed comes back what was packed so far', async () => {
  const bytes = gzipSync(photo);
  const { report } = await repairBytes(bytes.subarray(0, bytes.length * 0.7), 'a.jpg');
  expect(report.verdict).toBe('partly');
  expect(report.found[0]?.detail).toContain('gzip');
});

it.each([
  ['holds two photos', Buffer.from(zipSync({ 'a.jpg': photo, 'b.jpg': photo })), 'ZIP'],
  ['holds a text', Buffer.from(zipSync({ 'a.txt': text('Nothing of a picture. '.repeat(90)) })), 'ZIP'],
  ['of gzip holds a text', gzipSync(text('Nothing of a picture. '.repeat(90))), 'gzip'],
])('an archive that %s is told by its name', async (_, bytes, name) => {
  for (const file of ['a.jpg', 'a.mp4']) {
    const { report } = await repairBytes(bytes, file);
    expect(report.verdict).toBe('unrepairable');
    expect(report.summary).toContain(name);
  }
});

it('what becomes more than a photo may be is left packed', () => {
  const bomb = gzipSync(Buffer.alloc(1 << 24));
  expect(outOfCarrier(bomb, 1 << 20)).toBeNull();
  expect(outOfCarrier(bomb, 1 << 25)?.bytes).toHaveLength(1 << 24);
});

it('a photo that is packed in more than it can be is told to be packed', async () => {
  const { report } = await repairBytes(gzipSync(Buffer.concat([photo, Buffer.alloc(1 << 24)])), 'a.jpg');
  expect(report).toMatchObject({ verdict: 'unrepairable', summary: expect.stringContaining('gzip') });
});

it('a file is not taken for one that stands twice by a beginning that comes again', () => {
  const twice = Buffer.concat([photo, photo.subarray(0, 600), photo.subarray(700)]);
  expect(onceOf(piecesOf(twice))).toBeNull();
  expect(onceOf(piecesOf(Buffer.alloc(5000)))).toBeNull();
  expect(onceOf(piecesOf(text('abc'.repeat(5000))))).toBeNull();
  expect(onceOf(piecesOf(Buffer.concat([photo, photo])))).toEqual({ from: photo.length, to: 2 * photo.length });
  expect(onceOf(piecesOf(Buffer.concat([photo, photo.subarray(0, 600)])))).toEqual({ from: 0, to: photo.length });
});

it('what fills a gap is no text that holds a file', () => {
  for (const fill of ['Z', '0', '00', 'ab', 'A\r\n', 'no'])
    for (const end of ['', 'ftyp\0\u00ff'])
      expect(envelopeOf(piecesOf(text(`${fill.repeat(5000)}${end}`))), `${fill} ${end}`).toBeNull();
});

it('blank lines around a video are no lost pictures of it', async () => {
  const { report } = await repairBytes(Buffer.concat([text('\r\n\r\n'), videos.mkv, text('\r\n')]), 'a.mkv');
  expect(report).toMatchObject({ verdict: 'repaired', lost: [] });
});
