import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { Deadline, Effort } from '../../lib/repair/report';
import { damaged } from './support/damage';
import { originals } from './support/originals';
import { recipesFor } from './support/recipes';
import { repairBytes } from './support/run';
import { changed, videos } from './support/videos';

const digestOf = (output: Buffer) => createHash('sha256').update(output).digest('hex');

/** What a repair gave: the digest of the file, and the report but for how long it took. */
async function outcomeOf(bytes: Buffer, name: string, now?: () => number): Promise<string> {
  const { report, output } = await repairBytes(bytes, name, { now });
  const { durationMs: _, ...told } = report;
  return JSON.stringify({ digest: output && digestOf(output), told }, null, 1);
}

async function damagedBy(format: string, writer: string, name: string): Promise<Buffer> {
  const original = (await originals()).find((one) => one.format === format && one.writer === writer);
  const recipe = recipesFor(format).find((one) => one.name === name);
  const bytes = original && recipe && damaged(original.bytes, recipe, 1);
  if (!bytes) throw new Error(`There is no ${format} by ${writer} damaged by ${name}.`);
  return bytes;
}

/** Bits wrong in the data of frames, far from any head. */
const bitsInFrames = (bytes: Buffer) =>
  changed(bytes, (copy) => {
    for (let at = Math.floor(bytes.length * 0.3); at < bytes.length * 0.8; at += 2999) copy[at] = (copy[at] ?? 0) ^ 16;
    return undefined;
  });

/** Files whose searches come to the end of what they may take, a few of every kind of search, and the name of each. */
const cases: [string, () => Promise<Buffer> | Buffer][] = [
  ['a.png', () => damagedBy('png', 'libvips, large', '20 bytes flipped')],
  ['a.tif', () => damagedBy('tif', 'own writer, directory first, LZW', '20 bytes flipped')],
  ['a.docx', () => damagedBy('docx', 'fflate at level 9', '20 bytes flipped')],
  ['a.pdf', () => damagedBy('pdf', 'libreoffice', '20 bytes flipped')],
  ['a.mp4', () => bitsInFrames(videos.mp4)],
  ['a.mov', () => bitsInFrames(videos.mov)],
];

/** A clock that stands still, and one that runs far ahead of this machine's, in jumps; it stays short of the end by the clock, however busy the machine is. */
const clocks: [string, () => () => number][] = [
  ['stands still', () => () => 0],
  [
    'races and jumps',
    () => {
      let asked = 0;
      return () => Math.min(++asked * 50, 200_000) + (asked % 7) * 4000;
    },
  ],
];

/** What each file gives with the machine's own clock and nothing else to do; asked once. */
const undisturbed = new Map<string, Promise<string>>();
function outcomeAlone(name: string, bytes: Buffer): Promise<string> {
  const known = undisturbed.get(name) ?? outcomeOf(bytes, name);
  undisturbed.set(name, known);
  return known;
}

describe('the same file, damaged in the same way', () => {
  it.each(cases)('is repaired alike whatever the clock says: %s', async (name, make) => {
    const bytes = await make();
    const alone = await outcomeAlone(name, bytes);
    for (const [clock, start] of clocks) expect(await outcomeOf(bytes, name, start()), clock).toBe(alone);
  });

  it('is repaired alike while others keep the machine busy', async () => {
    const workers = Array.from({ length: 2 }, () => new Worker('for (;;) ;', { eval: true }));
    try {
      // The one whose search comes to its end soonest: what spins takes from every other test.
      for (const [name, make] of cases.slice(1, 2)) {
        const bytes = await make();
        expect(await outcomeOf(bytes, name)).toBe(await outcomeAlone(name, bytes));
      }
    } finally {
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
  });

  it('depends on the effort that is allowed, so that the searches above are ended by it', async () => {
    for (const [name, make] of cases.slice(0, 2)) {
      const bytes = await make();
      const { report, output } = await repairBytes(bytes, name, { limits: { effort: 1 } });
      expect(report.verdict).not.toBe('healthy');
      const full: { digest: string | null } = JSON.parse(await outcomeAlone(name, bytes));
      expect(output && digestOf(output)).not.toBe(full.digest);
    }
  });
});

describe('effort', () => {
  it('is spent by the price of the work', () => {
    const effort = new Effort(100);
    effort.spend('codeTables', 3);
    const spent = 100 - effort.left;
    expect(spent).toBeGreaterThan(0);
    effort.spend('codeTables', 3);
    expect(100 - effort.left).toBeCloseTo(spent * 2, 9);
  });

  it('ends for a share before the whole, and for every share with the whole', () => {
    const whole = new Effort(50);
    const share = whole.share(10);
    const part = share.share(30);
    expect(part.left).toBe(10);
    whole.spend('recordReading', 1);
    expect(share.left).toBeCloseTo(whole.left - 40, 9);
    while (!part.isSpent) part.spend('recordReading');
    expect(share.isSpent).toBe(true);
    expect(whole.isSpent).toBe(false);
    expect(whole.share(1000).left).toBeCloseTo(whole.left, 9);
    while (!whole.isSpent) share.spend('recordReading');
    expect(whole.left).toBe(0);
    expect(whole.share(5).isSpent).toBe(true);
  });

  it('goes on counting for a part of a job, whose end by the clock stays', () => {
    let clock = 0;
    const deadline = new Deadline(100, () => clock);
    const part = deadline.within(8);
    part.effort.spend('recordReading');
    expect(part.effort.isSpent).toBe(true);
    expect(deadline.effort.isSpent).toBe(false);
    expect(() => part.check()).not.toThrow();
    clock = 101;
    expect(() => part.check()).toThrow('longer');
    expect(part.left).toBe(0);
  });
});
