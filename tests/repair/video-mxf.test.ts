import { describe, expect, it } from 'vitest';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { fixtureOf, videos } from './support/videos';

withChildren();

/** A packet: its key, and where its value begins and ends. */
type Packet = { key: string; at: number; body: number; end: number };

function packetsOf(bytes: Buffer): Packet[] {
  const packets: Packet[] = [];
  for (let at = 0; at + 17 <= bytes.length; at = packets.at(-1)?.end ?? bytes.length) {
    const first = bytes[at + 16] ?? 0;
    const count = first & 0x80 ? first & 0x7f : 0;
    const length = count === 0 ? first : Number(`0x${bytes.toString('hex', at + 17, at + 17 + count)}`);
    const body = at + 17 + count;
    packets.push({ key: bytes.toString('hex', at, at + 16), at, body, end: body + length });
  }
  return packets;
}

const isPack = ({ key }: Packet) => /^060e2b34020501010d010201010[234]/.test(key);
const isFooter = ({ key }: Packet) => key.startsWith('060e2b34020501010d01020101040');
const isPicture = ({ key }: Packet) => key.startsWith('060e2b34010201010d01030115');
const isSound = ({ key }: Packet) => key.startsWith('060e2b34010201010d01030116');

const packet = (key: string, value: Buffer): Buffer => {
  const length = Buffer.alloc(9);
  length[0] = 0x88;
  length.writeBigUInt64BE(BigInt(value.length), 1);
  return Buffer.concat([Buffer.from(key, 'hex'), length, value]);
};

/** Two seconds of a tone, in samples of two bytes. */
const tone = (() => {
  const bytes = Buffer.alloc(2 * 96_000);
  for (let at = 0; at < 96_000; at++) bytes.writeInt16LE(Math.round(9000 * Math.sin(at / 17)), at * 2);
  return bytes;
})();

/** The pictures of a video with all of its sound in one packet behind them; `soundAt` is where that begins. */
function clipWrapped(): { bytes: Buffer; soundAt: number } {
  const all = packetsOf(videos.mxf);
  const footer = all.findIndex(isFooter);
  const key = all.find(isSound)?.key ?? '';
  const front = all.slice(0, footer).filter((one) => !isSound(one));
  const parts = front.map(({ at, end }) => videos.mxf.subarray(at, end));
  const soundAt = parts.reduce((sum, part) => sum + part.length, 25);
  return { bytes: Buffer.concat([...parts, packet(key, tone), videos.mxf.subarray(all[footer]?.at)]), soundAt };
}

/** The sound of what was handed out: the values of all its packets. */
function soundOf(output: Uint8Array | null): Buffer {
  const bytes = Buffer.from(output ?? []);
  return Buffer.concat(
    packetsOf(bytes)
      .filter(isSound)
      .map(({ body, end }) => bytes.subarray(body, end)),
  );
}

describe('MXF with all sound in one packet', () => {
  it('keeps what is there when it is cut off, and says what is not', async () => {
    const { bytes, soundAt } = clipWrapped();
    const { report, output } = await repairBytes(bytes.subarray(0, soundAt + 50_000), 'clip.mxf');
    expect(report.verdict, report.summary).toBe('partly');
    expect(soundOf(output).equals(tone.subarray(0, 50_000))).toBe(true);
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'bytes' }));
  });

  it.each([
    ['lost', 1001],
    ['added', 333],
  ])('keeps samples where they begin behind bytes that were %s', async (how, count) => {
    const { bytes, soundAt } = clipWrapped();
    const at = soundAt + 60_000;
    const hurt =
      how === 'lost'
        ? Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)])
        : Buffer.concat([bytes.subarray(0, at), Buffer.alloc(count, 0x41), bytes.subarray(at)]);
    const { report, output } = await repairBytes(hurt, 'clip.mxf');
    expect(report.verdict, report.summary).toBe('partly');
    const sound = soundOf(output);
    expect(sound.subarray(0, 50_000).equals(tone.subarray(0, 50_000))).toBe(true);
    const rest = tone.subarray(80_000);
    const place = sound.indexOf(rest);
    expect(place).toBeGreaterThan(0);
    expect(place % 2).toBe(0);
    expect(sound.length).toBe(place + rest.length);
  });

  it('does not take the zeroes that its end was overwritten with for sound', async () => {
    const { bytes, soundAt } = clipWrapped();
    const hurt = Buffer.from(bytes);
    hurt.fill(0, soundAt + 100_000);
    const { report, output } = await repairBytes(hurt, 'clip.mxf');
    expect(['repaired', 'healthy'], report.summary).not.toContain(report.verdict);
    if (output) expect(soundOf(output).length).toBeLessThanOrEqual(100_000);
  });
});

