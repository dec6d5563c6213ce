import { expect, it } from 'vitest';
import { findPlaces } from '../../lib/repair/formats/tiff/shape/remains';
import { repairBytes } from './support/run';

/** Milliseconds after which what never comes to an end is told from a busy machine. */
const endless = 120_000;

/** Pages that all list the same plain strips of one row, of so many bytes. */
function sharing(pages: number, strips: number, width: number): Buffer {
  const data = Buffer.alloc(width * 64);
  for (let at = 0; at < data.length; at++) data[at] = (at % width) * 3 + (at >> 6);
  const lists = 8 + data.length;
  const first = lists + strips * 8;
  const entries = [
    [256, 3, 1, width],
    [257, 4, 1, strips],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, strips, lists],
    [277, 3, 1, 1],
    [278, 4, 1, 1],
    [279, 4, strips, lists + strips * 4],
  ] as const;
  const each = 6 + entries.length * 12;
  const bytes = Buffer.alloc(first + pages * each);
  bytes.write('49492a00', 'hex');
  bytes.writeUInt32LE(first, 4);
  data.copy(bytes, 8);
  for (let strip = 0; strip < strips; strip++) {
    bytes.writeUInt32LE(8 + (strip % 64) * width, lists + strip * 4);
    bytes.writeUInt32LE(width, lists + (strips + strip) * 4);
  }
  for (let page = 0; page < pages; page++) {
    const at = first + page * each;
    bytes.writeUInt16LE(entries.length, at);
    for (const [index, [tag, type, count, value]] of entries.entries()) {
      bytes.writeUInt16LE(tag, at + 2 + index * 12);
      bytes.writeUInt16LE(type, at + 4 + index * 12);
      bytes.writeUInt32LE(count, at + 6 + index * 12);
      bytes.writeUInt32LE(value, at + 10 + index * 12);
    }
    bytes.writeUInt32LE(page + 1 < pages ? at + each : 0, at + each - 4);
  }
  return bytes;
}

it('reads no more strips than there can be, where pages share theirs', { timeout: endless }, async () => {
  const { report } = await repairBytes(sharing(64, 100_000, 64), 'a.tif');
  expect(report.verdict, JSON.stringify(report.notes)).toBe('healthy');
});

it('looks for a list of places no longer than it may', { timeout: endless }, () => {
  const bytes = Buffer.alloc(6 << 20);
  for (let at = 8; at + 4 <= bytes.length; at += 4) bytes.writeUInt32LE(Math.min(bytes.length - 1, at * 4), at);
  expect(() => findPlaces(bytes)).not.toThrow();
});
