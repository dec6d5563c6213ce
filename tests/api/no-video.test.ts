import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { kindOfNoVideo } from '@/lib/server/uploads/no-video';

const noise = Buffer.from(Array.from({ length: 60_000 }, (_, index) => (index * 7919 + (index >> 5)) % 256));

/** A saved mail. */
const mail = (encoding: string, text: string) =>
  Buffer.from(`MIME-Version: 1.0\r\nContent-Type: video/mp4\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${text}`);

it.each([
  ['text', Buffer.from('only words\n'.repeat(5000)), 'a text file'],
  ['zeros', Buffer.alloc(50_000), 'nothing but empty space'],
  ['sound', Buffer.concat([Buffer.from('ID3'), noise]), 'an MP3 recording'],
  ['a video whose head is text', Buffer.concat([Buffer.from('words '.repeat(20)), noise]), null],
  ['a video whose head is zeros', Buffer.concat([Buffer.alloc(4096), Buffer.from('mdat'), noise]), null],
  ['a mail that says its text is base64', mail('base64', noise.toString('base64')), null],
  ['a mail of words', mail('7bit', 'only words\n'.repeat(5000)), 'a text file'],
  ['a video that is still packed', gzipSync(noise), null],
  ['a video in an archive', Buffer.from(zipSync({ 'a.mp4': noise })), null],
  ['a text that is still packed', gzipSync('only words\n'.repeat(5000)), 'a gzip archive'],
  ['anything else', noise, null],
  // A video of a kind that the repair tells by its name.
  [
    'a Windows Media file',
    Buffer.concat([Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'), Buffer.from(noise)]),
    null,
  ],
])('tells what is certainly no video: %s', async (_name, bytes, expected) => {
  const read = async (start: number, length: number) => bytes.subarray(start, start + length);
  expect(await kindOfNoVideo(bytes.length, read)).toBe(expected);
});
