import { describe, expect, it } from 'vitest';
import { mendBlocks } from '../../lib/repair/formats/matroska/blocks';
import type { Block, Walk } from '../../lib/repair/formats/matroska/walk';
import type { Source } from '../../lib/repair/video/source';
import { repairBytes } from './support/run';
import { changed, fixtureOf, unsummed } from './support/videos';

const mkv = fixtureOf('avc.mkv');

type Found = { id: number; at: number; body: number; end: number };

/** Elements that hold others, of those before the first cluster. */
const parents = new Set([
  0x1a45dfa3, 0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0xe1, 0x1254c367, 0x7373, 0x63c0, 0x67c8,
]);
const cluster = 0x1f43b675;

/** The elements of a sound file up to its first cluster, and that cluster's head and time. */
function elementsOf(bytes: Buffer): Found[] {
  const found: Found[] = [];
  const walk = (from: number, to: number): boolean => {
    for (let at = from; at < to; ) {
      const idLength = Math.clz32(bytes[at] ?? 0) - 23;
      const id = bytes.readUIntBE(at, idLength);
      const sizeLength = Math.clz32(bytes[at + idLength] ?? 0) - 23;
      const raw =
        sizeLength > 6
          ? Number(bytes.readBigUInt64BE(at + idLength) & 0xffffffffffffffn)
          : bytes.readUIntBE(at + idLength, sizeLength) % 2 ** (7 * sizeLength);
      const body = at + idLength + sizeLength;
      found.push({ id, at, body, end: Math.min(to, body + raw) });
      if (id === cluster)
        return found.push({ id: 0xe7, at: body, body: body + 2, end: body + 2 + ((bytes[body + 1] ?? 0) & 0x7f) }) > 0;
      if (parents.has(id) && walk(body, Math.min(to, body + raw))) return true;
      at = body + raw;
    }
    return false;
  };
  walk(0, bytes.length);
  return found;
}

/** The n-th element of an identifier. */
const nth = (bytes: Buffer, id: number, n = 0) => elementsOf(bytes).filter((one) => one.id === id)[n] as Found;

const files = { 'a.mkv': unsummed(mkv), 'a.webm': unsummed(fixtureOf('vp9.webm')) };

async function outcome(bytes: Buffer, name: string) {
  const { report, output } = await repairBytes(bytes, name);
  const count = (unit: string) => report.kept.find((one) => one.unit === unit)?.count;
  return {
    report,
    output,
    kinds: report.found.map(({ kind }) => kind),
    frames: count('frames'),
    sounds: count('sound packets'),
  };
}

/** What there is in all of a sound file, as one reads whose tracks are written anew. */
async function allOf(name: 'a.mkv' | 'a.webm') {
  const { at } = nth(files[name], 0x73c5);
  const { frames, sounds } = await outcome(
    changed(files[name], (copy) => void copy.writeUInt8(0x41, at + 2)),
    name,
  );
  return { frames, sounds };
}

