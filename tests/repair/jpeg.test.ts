import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isDataSound, isDataWhole } from '../../lib/repair/formats/jpeg/health';
import { Deadline, defaultLimits, type EngineJob } from '../../lib/repair/report';
import { damaged, jpegRecipes } from './support/damage';
import { exchanged } from './support/exchanged';
import { originals } from './support/originals';
import { picture } from './support/originals/picture';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { withSeparatePasses } from './support/separate';

const files = (await originals()).filter(({ format }) => format === 'jpg');
const original = (writer: string): Buffer =>
  files.find((file) => file.writer.endsWith(writer))?.bytes ?? Buffer.alloc(0);

async function repaired(bytes: Buffer, whole: Buffer) {
  const { report, output } = await repairBytes(bytes, 'photo.jpg');
  return { report, value: output ? await scoreAgainst('jpg', whole, output) : 0 };
}

async function outcome(writer: string, recipe: string, seed = 1) {
  const whole = original(writer);
  const kind = jpegRecipes.find(({ name }) => name === recipe);
  const bytes = kind ? damaged(whole, kind, seed) : null;
  if (!bytes) throw new Error(`${recipe} does not fit ${writer}`);
  return repaired(bytes, whole);
}

describe('the JPEG engine', () => {
  it.each([true, false])(
    'does not take the rest of another picture behind the end for its data, progressive: %s',
    async (progressive) => {
      const one = await picture(300, 300, 5).jpeg({ quality: 88, progressive }).toBuffer();
      const other = await picture(300, 280, 6).jpeg({ quality: 80, progressive }).toBuffer();
      const { report, value } = await repaired(Buffer.concat([one, other.subarray(other.length >> 1)]), one);
      expect([report.verdict, value], report.summary).toEqual(['healthy', 1]);
    },
  );

  it.each([
    ['arithmetic-coded', 0xc9, ''],
    // What such data is coded by stands in a DAC segment (ISO/IEC 10918-1, B.2.4.3).
    ['arithmetic-coded', 0xc9, 'ffcc000610101101'],
    ['lossless', 0xc3, ''],
  ])('says of %s data that it was not looked into, neither healthy nor damaged', async (_, marker, segment) => {
    const whole = Buffer.from(original('camera, 4:2:0'));
    const frame = whole.lastIndexOf(Buffer.from([0xff, 0xc0, 0x00, 0x11, 0x08]));
    whole[frame + 1] = marker;
    const bytes = Buffer.concat([whole.subarray(0, frame), Buffer.from(segment, 'hex'), whole.subarray(frame)]);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report).toMatchObject({ verdict: 'unrepairable', reason: 'not-looked-into', found: [], output: null });
    expect(report.summary).toContain('cannot look into');
    expect(output).toBeNull();
  });

  it('finds a flipped bit in the data and sets it right', async () => {
    const whole = original('camera, 4:2:0');
    const verdicts: string[] = [];
    const values: number[] = [];
    for (let share = 0.3; share < 0.8; share += 0.06) {
      const bytes = Buffer.from(whole);
      const at = Math.floor(bytes.length * share);
      bytes[at] = (bytes[at] ?? 0) ^ 0x10;
      const { report, value } = await repaired(bytes, whole);
      verdicts.push(report.verdict);
      values.push(Math.round(value * 1000) / 1000);
      expect(report.verdict === 'repaired', `at ${at}`).toBe(report.steps.some(({ name }) => name === 'Mend the data'));
    }
    // Most bits change so little that nothing shows; of the last one only the step that it leaves in brightness tells.
    expect(values).toEqual([1, 1, 1, 1, 1, 1, 0.998, 1, 1]);
    expect(verdicts.filter((verdict) => verdict === 'repaired')).toHaveLength(2);
  });

  it('realigns the picture behind gaps without restart markers', async () => {
    const near = await outcome('camera, 4:2:0', 'scan loses 7 bytes twice');
    expect(near).toMatchObject({ value: 1, report: { verdict: 'repaired' } });
    const far = await outcome('camera, 4:2:0', 'scan loses 40 bytes twice');
    expect(far.report.verdict).toBe('partly');
    expect(far.value).toBeCloseTo(0.963, 3);
  });

  it('keeps its size where pieces with restart markers changed places', async () => {
    const whole = original('camera, 4:2:2 with restarts');
    const cluster = 512;
    for (const [left, right] of [
      [0.3, 0.7],
      [0.4, 0.55],
    ] as const) {
      const bytes = Buffer.from(whole);
      const placeOf = (share: number) => Math.floor((bytes.length * share) / cluster) * cluster;
      const [one, other] = [placeOf(left), placeOf(right)];
      whole.copy(bytes, one, other, other + cluster);
      whole.copy(bytes, other, one, one + cluster);
      expect((await repaired(bytes, whole)).value, `${left} and ${right}`).toBeGreaterThan(0.9);
    }
  });

  it('goes on where restart markers are lost or wiped', async () => {
    for (const recipe of ['restart markers lost', 'restart markers wiped'])
      expect((await outcome('camera, 4:2:2 with restarts', recipe)).value, recipe).toBe(1);
  });

  it('never takes the preview for the photo', async () => {
    for (const recipe of ['EXIF length zeroed', 'EXIF overwritten', 'SOI wiped', 'DQT wiped'])
      expect((await outcome('camera, 4:2:0', recipe)).value, recipe).toBe(1);
  });

  it('guesses lost quantisation tables of colour pictures', async () => {
    expect((await outcome('camera, 4:2:2 with restarts', 'DQT wiped')).value).toBe(1);
    const { report } = await outcome('standard tables', 'DQT wiped');
    expect(report.notes.join(' ')).toContain('guess');
  });

  it('shows what is left of a picture whose head and first data are zeroes, each row where the one above ends', async () => {
    const [width, height] = [640, 400];
    const whole = await picture(width, height, 11)
      .jpeg({ quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false })
      .toBuffer();
    const bytes = Buffer.from(whole).fill(0, 0, 4096);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ unit }) => unit)).toContain('description');
    const shown = await sharp(output ?? Buffer.alloc(0))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(shown.info.width).toBe(width);
    // How bright the picture is was lost with its beginning, so that changes along the last rows are compared.
    const wanted = await sharp(whole).greyscale().raw().toBuffer();
    const slope = (data: Buffer, at: number) => (data[at + 8] ?? 0) - (data[at] ?? 0);
    let [off, steep] = [0, 0];
    for (let back = width * 160; back > 8; back -= 7) {
      off += Math.abs(slope(wanted, wanted.length - back) - slope(shown.data, shown.data.length - back));
      steep += Math.abs(slope(wanted, wanted.length - back));
    }
    expect(off / steep).toBeLessThan(0.35);
  });

  it('finds make-up and size of a picture without its frame', async () => {
    for (const writer of ['standard tables', 'camera, 4:2:2 with restarts', 'progressive'])
      for (const recipe of ['SOF wiped', 'size zeroed', 'width wrong'])
        expect((await outcome(writer, recipe)).value, `${writer}, ${recipe}`).toBe(1);
  });

  it('reads progressive pictures pass by pass past damage, and says what was lost', async () => {
    const { report, value } = await outcome('progressive', 'scan loses 1000 bytes');
    expect(value).toBeCloseTo(0.994, 3);
    expect(report.verdict).toBe('partly');
    expect(report.lost).toHaveLength(1);
  });

  it('takes back no more of a refining pass behind an error than what fits worse with it', async () => {
    const side = 240;
    const random = randomFrom(5);
    const grain = () => Math.floor((random() - 0.5) * 30);
    const samples = scene(side, side, 3).map((value) => Math.max(0, Math.min(255, value + grain())));
    const image = sharp(samples, { raw: { width: side, height: side, channels: 3 } });
    const whole = await image.jpeg({ quality: 85, progressive: true }).toBuffer();
    const scans = [...whole.toString('latin1').matchAll(/\xff\xda/g)].map(({ index }) => index);
    const [from = 0, to = 0] = scans.slice(5, 7);
    // All blocks of the last 200 before the error taken back, it was 0.911 and 0.978.
    for (const [share, wanted] of [
      [0.3, 0.951],
      [0.9, 1],
    ] as const) {
      const bytes = Buffer.from(whole);
      randomBytes(randomFrom(500 + share * 10), 24).copy(bytes, Math.floor(from + (to - from) * share));
      const { report, value } = await repaired(bytes, whole);
      expect(value, `share ${share}`).toBeCloseTo(wanted, 3);
      expect(report).toMatchObject({ verdict: 'partly', lost: [{ unit: 'passes' }] });
    }
  });

  it('leaves a progressive picture as it is where a pass has blocks too many or too few, which no decoder minds', async () => {
    const whole = original('progressive');
    const [, , third = 0, fourth = 0] = [...whole.toString('latin1').matchAll(/\xff\xda/g)].map(({ index }) => index);
    const at = Math.floor(third + (fourth - third) * (0.2 + 0.03 * 21));
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 16;
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report).toMatchObject({ verdict: 'unrepairable', reason: 'reads-best-as-is' });
    expect(report.found.map(({ kind }) => kind)).toEqual(['data']);
    expect(output).toBeNull();
  });

  it('hands out no noise when tables made for one picture are lost', async () => {
    expect((await outcome('optimised tables', 'DHT wiped')).report.verdict).toBe('unrepairable');
  });

  it('rebuilds progressive pictures whose first passes hold one component each', async () => {
    const plain = await picture(640, 400, 3).jpeg({ mozjpeg: true, chromaSubsampling: '4:4:4' }).toBuffer();
    const whole = withSeparatePasses(plain);
    expect(await scoreAgainst('jpg', plain, whole)).toBe(1);
    expect((await repairBytes(whole, 'photo.jpg')).report.verdict).toBe('healthy');
    const cut = await repaired(whole.subarray(0, whole.length - 2), whole);
    expect(cut).toMatchObject({ report: { verdict: 'repaired' }, value: 1 });
    for (const [share, wanted] of [
      [0.12, 0.47],
      [0.3, 0.993],
      [0.5, 1],
    ] as const) {
      const bytes = Buffer.from(whole);
      randomBytes(randomFrom(share * 100), 120).copy(bytes, Math.floor(bytes.length * share));
      const { report, value } = await repaired(bytes, whole);
      expect(report.verdict, `at ${share}`).toBe('partly');
      expect(value, `at ${share}`).toBeCloseTo(wanted, 3);
    }
  });

  it('finds a lost stretch in a wide picture, and the brightness behind it', async () => {
    const whole = await picture(4096, 640, 7).jpeg({ quality: 80 }).toBuffer();
    for (const [seed, wanted] of [
      [1, 0.997],
      [2, 0.996],
      [3, 0.995],
    ] as const) {
      const at = Math.floor(whole.length * (0.3 + seed * 0.1));
      const bytes = Buffer.from(whole);
      bytes.fill(0, at, at + 1500);
      const { report, value } = await repaired(bytes, whole);
      expect(report.verdict, `at ${at}`).toBe('partly');
      expect(value, `at ${at}`).toBeCloseTo(wanted, 2);
    }
  });
});

