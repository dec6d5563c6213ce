import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { writeJpeg } from './support/originals/jpegwriter';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height] = [960, 640];
const whole = writeJpeg(scene(width, height, 31), width, height, {
  quality: 90,
  horizontal: 2,
  vertical: 1,
  restart: 0,
  segments: [],
});
const pixels = (bytes: Buffer) => sharp(bytes, { failOn: 'none' }).raw().toBuffer();
const truth = await pixels(whole);

/** A photo of other sizes, as libjpeg writes it with tables of its own. */
const other = (progressive: boolean): Promise<Buffer> =>
  sharp(scene(1600, 1000, 12), { raw: { width: 1600, height: 1000, channels: 3 } })
    .jpeg({ quality: 60, progressive, optimiseCoding: true })
    .toBuffer();

/** Share of samples that are further from the original than rounding. */
async function farShare(bytes: Buffer): Promise<number> {
  const samples = await pixels(bytes);
  return samples.reduce((sum, sample, at) => sum + (Math.abs(sample - (truth[at] ?? 0)) > 6 ? 1 : 0), 0) / truth.length;
}

describe('a wrong bit that changes brightness or colours for all that follows', () => {
  it.each([
    ['in the first row', 1460, 3],
    ['in the first row, of colours', 1275, 0],
    ['further down', 20_679, 6],
    ['beside one that is set right', 20_605, 3],
    ['where nothing but the step tells of it', 50_248, 3],
    ['where the blocks beside it hold anything', 83_752, 4],
  ])('is levelled: %s', async (_, at, bit) => {
    const bad = Buffer.from(whole);
    bad[at] = (bad[at] ?? 0) ^ (1 << bit);
    expect(await farShare(bad)).toBeGreaterThan(0.3);
    const { report, output } = await repairBytes(bad, 'photo.jpg');
    expect(report.verdict).toBe('partly');
    expect(report.steps.map(({ name }) => name)).toContain('Match brightness');
    expect(await farShare(output ?? bad)).toBeLessThan(0.01);
  });
});

describe('a drawing with an edge where a wrong difference would leave one', () => {
  it('is sound', async () => {
    const drawn = Buffer.alloc(width * height * 3, 255);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const isBehind = y >= 320 || (y >= 304 && x >= 480);
        if (isBehind) drawn.fill(231, (y * width + x) * 3, (y * width + x) * 3 + 3);
        if (y % 96 < 12 && x % 40 < 28) drawn.fill(20, (y * width + x) * 3, (y * width + x) * 3 + 3);
      }
    const sound = await sharp(drawn, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 85 })
      .toBuffer();
    const { report } = await repairBytes(sound, 'drawing.jpg');
    expect(report.verdict, report.summary).toBe('healthy');
  });
});

describe('a lost sector behind which brightness drifts away', () => {
  it('is where the rows behind it follow those above once levelled', async () => {
    const lost = Buffer.concat([whole.subarray(0, 43_094), whole.subarray(43_606)]);
    const { output } = await repairBytes(lost, 'photo.jpg');
    expect(await farShare(output ?? lost)).toBeLessThan(0.01);
  });
});

describe('a JPEG of which hardly anything is its own', () => {
  it.each([false, true])('is not handed out behind the head of another photo, progressive: %s', async (progressive) => {
    const head = (await other(progressive)).subarray(0, 4096);
    const { report, output } = await repairBytes(Buffer.concat([head, whole.subarray(4096)]), 'photo.jpg');
    expect(report.verdict, report.summary).toBe('unrepairable');
    expect(output).toBeNull();
  });

  it('is handed out where its own data is overwritten from the middle on', async () => {
    const half = whole.length >> 1;
    const noise = randomBytes(randomFrom(5), whole.length - half);
    const { report, output } = await repairBytes(Buffer.concat([whole.subarray(0, half), noise]), 'photo.jpg');
    expect(report.verdict).toBe('partly');
    expect(await farShare(output ?? noise)).toBeLessThan(0.6);
  });

  it('is told as a smaller picture where that stands behind the data of a photo without a head', async () => {
    const small = await sharp(whole).resize(120).jpeg().toBuffer();
    const { report, output } = await repairBytes(Buffer.concat([whole.subarray(2000), small]), 'photo.jpg');
    expect(report.verdict).toBe('partly');
    expect(report.summary).toContain('a smaller picture of 120 × 80 pixels inside the file');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'bytes' }));
    expect((await sharp(output ?? whole).metadata()).width).toBe(120);
  });

  it('is told as a smaller picture, too, where that is a third as large', async () => {
    const small = await sharp(whole).resize(520).jpeg({ quality: 90 }).toBuffer();
    const front = whole.subarray(4096);
    expect(front.length / small.length).toBeLessThan(4);
    const { report } = await repairBytes(Buffer.concat([Buffer.alloc(4096), front, small]), 'photo.jpg');
    expect(report.verdict).toBe('partly');
    expect(report.summary).toContain('a smaller picture of 520 × 347 pixels inside the file');
  });

  it('is told as a smaller picture in a file that is another one by its name and for the most part', async () => {
    const small = await sharp(whole).resize(120).jpeg().toBuffer();
    const text = Buffer.from('<rdf:li>a description</rdf:li> '.repeat(200));
    const pixels = Buffer.alloc(30_000, 'not packed');
    const { report } = await repairBytes(Buffer.concat([text, small, pixels]), 'picture.tif');
    expect(report.verdict).toBe('partly');
    expect(report.summary).toContain('a smaller picture of 120 × 80 pixels inside the file');
  });

  it.each([
    ['carriage returns became line feeds', 13, 10],
    ['line feeds became carriage returns', 10, 13],
  ])('is not handed out where all %s', async (_, from, to) => {
    const bad = Buffer.from(whole.map((byte) => (byte === from ? to : byte)));
    const { report, output } = await repairBytes(bad, 'photo.jpg');
    expect(report.verdict).toBe('unrepairable');
    expect(report.notes.join(' ')).toContain('text mode');
    expect(output).toBeNull();
  });
});

