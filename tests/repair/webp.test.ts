import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { BitReader } from '../../lib/repair/codecs/vp8l/bits';
import { writeLossless } from '../../lib/repair/codecs/vp8l/encode';
import { readPixels } from '../../lib/repair/codecs/vp8l/image';
import { readLossless } from '../../lib/repair/codecs/vp8l/picture';
import { written } from '../../lib/repair/formats/webp/write';
import { damaged, webpRecipes } from './support/damage';
import { originals } from './support/originals';
import { picture } from './support/originals/picture';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const all = (await originals()).filter(({ format }) => format === 'webp');
const original = (writer: string): Buffer => {
  const found = all.find((file) => file.writer === `libvips, ${writer}`);
  if (!found) throw new Error(`There is no original ${writer}.`);
  return found.bytes;
};
const kinds = all.map(({ writer }) => writer.replace('libvips, ', ''));

const flipped = (at: number, all: Buffer): void => void all.writeUInt8(all.readUInt8(at) ^ 16, at);

async function repaired(bytes: Buffer, recipe: string) {
  const found = webpRecipes.find(({ name }) => name === recipe);
  const broken = found && damaged(bytes, found, 1);
  if (!broken) throw new Error(`${recipe} does not fit.`);
  return repairBytes(broken, 'picture.webp');
}