describe('a JPEG beside its preview', () => {
  const photo = picture(480, 320, 71).blur(1).jpeg({ quality: 85 }).toBuffer();

  it('is known where every byte beyond plain letters became two', async () => {
    const whole = await photo;
    const { report, output } = await repairBytes(Buffer.from(whole.toString('latin1'), 'utf8'), 'photo.jpg');
    expect(report, report.summary).toMatchObject({ verdict: 'repaired', format: 'jpg' });
    expect(await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('is not taken for it where the header before the data of the photo is lost', async () => {
    const whole = await photo;
    const preview = await picture(160, 120, 71).jpeg({ quality: 60 }).toBuffer();
    const head = Buffer.from('ffe100004578696600004d4d002a00000008', 'hex');
    head.writeUInt16BE(head.length - 2 + preview.length, 2);
    const scan = whole.indexOf(Buffer.from([0xff, 0xda]));
    const wiped = Buffer.from(whole).fill(0, scan, scan + 14);
    const bytes = Buffer.concat([wiped.subarray(0, 2), head, preview, wiped.subarray(2)]);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.summary).toContain('480 × 320');
    expect(await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('is not taken for it either where that has nearly as much data and the length of its segment is lost', async () => {
    const whole = await picture(480, 320, 72).blur(1).jpeg({ quality: 50 }).toBuffer();
    const preview = await picture(160, 120, 72).jpeg({ quality: 97 }).toBuffer();
    expect(preview.length).toBeGreaterThan(whole.length);
    const head = Buffer.from('ffe100004578696600004d4d002a00000008', 'hex');
    const bytes = Buffer.concat([whole.subarray(0, 2), head, preview, whole.subarray(2)]);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.summary).toContain('480 × 320');
    expect(await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0))).toBe(1);
  });
});

describe('a JPEG of which sectors changed places or came from another', () => {
  it.each([
    [84, 7, 28],
    [82, 10, 16],
    [83, 28, 39],
  ])('is put right where all its blocks are there but cannot be so bright: picture %d', async (seed, one, other) => {
    const whole = await picture(800, 600, seed).blur(1.2).jpeg({ quality: 80 }).toBuffer();
    const bytes = exchanged(whole, [[one, other]], 512);
    const job = { bytes, limits: defaultLimits, deadline: new Deadline(60_000, Date.now) } as EngineJob;
    expect(isDataWhole(job)).toBe(true);
    expect(isDataSound(job)).toBe(false);
    const { report, value } = await repaired(bytes, whole);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(value).toBe(1);
  });

  it('is not handed out as whole where one of them holds the scan header of another picture', async () => {
    const whole = await picture(640, 480, 85).blur(1).jpeg({ quality: 80 }).toBuffer();
    const other = await picture(300, 200, 86).jpeg({ quality: 80 }).toBuffer();
    const scan = other.indexOf(Buffer.from([0xff, 0xda]));
    const bytes = Buffer.from(whole);
    other.copy(bytes, whole.length >> 1, scan - 100, scan + 900);
    const { report, value } = await repaired(bytes, whole);
    expect(report.verdict, report.summary).toBe('partly');
    expect(value).toBeGreaterThan(0.9);
  });
});
