import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { changed, fixtureOf } from './support/videos';

const avi = fixtureOf('avc.avi');
const at = (code: string, from = 0) => avi.indexOf(code, from, 'latin1');

const verdictOf = async (bytes: Buffer) => {
  const { report, output } = await repairBytes(bytes, 'a.avi');
  return { verdict: report.verdict, kinds: report.found.map(({ kind }) => kind), output };
};

describe('what leads to the pictures of AVI', () => {
  it('is mended where a chunk in front of them leads elsewhere', async () => {
    const list = at('hdrl') - 8;
    const changes: ((copy: Buffer) => void)[] = [
      (copy) => void copy.write('KIST', list, 'latin1'),
      (copy) => void copy.writeUInt32LE(copy.readUInt32LE(list + 4) + 6, list + 4),
    ];
    for (const change of changes) {
      const { verdict, kinds, output } = await verdictOf(changed(avi, (copy) => void change(copy)));
      expect([verdict, ...kinds]).toEqual(['repaired', 'structure']);
      expect(output?.toString('latin1', 12, 24)).toMatch(/^LIST.{4}hdrl$/s);
    }
  });

  it('is described anew where a format is none', async () => {
    const format = at('strf') + 8;
    for (const wrong of [0, 0x7fffffff]) {
      const { verdict, kinds, output } = await verdictOf(
        changed(avi, (copy) => void copy.writeInt32LE(wrong, format + 4)),
      );
      expect(kinds).toContain('headers');
      expect(verdict).not.toBe('healthy');
      const own = output?.indexOf('strf', 0, 'latin1') ?? -1;
      expect(output?.readInt32LE(own + 12)).toBe(avi.readInt32LE(format + 4));
    }
  });

  it('counts sound in the units of its own format where only its header is left', async () => {
    const sound = at('auds');
    const format = at('strf', sound);
    const { output } = await verdictOf(
      changed(avi, (copy) => {
        // Counted in frames, as sound of variable rate is.
        copy.writeUInt32LE(1152, sound + 20);
        copy.writeUInt32LE(44100, sound + 24);
        copy.writeUInt32LE(0, sound + 44);
        copy.write('xxxx', format, 'latin1');
      }),
    );
    const head = output?.indexOf('auds', 0, 'latin1') ?? -1;
    const own = output?.indexOf('strf', head, 'latin1') ?? -1;
    const [scale, rate, block] = [
      output?.readUInt32LE(head + 20),
      output?.readUInt32LE(head + 24),
      output?.readUInt16LE(own + 20),
    ];
    // Bytes, or blocks, a second by both.
    expect((rate ?? 0) / (scale ?? 1)).toBeCloseTo((output?.readUInt32LE(own + 16) ?? 0) / (block ?? 1), 0);
  });
});

describe('what stands in the header list and in the index of AVI', () => {
  const sizeOf = (code: string) => at(code) + 4;
  const entries = avi.lastIndexOf('idx1', avi.length, 'latin1') + 8;

  it.each([
    ['a main header of one byte less', 'headers', sizeOf('avih'), -1],
    ['a main header of one byte more', 'headers', sizeOf('avih'), 1],
    ['a format of some bytes more', 'headers', sizeOf('strf'), 2],
    ['the size of a chunk in the index', 'index', entries + 12, 1000],
    ['the place of a chunk in the index', 'index', entries + 16 * 5 + 8, 2],
  ])('is held against what follows: %s', async (_, kind, place, by) => {
    const bytes = changed(avi, (copy) => void copy.writeUInt32LE(copy.readUInt32LE(place) + by, place));
    const { verdict, kinds, output } = await verdictOf(bytes);
    expect([verdict, ...kinds]).toEqual(['repaired', kind]);
    expect((await verdictOf(output ?? Buffer.alloc(0))).verdict).toBe('healthy');
  });

  it('gives a chunk the size that leads to the next, where its own does not', async () => {
    const jpeg = fixtureOf('mjpeg.avi');
    const index = jpeg.lastIndexOf('idx1', jpeg.length, 'latin1') + 8;
    const places = Array.from({ length: 20 }, (_, entry) => index + entry * 16);
    const isOdd = (entry: number) => jpeg.readUInt32LE(entry + 12) % 2 === 1;
    const entry = places.find((one) => jpeg.toString('latin1', one, one + 4) === '00dc' && isOdd(one)) ?? 0;
    const chunk = jpeg.indexOf('movi', 0, 'latin1') + jpeg.readUInt32LE(entry + 8);
    const size = jpeg.readUInt32LE(entry + 12);
    const { verdict, output } = await verdictOf(changed(jpeg, (copy) => void copy.writeUInt32LE(size - 1, chunk + 4)));
    expect(verdict).toBe('repaired');
    expect(output?.includes(jpeg.subarray(chunk, chunk + 8 + size))).toBe(true);
  });

  it('gives a picture back the byte that its own size takes for padding', async () => {
    const count = Math.floor((avi.length - entries) / 16);
    const index = Array.from({ length: count }, (_, entry) => entries + entry * 16);
    const isEven = (entry: number) => avi.readUInt32LE(entry + 12) > 0 && avi.readUInt32LE(entry + 12) % 2 === 0;
    const entry = index.find((one) => avi.toString('latin1', one, one + 4) === '00dc' && isEven(one)) ?? 0;
    const chunk = at('movi') + avi.readUInt32LE(entry + 8);
    const bytes = changed(avi, (copy) => void copy.writeUInt32LE(copy.readUInt32LE(chunk + 4) - 1, chunk + 4));
    const { verdict, kinds, output } = await verdictOf(bytes);
    expect([verdict, ...kinds]).toEqual(['repaired', 'sizes']);
    expect(output?.includes(avi.subarray(chunk, chunk + 8 + avi.readUInt32LE(chunk + 4)))).toBe(true);
  });
});