describe('heads and parts of Matroska', () => {
  it('are written anew where the head asks for a reader that there is none of', async () => {
    for (const name of ['a.mkv', 'a.webm'] as const) {
      const file = files[name];
      for (const [id, value] of [
        [0x42f7, 9],
        [0x42f2, 5],
        [0x42f3, 0],
        [0x4285, 200],
      ] as const) {
        const found = nth(file, id);
        if (!found) continue;
        const { report, output, kinds } = await outcome(
          changed(file, (copy) => void copy.writeUInt8(value, found.end - 1)),
          name,
        );
        expect([report.verdict, ...kinds], `${name} ${id}`).toEqual(['repaired', 'header']);
        expect(output?.subarray(0, 40).includes(name === 'a.webm' ? 'webm' : 'matroska')).toBe(true);
      }
    }
  });

  it('are kept but for what cannot be read, where the sizes in one do not lead on', async () => {
    const { end } = nth(mkv, 0x1549a966);
    expect((await outcome(files['a.mkv'], 'a.mkv')).report.verdict).toBe('healthy');
    for (const id of [0x4d80, 0x2ad7b1]) {
      const sizeAt = nth(mkv, id).at + (id > 0xffff ? 3 : 2);
      const { report, kinds, output } = await outcome(
        changed(files['a.mkv'], (copy) => void copy.writeUInt8(0x86, sizeAt)),
        'a.mkv',
      );
      expect(report.verdict).toBe('repaired');
      expect(kinds).toContain('structure');
      expect(output?.includes(mkv.subarray(end - 11, end))).toBe(true);
    }
  });

  it('get the byte back by which their check sum does not fit', async () => {
    for (const id of [0x1549a966, 0x1654ae6b]) {
      const { body, end } = nth(mkv, id);
      const content = mkv.subarray(body + 6, end);
      for (const at of [body + 10, body + 17, end - 3]) {
        const { report, kinds, output } = await outcome(
          changed(mkv, (copy) => void copy.writeUInt8((copy[at] ?? 0) ^ 0x35, at)),
          'a.mkv',
        );
        expect([report.verdict, ...kinds], `${id} ${at}`).toEqual(['repaired', 'sums']);
        expect(output?.includes(content)).toBe(true);
      }
    }
  });

  it('keep all tracks where an element of one is broken', async () => {
    for (const name of ['a.mkv', 'a.webm'] as const) {
      const all = await allOf(name);
      const file = files[name];
      for (const id of [0xd7, 0x73c5, 0x83, 0x86, 0xe0, 0xb0, 0xba]) {
        const found = nth(file, id);
        const idLength = id > 0xff ? 2 : 1;
        const changes = {
          name: (copy: Buffer) => void copy.writeUInt8(0x01, found.at),
          size: (copy: Buffer) => void copy.writeUInt8(0xc5, found.at + idLength),
          content: (copy: Buffer) => void copy.fill(0, found.body, found.end),
        };
        for (const [what, change] of Object.entries(changes)) {
          const { report, frames, sounds } = await outcome(
            changed(file, (copy) => change(copy)),
            name,
          );
          // An identifier of a track may be any number, and nothing else tells which.
          if (id === 0x73c5 && what === 'content') expect(report.verdict).toBe('healthy');
          else
            expect({ verdict: report.verdict, frames, sounds }, `${name} ${id} ${what}`).toEqual({
              verdict: 'repaired',
              ...all,
            });
        }
      }
    }
  });

  it('are told where the setup of a codec is another one', async () => {
    const { body } = nth(mkv, 0x63a2);
    const { kinds } = await outcome(
      changed(files['a.mkv'], (copy) => void copy.writeUInt8(0x7f, body)),
      'a.mkv',
    );
    expect(kinds).toContain('tracks');
  });

  it('get the time of a cluster back that cannot be read', async () => {
    const all = await allOf('a.mkv');
    const { at } = nth(mkv, 0xe7);
    const { report, frames, sounds } = await outcome(
      changed(mkv, (copy) => void copy.writeUInt8(0xe5, at)),
      'a.mkv',
    );
    expect(report.verdict).not.toBe('unrepairable');
    expect({ frames, sounds }).toEqual(all);
  });
});

describe('tracks of Matroska', () => {
  it.each([
    ['an entry of another name', 'a.mkv', 0xae, 1, (copy: Buffer, { at }: Found) => copy.writeUInt8(0xaf, at)],
    ['the number of another track', 'a.mkv', 0xd7, 0, (copy: Buffer, { body }: Found) => copy.writeUInt8(2, body)],
    ['the number of the track before', 'a.mkv', 0xd7, 1, (copy: Buffer, { body }: Found) => copy.writeUInt8(1, body)],
    [
      'a kind that swallows what follows',
      'a.mkv',
      0x83,
      1,
      (copy: Buffer, { body }: Found) => copy.writeUInt8(0x82, body - 1),
    ],
    [
      'a codec of garbled letters',
      'a.mkv',
      0x86,
      0,
      (copy: Buffer, { end }: Found) => copy.write('\x8f\x03q', end - 3, 'latin1'),
    ],
    [
      'an OpusHead of no version',
      'a.webm',
      0x63a2,
      -1,
      (copy: Buffer, { body }: Found) => copy.writeUInt8(0x91, body + 8),
    ],
    [
      'an OpusHead with a mapping for which there is no room',
      'a.webm',
      0x63a2,
      -1,
      (copy: Buffer, { body }: Found) => copy.writeUInt8(0x91, body + 18),
    ],
  ] as const)('come back with all they hold: %s', async (_, name, id, n, change) => {
    const found = elementsOf(files[name])
      .filter((one) => one.id === id)
      .at(n);
    expect(found).toBeDefined();
    const { report, kinds, frames, sounds } = await outcome(
      changed(files[name], (copy) => void change(copy, found as Found)),
      name,
    );
    expect({ verdict: report.verdict, frames, sounds }).toEqual({ verdict: 'repaired', ...(await allOf(name)) });
    expect(kinds).toContain('tracks');
  });
});