describe('MXF with silence', () => {
  const silent = Buffer.from(videos.mxf);
  const sounds = packetsOf(silent).filter(isSound);
  for (const { body, end } of sounds) silent.fill(0, body, end);
  const middle = sounds[sounds.length >> 1] as Packet;

  it.each([
    ['cut off', silent.subarray(0, middle.end - 100)],
    ['that lost bytes', Buffer.concat([silent.subarray(0, middle.end - 100), silent.subarray(middle.end)])],
    [
      'whose rest is wiped',
      Buffer.concat([silent.subarray(0, middle.at + 12), Buffer.alloc(silent.length - middle.at - 12)]),
    ],
  ])('does not take a packet of it for filling: %s', async (_, bytes) => {
    const { report } = await repairBytes(bytes, 'a.mxf');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.lost.length).toBeGreaterThan(0);
  });
});

describe('MXF that is described in its footer', () => {
  /** A header without metadata, as streams begin with it, and a footer with all of it. */
  function describedAtTheEnd(): Buffer {
    const all = packetsOf(videos.mxf);
    const second = all.findIndex((one, index) => index > 0 && isPack(one));
    const footer = all.findIndex(isFooter);
    const of = (from: number, to: number) => videos.mxf.subarray(all[from]?.at, all[to]?.at);
    const [header, body, metadata] = [of(0, 1), of(second, footer), of(1, second)].map((part) => Buffer.from(part)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    const end = Buffer.from(of(footer, footer + 1));
    const pack = (bytes: Buffer) => bytes.length - ((all[0]?.end ?? 0) - (all[0]?.body ?? 0));
    header[14] = 1;
    const place = BigInt(header.length + body.length);
    body.writeBigUInt64BE(BigInt(header.length), (all[second]?.body ?? 0) - (all[second]?.at ?? 0) + 8);
    header.writeBigUInt64BE(place, pack(header) + 24);
    header.writeBigUInt64BE(0n, pack(header) + 32);
    const value = (all[footer]?.body ?? 0) - (all[footer]?.at ?? 0);
    end.writeBigUInt64BE(place, value + 8);
    end.writeBigUInt64BE(place, value + 24);
    end.writeBigUInt64BE(BigInt(metadata.length), value + 32);
    return Buffer.concat([header, body, end, metadata]);
  }

  it('is sound', async () => {
    const { report } = await repairBytes(describedAtTheEnd(), 'clip.mxf');
    expect(report.verdict, report.summary).toBe('healthy');
  });

  it('gets a header with that description when its own is lost, and counts what was lost with it', async () => {
    const bytes = describedAtTheEnd();
    const hurt = Buffer.from(bytes);
    hurt.fill(0, 0, 4096);
    const { report, output } = await repairBytes(hurt, 'clip.mxf');
    expect(report.verdict, report.summary).toBe('partly');
    expect(packetsOf(Buffer.from(output ?? []))[0]?.key).toMatch(/^060e2b34020501010d01020101020/);
    expect((await repairBytes(Buffer.from(output ?? []), 'clip.mxf')).report.verdict).toBe('healthy');
  });
});

describe('MXF without its beginning', () => {
  /** A second of thirty pictures, each of which can be decoded alone. */
  const whole = fixtureOf('avc.mxf');
  const all = packetsOf(whole);
  const units = all.filter(isPicture);
  const tenth = units[9] as Packet;
  const fill = all.find(({ at }) => at === tenth.end) as Packet;

  it.each([
    ['inside of a picture', tenth.body + 100],
    ['before a picture', tenth.at],
    ['in the zeroes behind a picture', fill.body + 8],
  ])('is in part when it begins %s, with the seconds that its index tells of', async (_, from) => {
    const { report } = await repairBytes(whole.subarray(from), 'clip.mxf');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.lost).toMatchObject([{ unit: 'seconds', count: 0.3, detail: expect.stringContaining('before') }]);
  });

  it('is in part by where its footer lay when its index is gone, too', async () => {
    const footer = all.findIndex(isFooter);
    const pack = all[footer];
    const bytes = whole.subarray(tenth.at, pack?.end);
    const { report } = await repairBytes(bytes, 'clip.mxf');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.lost).toMatchObject([{ unit: 'bytes', count: tenth.at }]);
  });

  it.each([
    ['pictures as well', tenth.body + 100, 'partly'],
    ['nothing but the header', units[0]?.at ?? 0, 'repaired'],
  ])('counts what was overwritten with zeroes: %s', async (_, to, verdict) => {
    const index = all.findIndex(isFooter);
    const bytes = Buffer.from(whole.subarray(0, all[index]?.at)).fill(0, 0, to);
    const { report } = await repairBytes(bytes, 'clip.mxf');
    expect(report.verdict, report.summary).toBe(verdict);
  });

  it('lost nothing of picture and sound where only the header is gone', async () => {
    const first = all.findIndex((one, index) => index > 0 && isPack(one));
    const { report } = await repairBytes(whole.subarray(all[first]?.at), 'clip.mxf');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.lost).toEqual([]);
  });
});