describe('a grey JPEG whose quantisation table is all zeroes', () => {
  it('is damaged, and mended like one in colour', async () => {
    const grey = await sharp(scene(width, height, 31), { raw: { width, height, channels: 3 } })
      .toColourspace('b-w')
      .jpeg({ quality: 80 })
      .toBuffer();
    const bad = Buffer.from(grey);
    const table = bad.indexOf(Buffer.from([0xff, 0xdb])) + 4;
    bad.fill(0, table, table + 65);
    const { report, output } = await repairBytes(bad, 'photo.jpg');
    expect(report.verdict).toBe('partly');
    expect(report.found.map(({ kind }) => kind)).toContain('quantisation');
    const [samples, own] = await Promise.all([pixels(output ?? bad), pixels(grey)]);
    const far = samples.filter((sample, at) => Math.abs(sample - (own[at] ?? 0)) > 24).length;
    expect(far).toBeLessThan(samples.length * 0.1);
  });
});

describe('a JPEG with a preview as large as itself', () => {
  const segment = (marker: number, body: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  };

  it.each([
    ['one', 1, 30],
    ['two', 2, 30],
    ['two, without the first bytes', 2, -20],
  ])('comes back itself where lengths before it are wrong: %s', async (_, count, added) => {
    const small = await sharp(whole).resize(150).jpeg({ quality: 90 }).toBuffer();
    const preview = await sharp(small).negate().jpeg({ quality: 95 }).toBuffer();
    const inside = Array.from({ length: count }, (_one, index) =>
      segment(index === 0 ? 0xe1 : 0xed, Buffer.concat([Buffer.from('described by a camera, at length'), preview])),
    );
    const photo = Buffer.concat([small.subarray(0, 2), ...inside, small.subarray(2)]);
    const bytes =
      added > 0
        ? Buffer.concat([photo.subarray(0, 12), Buffer.alloc(added, 7), photo.subarray(12)])
        : photo.subarray(-added);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report, report.summary).toMatchObject({ verdict: 'partly', lost: [{ unit: 'descriptions' }] });
    const pixels = (one: Buffer) => sharp(one).raw().toBuffer();
    expect((await pixels(output ?? bytes)).equals(await pixels(small))).toBe(true);
  });

  it('is told with its tables in doubt where these stand in a damaged part', async () => {
    const small = await sharp(whole).resize(150).jpeg({ quality: 90 }).toBuffer();
    const at = small.indexOf(Buffer.from([0xff, 0xdb])) + 20;
    const bytes = Buffer.concat([small.subarray(0, at), Buffer.from([9, 9]), small.subarray(at)]);
    const { report } = await repairBytes(bytes, 'photo.jpg');
    expect(report).toMatchObject({ verdict: 'partly', lost: [{ unit: 'tables' }] });
  });

  it('comes back, with what Exif tells, where the end of its preview is wiped', async () => {
    const small = await sharp(whole).resize(150).jpeg({ quality: 90 }).toBuffer();
    const preview = await sharp(small).resize(80).jpeg({ quality: 90 }).toBuffer();
    const tiff = Buffer.from('Exif\0\0II*\0\b\0\0\0\0\0\0\0\0\0', 'latin1');
    const exif = segment(0xe1, Buffer.concat([tiff, preview]));
    const texts = segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${'<x>words</x>'.repeat(200)}`, 'latin1'));
    const bytes = Buffer.concat([small.subarray(0, 2), exif, texts, small.subarray(2)]);
    bytes.fill(0, exif.length - 200, exif.length + 60);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report).toMatchObject({ verdict: 'partly', lost: [{ unit: 'descriptions' }] });
    const pixels = (one: Buffer) => sharp(one).raw().toBuffer();
    expect((await pixels(output ?? bytes)).equals(await pixels(small))).toBe(true);
    expect(output?.includes(preview.subarray(0, -400))).toBe(true);
  });

  it('keeps what Exif tells whose length is wrong', async () => {
    const small = await sharp(whole).resize(150).jpeg({ quality: 90 }).toBuffer();
    const tiff = Buffer.from('Exif\0\0II*\0\b\0\0\0\0\0\0\0\0\0 and words of a maker', 'latin1');
    for (const off of [200, -9]) {
      const bytes = Buffer.concat([small.subarray(0, 2), segment(0xe1, tiff), small.subarray(2)]);
      bytes.writeUInt16BE(bytes.readUInt16BE(4) + off, 4);
      const { report, output } = await repairBytes(bytes, 'photo.jpg');
      expect(report.verdict, report.summary).toBe('repaired');
      expect(output?.includes(tiff.subarray(0, -9))).toBe(true);
    }
  });

  it('has lost no texts where the tables, which the rest tells, may be all that is wiped', async () => {
    const small = await sharp(whole).resize(150).jpeg({ quality: 85, optimiseCoding: false }).toBuffer();
    const bytes = Buffer.from(small).fill(0, 0, 20);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report, report.summary).toMatchObject({ verdict: 'repaired', lost: [] });
    const pixels = (one: Buffer) => sharp(one).raw().toBuffer();
    expect((await pixels(output ?? bytes)).equals(await pixels(small))).toBe(true);
  });
});
