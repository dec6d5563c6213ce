import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { changed, fixtureOf } from './support/videos';

const stream = fixtureOf('avc.flv');

type Tag = { at: number; type: number; size: number };

/** The tags of a sound file, one behind the other. */
const tags: Tag[] = [];
for (let at = 13; at + 11 <= stream.length; ) {
  const size = stream.readUIntBE(at + 1, 3);
  tags.push({ at, type: stream[at] ?? 0, size });
  at += 15 + size;
}
const ofType = (wanted: number) => tags.filter(({ type }) => type === wanted);
const [sounds, pictures] = [ofType(8), ofType(9)];
const middle = (own: readonly Tag[]) => own[Math.floor(own.length / 2)] as Tag;

const repaired = async (bytes: Buffer) => {
  const { report, output } = await repairBytes(bytes, 'a.flv');
  return { verdict: report.verdict, kinds: report.found.map(({ kind }) => kind), isAsBefore: output?.equals(stream) };
};
const asBefore = (...kinds: string[]) => ({ verdict: 'repaired', kinds, isAsBefore: true });

describe('heads of packets in Flash video', () => {
  it('get the codec back that all others have', async () => {
    for (const { at } of [middle(sounds), middle(pictures)]) {
      const wrong = changed(stream, (copy) => void copy.writeUInt8((copy[at + 11] ?? 0) ^ 0x03, at + 11));
      expect(await repaired(wrong)).toEqual(asBefore('blocks'));
    }
  });

  it('get the type back that their content has', async () => {
    for (const [own, other] of [
      [sounds, 9],
      [pictures, 8],
    ] as const) {
      const wrong = changed(stream, (copy) => void copy.writeUInt8(other, middle(own).at));
      expect(await repaired(wrong)).toEqual(asBefore('blocks'));
    }
  });

  it('are set right where the size behind them leads back to them', async () => {
    const { at } = middle(pictures);
    const changes: ((copy: Buffer) => void)[] = [
      (copy) => void copy.writeUInt8(0xff, at),
      (copy) => void copy.writeUIntBE(7, at + 1, 3),
      (copy) => void copy.writeUIntBE(0x123456, at + 8, 3),
    ];
    for (const change of changes)
      expect(await repaired(changed(stream, (copy) => void change(copy)))).toEqual(asBefore('blocks'));
  });

  it('get a time between those beside them where theirs runs away', async () => {
    for (const own of [sounds, pictures]) {
      const { at } = middle(own);
      const { verdict, kinds } = await repaired(changed(stream, (copy) => void copy.writeUIntBE(0x7fffff, at + 4, 3)));
      expect([verdict, ...kinds]).toEqual(['repaired', 'times']);
    }
  });

  it('keep the times of one track where those of the other are all zero', async () => {
    const wrong = changed(stream, (copy) => {
      for (const { at } of sounds) copy.writeUIntBE(0, at + 4, 3);
    });
    const { report, output } = await repairBytes(wrong, 'a.flv');
    expect(report.found.map(({ kind }) => kind)).toEqual(['times']);
    const timesOf = (bytes: Buffer | null) => pictures.map(({ at }) => bytes?.readUIntBE(at + 4, 3));
    expect(timesOf(output)).toEqual(timesOf(stream));
    expect(output?.readUIntBE(middle(sounds).at + 4, 3)).toBeGreaterThan(0);
  });

  it('tell sizes behind all packets that are chance, and not those of one writer', async () => {
    const sizes = (of: (tag: Tag, index: number) => number) =>
      changed(stream, (copy) => {
        for (const [index, tag] of tags.entries()) copy.writeUInt32BE(of(tag, index), tag.at + 11 + tag.size);
      });
    expect((await repaired(sizes((_, index) => (index * 2654435761) >>> 0))).verdict).toBe('repaired');
    expect((await repaired(sizes(() => 0))).verdict).toBe('healthy');
    expect((await repaired(sizes(({ size }) => size))).verdict).toBe('healthy');
    expect((await repaired(sizes(({ size }) => size + 15))).verdict).toBe('healthy');
  });
});
