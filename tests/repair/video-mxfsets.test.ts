import { describe, expect, it } from 'vitest';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { fixtureOf, videos } from './support/videos';

withChildren();

/** Sets of header metadata by the two bytes of their kind (SMPTE 377-1, annex A), and a primer, a partition and filler by their keys. */
const set = (kind: string) => `060e2b34025301010d01010101${kind}00`;
const primer = '060e2b34020501010d01020101050100';
const partition = '060e2b34020501010d01020101';
const filler = '060e2b3401010102030102100100000';

/** Where the value of the nth packet begins whose key begins so, and its bytes. */
function valueIn(bytes: Buffer, key: string, nth = 0): { at: number; body: number; size: number } {
  let seen = 0;
  for (let at = 0; at + 17 <= bytes.length; ) {
    const first = bytes[at + 16] ?? 0;
    const count = first & 0x80 ? first & 0x7f : 0;
    const size = count === 0 ? first : Number(`0x${bytes.toString('hex', at + 17, at + 17 + count)}`);
    const body = at + 17 + count;
    if (bytes.toString('hex', at, at + 16).startsWith(key) && seen++ === nth) return { at, body, size };
    at = body + size;
  }
  throw new Error(`no ${key}`);
}

/** Where an item of a set begins, its tag first. */
function itemIn(bytes: Buffer, kind: string, tag: number, nth = 0): number {
  const { body, size } = valueIn(bytes, set(kind), nth);
  for (let at = body; at < body + size; at += 4 + bytes.readUInt16BE(at + 2))
    if (bytes.readUInt16BE(at) === tag) return at;
  throw new Error(`no item ${tag}`);
}

/** Changes an item's value from its beginning on. */
const valued = (kind: string, tag: number, value: string, nth?: number) => (bytes: Buffer) =>
  bytes.write(value, itemIn(bytes, kind, tag, nth) + 4, 'hex');
/** Changes what an item says to be its length. */
const sized = (kind: string, tag: number, size: number) => (bytes: Buffer) =>
  bytes.writeUInt16BE(size, itemIn(bytes, kind, tag) + 2);

/** The sets of a file from its primer to the last of its preface, storage, packages, tracks, sequences, clips and descriptors. */
function setsOf(bytes: Buffer): Buffer[] {
  const kinds = ['012f', '0118', '0123', '0136', '0137', '013b', '010f', '0111', '0144', '0147', '0151'];
  return [primer, ...kinds.map(set)].map((key) => {
    const { body, size } = valueIn(bytes, key);
    return bytes.subarray(body, body + size);
  });
}

/** What a damaged copy comes back as: repaired, and sound. */
async function comesBack(hurt: (bytes: Buffer) => unknown): Promise<Buffer> {
  const bytes = Buffer.from(videos.mxf);
  hurt(bytes);
  const { report, output } = await repairBytes(bytes, 'clip.mxf');
  expect(report.verdict, report.summary).toBe('repaired');
  const written = Buffer.from(output ?? []);
  expect((await repairBytes(written, 'clip.mxf')).report.verdict).toBe('healthy');
  return written;
}

describe('MXF whose header metadata does not lead from set to set', () => {
  it.each([
    ['a preface to no storage', valued('012f', 0x3b03, 'ff00')],
    ['a storage to no package', valued('0118', 0x1901, '00000002000000107777')],
    ['a package to no track', valued('0137', 0x4403, '000000020000001055')],
    ['a track to no sequence', valued('013b', 0x4803, '1234567890')],
    ['a sequence to no clip', valued('010f', 0x1001, '0000000100000010abcd')],
    ['to a descriptor that has another identifier', valued('0151', 0x3c0a, '99999999')],
  ])('is led to the one set that nothing leads to: %s', async (_, hurt) => {
    await comesBack(hurt);
  });

  it.each([
    ['a batch that counts more than it holds', valued('0118', 0x1901, '00000009')],
    ['essence of a package that is not there', valued('0123', 0x2701, '000000000000')],
    ['a package whose number nothing names', valued('0137', 0x4401, '000000000000')],
    ['a descriptor of a track that is not there', valued('0151', 0x3006, '00000077')],
    ['a track whose number nothing names', valued('013b', 0x4801, '00000055', 4)],
    ['a clip of a track that is not there', valued('0111', 0x1102, '00000044')],
    ['essence of a stream that no partition holds', valued('0123', 0x3f07, '00007700')],
    ['samples of seventeen bits', valued('0147', 0x3d01, '00000011')],
    ['an item of one byte too few', sized('013b', 0x4b01, 7)],
    ['an item that reaches over the next', sized('0136', 0x4405, 300)],
    ['a primer of too many tags', (bytes: Buffer) => bytes.writeUInt32BE(250, valueIn(bytes, primer).body)],
  ])('is set right where that can be one way only: %s', async (_, hurt) => {
    const written = await comesBack(hurt);
    expect(setsOf(written)).toEqual(setsOf(videos.mxf));
  });

  it('is muxed anew from pictures that tell their codec where more is wrong than can be told', async () => {
    const bytes = Buffer.from(videos.mxf);
    for (const nth of [0, 1, 2, 3]) valued('013b', 0x4803, 'ffffffff', nth)(bytes);
    const { report, output } = await repairBytes(bytes, 'clip.mxf');
    expect(report.verdict, report.summary).not.toBe('healthy');
    expect(output).not.toBeNull();
    expect((await repairBytes(Buffer.from(output ?? []), 'clip.mxf')).report.verdict).toBe('healthy');
  });
});

describe('MXF whose partitions are not what they say', () => {
  it.each([
    ['where they lie', 8],
    ['how much essence is before them', 52],
  ])('is written anew: %s', async (_, field) => {
    await comesBack((bytes) => bytes.writeUInt32BE(0x7777, valueIn(bytes, partition).body + field));
  });
});

describe('MXF with a damaged key', () => {
  const whole = fixtureOf('avc.mxf');

  it('keeps the picture before it, and loses nothing where the key was that of filler', async () => {
    const { at } = valueIn(whole, filler, 6);
    const bytes = Buffer.from(whole);
    bytes.write('7071727374757677', at, 'hex');
    const { report } = await repairBytes(bytes, 'clip.mxf');
    expect(report.verdict, JSON.stringify(report.lost)).toBe('repaired');
    expect(report.lost).toEqual([]);
  });
});
