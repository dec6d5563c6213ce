import { describe, expect, it } from 'vitest';
import { picture } from './support/originals/picture';
import { randomBytes, randomFrom } from './support/random';
import { raf } from './support/raws';
import { repairBytes } from './support/run';

const sensor = randomBytes(randomFrom(8), 120_000);

/** The width of the sensor in the header's first record, and where the head keeps the place of the data. */
const places = { header: 92, data: 100, width: 10 } as const;

describe.each([false, true])('a RAF, with a directory before its sensor data: %s', (isNewer) => {
  const made = async () =>
    raf(
      await picture(320, 240, 14)
        .jpeg({ quality: 85 })
        .withExif({ IFD0: { Model: 'Test camera' } })
        .toBuffer(),
      sensor,
      isNewer,
    );
  const repaired = (bytes: Buffer) => repairBytes(bytes, 'photo.raf', { type: 19 });
  const whole = async (bytes: Buffer) => {
    const { report, output } = await repaired(bytes);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.format).toBe('raf');
    return output ?? Buffer.alloc(0);
  };

  it.each([
    [
      'the width in its header',
      (bytes: Buffer) => bytes.writeUInt16BE(400, bytes.readUInt32BE(places.header) + places.width),
    ],
    ['the number of records', (bytes: Buffer) => bytes.writeUInt32BE(90, bytes.readUInt32BE(places.header))],
    [
      'the length of its first record',
      (bytes: Buffer) => bytes.writeUInt16BE(5, bytes.readUInt32BE(places.header) + 6),
    ],
    ['the place of its data', (bytes: Buffer) => isNewer || bytes.writeUInt32BE(0, places.data)],
    [
      'a number in its directory',
      (bytes: Buffer) => !isNewer || bytes.writeUInt16LE(0xf003, bytes.readUInt32BE(places.data) + 26 + 2 + 12),
    ],
  ])('has %s set right by what its data takes', async (_, change) => {
    const original = await made();
    const bytes = Buffer.from(original);
    change(bytes);
    const { report, output } = await repaired(bytes);
    const isChanged = !bytes.equals(original);
    expect(report.verdict, report.summary).toBe(isChanged ? 'repaired' : 'healthy');
    expect((output ?? bytes).equals(original)).toBe(true);
  });

  it('is healthy as it is', async () => {
    expect((await repaired(await made())).report.verdict).toBe('healthy');
  });

  it.each([64, 112])('gets the first %i bytes back, with all places', async (count) => {
    const bytes = await made();
    const output = await whole(Buffer.from(bytes).fill(0, 0, count));
    expect(output.subarray(84, 92).equals(bytes.subarray(84, 92))).toBe(true);
    expect(output.subarray(100).equals(bytes.subarray(100))).toBe(true);
  });

  it('is not called repaired when the name of its camera is gone', async () => {
    const bytes = Buffer.from(await made());
    const { report } = await repaired(bytes.fill(0, 0, bytes.indexOf('Exif') + 120));
    expect(report.verdict).not.toBe('repaired');
    expect(report.verdict).not.toBe('healthy');
  });

  it('has its places moved when bytes went missing in front or came between', async () => {
    const bytes = await made();
    const lost = await whole(bytes.subarray(100));
    expect(lost.subarray(148).equals(bytes.subarray(148))).toBe(true);
    const header = bytes.readUInt32BE(92);
    const added = await whole(Buffer.concat([bytes.subarray(0, header), Buffer.alloc(700, 5), bytes.subarray(header)]));
    expect(added.subarray(-sensor.length).equals(sensor)).toBe(true);
    expect(added.readUInt32BE(100)).toBe(bytes.readUInt32BE(100) + 700);
  });

  it('keeps what is left of its sensor data when its end is cut off', async () => {
    const bytes = await made();
    const { report, output } = await repaired(bytes.subarray(0, -30_000));
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.format).toBe('raf');
    expect(output?.length).toBe(bytes.length);
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'sensor data', count: 75 }));
  });

  it('is not healthy where only its second picture of the sensor is cut off', async () => {
    const bytes = Buffer.from(await made());
    const second = Buffer.alloc(30_000, 0x35);
    bytes.writeUInt32BE(bytes.readUInt32BE(92), 120);
    bytes.writeUInt32BE(bytes.readUInt32BE(96), 124);
    bytes.writeUInt32BE(bytes.length, 128);
    bytes.writeUInt32BE(second.length, 132);
    const whole = Buffer.concat([bytes, second]);
    expect((await repaired(whole)).report.verdict).toBe('healthy');
    const { report, output } = await repaired(whole.subarray(0, -20_000));
    expect(report.verdict, report.summary).toBe('partly');
    expect(output?.length).toBe(whole.length);
  });

  it('is not healthy with a wiped piece of sensor data', async () => {
    const bytes = Buffer.from(await made());
    bytes.fill(0, bytes.length - 60_000, bytes.length - 50_000);
    expect((await repaired(bytes)).report.verdict).not.toBe('healthy');
  });

  it('gets wiped rows filled from those around, and they count as lost', async () => {
    const whole = await made();
    const bytes = Buffer.from(whole);
    const from = bytes.length - 60_000;
    bytes.fill(0, from, from + 4096);
    const { report, output } = await repaired(bytes);
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'sensor data' }));
    expect(
      Buffer.from(output ?? [])
        .subarray(from, from + 4096)
        .every((byte) => byte === 0),
    ).toBe(false);
    expect(
      Buffer.from(output ?? [])
        .subarray(0, from - 512)
        .equals(whole.subarray(0, from - 512)),
    ).toBe(true);
  });
});
