import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isUnsorted } from '../../lib/repair/formats/flv/measure';
import { inversionsOf } from '../../lib/repair/formats/flv/moves';
import { Deadline } from '../../lib/repair/report';

it('counts pairs that stand the wrong way round', () => {
  const some = Array.from({ length: 333 }, (_, index) => (index * 7919) % 101);
  const pairs = some.flatMap((left, index) => some.slice(index + 1).filter((right) => right < left)).length;
  const sorted = Float64Array.from(some);
  expect(inversionsOf(sorted)).toBe(pairs);
  expect([...sorted]).toEqual([...some].sort((left, right) => left - right));
  expect(inversionsOf(new Float64Array())).toBe(0);
});

/** A tag of Flash video (Adobe FLV 10.1, annex E.4), with its size behind it. */
function tag(type: number, time: number, content: number[]): Buffer {
  const bytes = Buffer.alloc(15 + content.length);
  bytes[0] = type;
  bytes.writeUIntBE(content.length, 1, 3);
  bytes.writeUIntBE(time & 0xffffff, 4, 3);
  bytes[7] = time >>> 24;
  bytes.set(content, 11);
  bytes.writeUInt32BE(11 + content.length, 11 + content.length);
  return bytes;
}

/** A file of sound whose times run backwards. */
const backwards = (count: number) =>
  Buffer.concat([
    Buffer.from([0x46, 0x4c, 0x56, 1, 4, 0, 0, 0, 9, 0, 0, 0, 0]),
    tag(8, 0, [0xaf, 0, 0x12, 0x10]),
    ...Array.from({ length: count }, (_, index) =>
      tag(8, (count - index) * 23, [0xaf, 1, 0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c]),
    ),
  ]);

/** Whether a file is handed to the decoder. */
async function isSorted(bytes: Buffer): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'moves-'));
  const file = join(folder, 'input');
  try {
    await writeFile(file, bytes);
    return !(await isUnsorted(file, new Deadline(600_000, () => performance.now())));
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('does not hand a file to the decoder whose times run backwards all the time', async () => {
  expect(await isSorted(backwards(2000))).toBe(true);
  expect(await isSorted(backwards(40_000))).toBe(false);
});
