import { describe, expect, it } from 'vitest';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { changed, fixtureOf } from './support/videos';

const packet = 188;
/** Bytes from one packet of a broadcast to the next, with check bytes behind each (ETSI EN 300 421, 4.4.2). */
const step = 204;
const sources = ['transport.bin', 'mpeg4-transport.bin'];

/** A transport stream as receivers store it that keep the check bytes. */
function checked(bytes: Buffer): Buffer {
  const random = randomFrom(5);
  const parts: Buffer[] = [];
  for (let at = 0; at + packet <= bytes.length; at += packet)
    parts.push(bytes.subarray(at, at + packet), randomBytes(random, step - packet));
  return Buffer.concat(parts);
}

/** The same without them. */
function bare(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += step) parts.push(bytes.subarray(at, at + packet));
  return Buffer.concat(parts);
}

/** What a repair says and keeps of a file. */
async function told(bytes: Buffer) {
  const { report, output } = await repairBytes(bytes, 'clip.ts');
  const { verdict, format, found, kept, lost } = report;
  return { verdict, format, found: found.map(({ kind }) => kind), kept, lost, output };
}

describe('transport streams of broadcasts, with check bytes behind each packet', () => {
  it.each(sources)('are sound: %s', async (source) => {
    const bytes = checked(fixtureOf(source));
    expect(await told(bytes)).toMatchObject({ verdict: 'healthy', format: 'mts', found: [] });
    // Names that programs give them say nothing.
    expect((await repairBytes(bytes, 'clip.m2ts')).report.verdict).toBe('healthy');
  });

  it.each(sources)('come back as those of packets alone do: %s', async (source) => {
    const whole = fixtureOf(source);
    const count = Math.floor(whole.length / packet);
    const damages: Record<string, (bytes: Buffer, length: number) => Buffer> = {
      'every third sync byte is wrong': (bytes, length) =>
        changed(bytes, (copy) => {
          for (let at = 0; at < copy.length; at += length * 3) copy[at] = 0;
          return copy;
        }),
      'the lists of streams are gone': (bytes, length) =>
        changed(bytes, (copy) => {
          for (let at = 0; at < copy.length; at += length)
            if ([0, 0x1000].includes(copy.readUInt16BE(at + 1) & 0x1fff)) copy.fill(0, at + 4, at + 60);
          return copy;
        }),
      'packets are lost from within one to within another': (bytes, length) => {
        const at = Math.floor(count / 2) * length;
        return Buffer.concat([bytes.subarray(0, at + 50), bytes.subarray(at + 3 * length + 90)]);
      },
    };
    for (const [name, damage] of Object.entries(damages)) {
      const plain = await told(damage(whole.subarray(0, count * packet), packet));
      const broadcast = await told(damage(checked(whole), step));
      expect(broadcast.verdict, name).toBe(plain.verdict);
      expect(broadcast.found, name).toEqual(plain.found);
      expect(broadcast.kept, name).toEqual(plain.kept);
      // The packet that was torn ends with what stood behind the loss.
      if (name.startsWith('packets')) continue;
      expect(bare(broadcast.output ?? Buffer.alloc(0)).equals(plain.output ?? Buffer.alloc(1)), name).toBe(true);
    }
  });
});
