// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { page } from '../../lib/content';
import { measurement, overview, tablesOf, totals } from '../../lib/content/results/measured';
import file from '../../lib/content/results/measured.json';
import { damageClassOf } from '../repair/bench/results/classes';
import type { Row, Run } from '../repair/bench/results/rows';
import { tableOf } from '../repair/bench/results/table';

const percent = z.number().min(0).max(100);
const values = {
  files: z.int().positive(),
  damaged: percent,
  repaired: percent,
  withSample: percent.nullable(),
  tools: z.record(z.string(), percent),
};

/** The shape of the file that the bench writes. */
const schema = z.strictObject({
  day: z.iso.date(),
  engine: z.strictObject({ version: z.string().regex(/^\d+\.\d+\.\d+$/), state: z.string().regex(/^[0-9a-f]{12}$/) }),
  machine: z.string(),
  seeds: z.int().positive(),
  tools: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  originals: z.int().positive(),
  alarms: z.array(z.string()),
  formats: z.array(
    z.strictObject({
      ...values,
      name: z.string(),
      family: z.enum(['video', 'photo', 'document']),
      heldBack: z.strictObject({ files: z.int().positive(), repaired: percent }).nullable(),
      milliseconds: z.strictObject({ median: z.int(), most: z.int(), longest: z.int() }),
      wrong: z.strictObject({ nextToNothing: z.int(), worse: z.int(), unnoticed: z.int() }),
      every: z.int().positive(),
      damages: z.array(z.strictObject({ ...values, damage: z.string() })).min(1),
      failures: z.array(z.strictObject({ what: z.string(), damaged: percent, repaired: percent })),
    }),
  ),
});

describe('the measured results', () => {
  it('counts a single file in words', () => {
    const notes = (['video', 'photo', 'document'] as const).flatMap((family) =>
      tablesOf(family).map(({ note }) => note),
    );
    expect(notes.filter((note) => note?.includes(' 1 files'))).toEqual([]);
  });

  it('are a file of the shape that the page reads', () => {
    expect(schema.parse(file)).toEqual(measurement);
  });

  it('cover every family, and each format’s damages add up to its files', () => {
    expect(new Set(measurement.formats.map(({ family }) => family))).toEqual(new Set(['video', 'photo', 'document']));
    for (const { files, damages } of measurement.formats)
      expect(damages.reduce((sum, one) => sum + one.files, 0)).toBe(files);
    expect(measurement.formats.reduce((sum, { files }) => sum + files, 0)).toBe(totals.files);
  });

  it('name the version of every tool that is compared', () => {
    const compared = new Set(measurement.formats.flatMap(({ tools }) => Object.keys(tools)));
    expect(new Set(measurement.tools.map(({ name }) => name))).toEqual(compared);
  });

  it('stand on the page in full: every format, every damage, every failure', () => {
    const said = JSON.stringify(page('/repair-results'));
    for (const { name, failures } of measurement.formats) {
      expect(said).toContain(JSON.stringify(name));
      for (const { what } of failures) expect(said).toContain(JSON.stringify(what).slice(1, -1));
    }
    expect(overview().rows).toHaveLength(measurement.formats.length);
    expect((['video', 'photo', 'document'] as const).flatMap(tablesOf)).toHaveLength(measurement.formats.length);
  });
});

describe('the table of the bench', () => {
  const row: Row = {
    family: 'photo',
    format: 'JPEG',
    writer: 'a camera',
    recipe: 'SOI wiped',
    heldBack: false,
    verdict: 'repaired',
    before: 0,
    after: 1,
    withSample: null,
    tools: { first: 0.5, second: 0 },
    milliseconds: 10,
  };
  const about = {
    day: '2026-11-22',
    engine: { version: '0.1.0', state: '0'.repeat(12) },
    machine: '',
    seeds: 1,
    tools: [],
  };
  const made = (rows: Partial<Row>[]) => {
    const run: Run = { rows: rows.map((one) => ({ ...row, ...one })), alarms: [], originals: 1, every: 1 };
    const [format] = tableOf([run], about).formats;
    if (!format) throw new Error('no format');
    return format;
  };

  it('takes means in percent, to a tenth, also of the other tools', () => {
    const format = made([{}, { after: 0.3333, tools: { first: 0 } }]);
    expect(format).toMatchObject({ files: 2, damaged: 0, repaired: 66.7, tools: { first: 25, second: 0 } });
  });

  it('counts what was false: next to nothing, worse than before, unnoticed', () => {
    const format = made([
      { after: 0.01, before: 0 },
      { after: 0.5, before: 0.9 },
      { after: 0.5, before: 0.5, verdict: 'healthy' },
      { after: 0, before: 0.9, verdict: 'unrepairable' },
    ]);
    expect(format.wrong).toEqual({ nextToNothing: 1, worse: 1, unnoticed: 1 });
  });

  it('names what comes back by less than half, the worst first', () => {
    const format = made([{ after: 0.4 }, { recipe: 'DHT wiped', after: 0.1 }, { recipe: 'EOI cut' }]);
    expect(format.failures.map(({ what }) => what)).toEqual(['a camera: DHT wiped', 'a camera: SOI wiped']);
  });

  it('sorts recipes into the damage that people know', () => {
    expect(
      [
        'truncated to 40 %',
        'head of 16 bytes zeroed',
        'index zeroed',
        'DQT wiped',
        '3 bytes flipped',
        'gap of 100 bytes',
      ].map(damageClassOf),
    ).toEqual([
      'Cut short',
      'Beginning lost or overwritten',
      'Index or directory lost',
      'Headers wrong or wiped',
      'Data overwritten inside',
      'Data lost or added inside',
    ]);
  });
});