it('get settings by their codec where one stands there twice, as behind one that swallows what follows', async () => {
  const { at } = nth(files['a.mkv'], 0x9a);
  const { report, kinds } = await outcome(
    changed(files['a.mkv'], (copy) => void copy.writeUInt8(0xb0, at)),
    'a.mkv',
  );
  expect([report.verdict, ...kinds]).toEqual(['repaired', 'tracks']);
});

it('lose of the colours of a track only what cannot be read', async () => {
  const file = unsummed(fixtureOf('vp9-hidden.webm'));
  expect((await outcome(file, 'a.webm')).report.verdict).toBe('healthy');
  const { body } = nth(file, 0x55b0);
  const { report, output, kinds } = await outcome(
    changed(file, (copy) => void copy.writeUInt8(0xd5, body + 2)),
    'a.webm',
  );
  expect([report.verdict, ...kinds]).toEqual(['repaired', 'tracks']);
  expect((await outcome(output ?? Buffer.alloc(0), 'a.webm')).report.verdict).toBe('healthy');
});

describe('heads of blocks', () => {
  const [perBlock, size] = [100, 24];
  /** Blocks one after another in memory, of which the first `laced` hold so many frames of one size. */
  const walkOf = (tracks: readonly number[], counts: readonly number[] = []) => {
    const bytes = Buffer.alloc(tracks.length * perBlock, 0x55);
    const blocks = tracks.map((track, index): Block => {
      const offset = index * perBlock;
      const count = counts[index] ?? 0;
      bytes.writeUInt8(0x80 | track, offset);
      if (count > 0) bytes.writeUInt8(count - 1, offset + 4);
      const dataEnd = offset + 4 + (count > 0 ? 1 + 3 * size : size);
      return { offset, end: dataEnd, track, key: true, data: offset + 4, dataEnd, lacing: count > 0 ? 2 : 0, time: 0 };
    });
    const source = {
      read: (at: number, length: number) => bytes.subarray(at, at + length),
      mend: (at: number, value: number) => void bytes.writeUInt8(value, at),
    } as unknown as Source;
    return { bytes, source, blocks, walk: { clusters: [{ time: 0, blocks }] } as unknown as Walk };
  };

  it('of one wrong number are bits that changed, and many those of a track', () => {
    const one = walkOf([...Array<number>(40).fill(2), 3]);
    expect(mendBlocks(one.source, one.walk, new Set([2]))).toEqual({ mended: 1, stray: 0 });
    const many = walkOf([...Array<number>(40).fill(2), ...Array<number>(12).fill(3)]);
    expect(mendBlocks(many.source, many.walk, new Set([2]))).toEqual({ mended: 0, stray: 12 });
  });

  it('hold as many frames of one size as those of the others leave', () => {
    const { bytes, source, walk } = walkOf(Array<number>(6).fill(2), [3, 3, 5, 3, 3, 3]);
    expect(mendBlocks(source, walk, new Set([2]))).toEqual({ mended: 1, stray: 0 });
    expect(bytes[2 * perBlock + 4]).toBe(2);
  });

  it('may hold several frames where few of a track do', () => {
    const { source, walk } = walkOf(Array<number>(60).fill(2), [3]);
    expect(mendBlocks(source, walk, new Set([2]))).toEqual({ mended: 0, stray: 0 });
  });
});
