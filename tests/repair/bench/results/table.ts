import type { MeasuredFormat, MeasuredValues, Measurement } from '../../../../lib/content/results/measurement';
import { damageClasses, damageClassOf } from './classes';
import type { Row, Run } from './rows';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
/** In percent, to a tenth. */
const percent = (values: readonly number[]) => Math.round(mean(values) * 1000) / 10;

/** A result under this share of the original is no result, and a difference of as much says something. */
const nothing = 0.02;
/** Kinds of file and damage of which less than this share comes back stand among the failures by name. */
const failed = 0.5;

function valuesOf(rows: readonly Row[]): MeasuredValues {
  const names = [...new Set(rows.flatMap(({ tools }) => Object.keys(tools)))];
  const sampled = rows.flatMap(({ withSample }) => withSample ?? []);
  return {
    files: rows.length,
    damaged: percent(rows.map(({ before }) => before)),
    repaired: percent(rows.map(({ after }) => after)),
    withSample: sampled.length === 0 ? null : percent(sampled),
    tools: Object.fromEntries(names.map((name) => [name, percent(rows.map(({ tools }) => tools[name] ?? 0))])),
  };
}

function grouped<Key>(rows: readonly Row[], keyOf: (row: Row) => Key): [Key, Row[]][] {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups];
}

const isHandedOut = ({ verdict }: Row) => verdict !== 'unrepairable';

function formatOf(name: string, rows: readonly Row[]): MeasuredFormat {
  const [first] = rows;
  if (!first) throw new Error(`Nothing was measured of ${name}.`);
  const times = rows.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right);
  const timeAt = (share: number) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  const held = rows.filter(({ heldBack }) => heldBack);
  const byDamage = grouped(rows, ({ recipe }) => damageClassOf(recipe));
  return {
    name,
    family: first.family,
    ...valuesOf(rows),
    heldBack: held.length === 0 ? null : { files: held.length, repaired: percent(held.map(({ after }) => after)) },
    milliseconds: { median: timeAt(0.5), most: timeAt(0.9), longest: timeAt(1) },
    wrong: {
      nextToNothing: rows.filter((row) => isHandedOut(row) && row.after < nothing).length,
      worse: rows.filter((row) => isHandedOut(row) && row.after < row.before - nothing).length,
      unnoticed: rows.filter((row) => row.verdict === 'healthy' && row.after < 1 - nothing).length,
    },
    damages: damageClasses.flatMap((damage) => {
      const found = byDamage.find(([one]) => one === damage);
      return found ? [{ damage, ...valuesOf(found[1]) }] : [];
    }),
    failures: grouped(rows, ({ writer, recipe }) => `${writer}: ${recipe}`)
      .map(([what, some]) => ({ what, ...valuesOf(some) }))
      .filter(({ repaired }) => repaired < failed * 100)
      .sort((left, right) => left.repaired - right.repaired)
      .map(({ what, damaged, repaired }) => ({ what, damaged, repaired })),
  };
}

/** The whole table of some runs. */
export function tableOf(
  runs: readonly Run[],
  about: Pick<Measurement, 'day' | 'engine' | 'machine' | 'seeds' | 'tools'>,
): Measurement {
  const rows = runs.flatMap((run) => run.rows);
  return {
    ...about,
    originals: runs.reduce((sum, run) => sum + run.originals, 0),
    alarms: runs.flatMap((run) => run.alarms),
    formats: grouped(rows, ({ format }) => format).map(([name, some]) => formatOf(name, some)),
  };
}