describe('a WebP picture', () => {
  it.each(kinds)('that is whole is returned as it is, with a word on what cannot be told: %s', async (kind) => {
    const bytes = original(kind);
    const { report, output } = await repairBytes(bytes, 'picture.webp');
    expect(report).toMatchObject({ verdict: 'healthy', format: 'webp', found: [], lost: [] });
    expect(report.summary).toContain('structure');
    expect(report.notes.join(' ')).toContain('no check sums');
    expect(output?.equals(bytes)).toBe(true);
  });

  it.each(kinds)('gets its head and lengths back: %s', async (kind) => {
    const bytes = original(kind);
    for (const recipe of ['RIFF wiped', 'size of all zeroed', 'WEBP wiped', 'bytes behind the end']) {
      const { report, output } = await repaired(bytes, recipe);
      expect(report.verdict, `${recipe}: ${report.summary}`).toBe('repaired');
      expect(await scoreAgainst('webp', bytes, output ?? Buffer.alloc(0)), recipe).toBe(1);
    }
  });

  it('gets a first length back that led nowhere', async () => {
    for (const kind of ['VP8', 'VP8L'])
      for (const recipe of ['first chunk length zeroed', 'first chunk length huge']) {
        const { report, output } = await repaired(original(kind), recipe);
        expect(report.verdict, `${kind}, ${recipe}: ${report.summary}`).toBe('repaired');
        expect(await scoreAgainst('webp', original(kind), output ?? Buffer.alloc(0))).toBe(1);
      }
  });

  it.each([
    ['VP8 with alpha', 'ALPH'],
    ['VP8 with a profile', 'ICCP'],
  ])('is not called repaired where a part that its flags tell of is not found: %s', async (kind, type) => {
    const bytes = Buffer.from(original(kind));
    const at = bytes.indexOf(type, 12, 'latin1');
    expect(at).toBeGreaterThan(0);
    // With its length something that leads on would tell what it is.
    bytes.fill(0, at, at + 8);
    const { report } = await repairBytes(bytes, 'picture.webp');
    expect(report.verdict).toBe('partly');
    expect(report.lost.length).toBeGreaterThan(0);
  });

  it('is not called healthy where lossy data was overwritten or a bit is wrong, though decoders show it', async () => {
    for (const kind of ['VP8', 'VP8, large', 'VP8 with alpha', 'VP8 with a profile'])
      for (const change of [(at: number, all: Buffer) => all.fill(0, at, at + 512), flipped]) {
        const bytes = Buffer.from(original(kind));
        change(bytes.length >> 1, bytes);
        if (
          !(await sharp(bytes, { failOn: 'none' })
            .raw()
            .toBuffer()
            .catch(() => null))
        )
          continue;
        const { report, output } = await repairBytes(bytes, 'picture.webp');
        expect(report, kind).toMatchObject({ verdict: 'unrepairable', reason: 'reads-best-as-is' });
        expect(output).toBeNull();
      }
  });

  it('is healthy however its writer cut it into partitions, segments and blocks', async () => {
    for (const options of [
      { quality: 5 },
      { quality: 95, effort: 6 },
      { quality: 60, effort: 0 },
      { preset: 'drawing' as const },
    ])
      for (const [width, height] of [
        [401, 263],
        [17, 9],
        [1, 1],
      ] as const) {
        const bytes = await picture(width, height, 57).webp(options).toBuffer();
        const { report } = await repairBytes(bytes, 'picture.webp');
        expect(report.verdict, JSON.stringify(options)).toBe('healthy');
      }
  });

  it('opens again when it was cut, and says what is lost', async () => {
    const bytes = original('VP8, large');
    const cut = bytes.subarray(0, Math.floor(bytes.length * 0.6));
    await expect(sharp(cut, { failOn: 'none' }).raw().toBuffer()).rejects.toThrow();
    const { report, output } = await repairBytes(cut, 'picture.webp');
    expect(report).toMatchObject({ verdict: 'partly', lost: [{ unit: 'bytes', count: bytes.length - cut.length }] });
    expect(await scoreAgainst('webp', bytes, output ?? Buffer.alloc(0))).toBeCloseTo(0.598, 2);
  });

  it('keeps the whole frames of an animation, and counts the others', async () => {
    const bytes = original('animation');
    const cut = bytes.subarray(0, Math.floor(bytes.length * 0.7));
    const { report, output } = await repairBytes(cut, 'picture.webp');
    // How many frames were behind the fourth one nothing tells.
    expect(report).toMatchObject({
      verdict: 'partly',
      lost: [
        { unit: 'frames', count: 1, detail: 'of 4' },
        { unit: 'bytes', count: bytes.length - cut.length },
      ],
    });
    expect((await sharp(output ?? Buffer.alloc(0), { animated: true }).metadata()).pages).toBe(3);
  });

  it('leaves out the frame of an animation that no decoder takes, and keeps the others', async () => {
    const bytes = Buffer.from(original('animation'));
    const { pages = 0 } = await sharp(bytes, { animated: true }).metadata();
    const first = bytes.indexOf('ANMF', 0, 'latin1');
    const at = bytes.indexOf('VP8', first, 'latin1');
    // The size of the first partition of a lossy frame reaches beyond its data (RFC 6386, 9.1), or there is no code.
    bytes.fill(0xf0, at + 8, at + 11);
    bytes.fill(0xff, at + 18, at + 60);
    const { report, output } = await repairBytes(bytes, 'picture.webp');
    expect(report).toMatchObject({ verdict: 'partly', lost: [{ unit: 'frames', count: 1 }] });
    expect((await sharp(output ?? Buffer.alloc(0), { animated: true }).metadata()).pages).toBe(pages - 1);
  });

  it('keeps the canvas of an animation that no frame covers, and says where it is lost', async () => {
    const bytes = Buffer.from(original('animation'));
    const at = bytes.indexOf('VP8X', 0, 'latin1') + 8;
    const side = bytes.readUIntLE(at + 4, 3) + 1;
    bytes.writeUIntLE(side + 2, at + 4, 3);
    const wrong = Buffer.from(bytes).fill(0, 4, 8);
    const { output } = await repairBytes(wrong, 'picture.webp');
    expect((await sharp(output ?? Buffer.alloc(0), { animated: true }).metadata()).width).toBe(side + 3);
    // The frames are moved, so that none begins in the corner.
    for (let frame = bytes.indexOf('ANMF', 0, 'latin1'); frame >= 0; frame = bytes.indexOf('ANMF', frame + 4, 'latin1'))
      bytes.writeUIntLE(1, frame + 8, 3);
    const size = { unit: 'description', detail: expect.stringContaining('size of the animation') };
    const headless = await repairBytes(bytes.subarray(at + 10), 'picture.webp');
    expect(headless.report).toMatchObject({ verdict: 'partly', lost: [size] });
    const bare = await repairBytes(bytes.subarray(bytes.indexOf('ANMF', 0, 'latin1')), 'picture.webp');
    expect(bare.report).toMatchObject({ verdict: 'partly', lost: [{ unit: 'description' }, size] });
  });

  it('is known without its head, by its picture, and refused without that', async () => {
    const bytes = original('VP8');
    const { report, output } = await repaired(bytes, 'head of 12 bytes cut out');
    expect(report).toMatchObject({ verdict: 'repaired', format: 'webp' });
    expect(await scoreAgainst('webp', bytes, output ?? Buffer.alloc(0))).toBe(1);
    const lost = Buffer.from(bytes).fill(0, 0, 512);
    expect((await repairBytes(lost, 'picture.webp')).report.verdict).toBe('unrepairable');
  });

  it('loses what a transfer in text mode put into it', async () => {
    const bytes = original('VP8L');
    const sent = Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
    const { report, output } = await repairBytes(sent, 'picture.webp');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(await scoreAgainst('webp', bytes, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('that is lossless and lost bytes to such a transfer is not called repaired, though its pixels can be read', async () => {
    for (const seed of [62, 73, 133]) {
      const bytes = await picture(320, 240, seed).webp({ lossless: true }).toBuffer();
      const sent = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
      const { report, output } = await repairBytes(sent, 'picture.webp');
      expect([report.verdict, output !== null], `${seed}: ${report.summary}`).toEqual(['partly', true]);
    }
  });

  it('that is lossless is not called healthy where it was overwritten, though decoders may show it', async () => {
    for (const seed of [55, 58, 59]) {
      const bytes = await picture(320, 240, seed).webp({ lossless: true }).toBuffer();
      for (const share of [0.3, 0.5, 0.7]) {
        const at = Math.floor(bytes.length * share);
        const broken = Buffer.from(bytes).fill(0, at, at + 700);
        const { report } = await repairBytes(broken, 'picture.webp');
        expect(report.verdict, `${seed}, ${share}: ${report.summary}`).not.toBe('healthy');
        expect(report.verdict).not.toBe('repaired');
      }
    }
  });

  it('that is lossless is not called healthy where anything but zeroes follows its last pixel', async () => {
    const bytes = await picture(201, 117, 66).webp({ lossless: true }).toBuffer();
    const start = bytes.indexOf('VP8L') + 8;
    const data = bytes.subarray(start, start + bytes.readUInt32LE(start - 4));
    const verdictOf = async (...more: number[]) =>
      (await repairBytes(written([{ type: 'VP8L', data: Buffer.concat([data, Buffer.from(more)]) }]), 'photo.webp'))
        .report.verdict;
    expect(await verdictOf()).toBe('healthy');
    expect(await verdictOf(0x5a, 0x01)).toBe('unrepairable');
  });

  it('that is lossless keeps the rows before the end of its data, and says how many are made up', async () => {
    for (const effort of [0, 4]) {
      const bytes = await picture(320, 240, 61).webp({ lossless: true, effort }).toBuffer();
      const cut = bytes.subarray(0, Math.floor(bytes.length * 0.6));
      const { report, output } = await repairBytes(cut, 'picture.webp');
      expect(report.verdict).toBe('partly');
      expect(report.lost).toMatchObject([{ unit: 'rows', detail: expect.stringContaining('of 240') }]);
      expect(await scoreAgainst('webp', bytes, output ?? Buffer.alloc(0))).toBeGreaterThan(0.5);
    }
  });

  it('is known where every byte beyond plain letters became two, those of its size among them', async () => {
    const bytes = Buffer.from(await picture(320, 240, 62).webp({ lossless: true }).toBuffer());
    const sent = Buffer.from(bytes.toString('latin1'), 'utf8');
    const { report, output } = await repairBytes(sent, 'picture.webp');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.equals(bytes)).toBe(true);
  });
});

describe('a lossless picture', () => {
  it('is read to its last pixel and written anew with the same pixels, whatever its writer did to them', async () => {
    for (const options of [{ effort: 0 }, { effort: 6 }, { nearLossless: true, quality: 40 }])
      for (const image of [
        picture(201, 117, 63),
        picture(201, 117, 64).png({ palette: true, colours: 12 }),
        picture(1, 1, 65),
      ]) {
        const bytes = await sharp(await image.png().toBuffer())
          .webp({ lossless: true, ...options })
          .toBuffer();
        const start = bytes.indexOf('VP8L') + 8;
        const data = bytes.subarray(start, start + bytes.readUInt32LE(start - 4));
        const read = readLossless(data);
        if (!read) throw new Error('The picture cannot be read.');
        const pixels = new Int32Array(read.coded.width * read.coded.height);
        expect(readPixels(read.coded, new BitReader(data), read.first, pixels, pixels.length)).toBe(true);
        expect(Math.ceil(read.first.bit / 8)).toBe(data.length);
        const anew = written([{ type: 'VP8L', data: Buffer.from(writeLossless(data, read, pixels)) }]);
        expect((await sharp(anew).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true);
      }
  });
});
