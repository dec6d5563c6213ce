import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { kindOfNoVideo } from '@/lib/server/uploads/no-video';

const folder = mkdtempSync(join(tmpdir(), 'mendara-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noise = Buffer.from(Array.from({ length: 60_000 }, (_, index) => (index * 7919 + (index >> 5)) % 256));

it.each([
  ['text', Buffer.from('only words\n'.repeat(5000)), 'a text file'],
  ['zeros', Buffer.alloc(50_000), 'nothing but empty space'],
  ['sound', Buffer.concat([Buffer.from('ID3'), noise]), 'an MP3 recording'],
  ['a video whose head is text', Buffer.concat([Buffer.from('words '.repeat(20)), noise]), null],
  ['a video whose head is zeros', Buffer.concat([Buffer.alloc(4096), Buffer.from('mdat'), noise]), null],
  ['anything else', noise, null],
])('tells what is certainly no video: %s', async (name, bytes, expected) => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  expect(await kindOfNoVideo(file)).toBe(expected);
});
