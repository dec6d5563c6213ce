import type { ResultRow, ResultTable } from '../sections';
import file from './measured.json';
import type { MeasuredFormat, MeasuredValues, Measurement } from './measurement';

/** What the bench measured last; a test holds the file to this shape. */
export const measurement = file as unknown as Measurement;

const sum = (count: (format: MeasuredFormat) => number) =>
  measurement.formats.reduce((total, format) => total + count(format), 0);

/** Damaged files in all, and how many of their results were wrong, and in which way. */
export const totals = {
  files: sum(({ files }) => files),
  nextToNothing: sum(({ wrong }) => wrong.nextToNothing),
  worse: sum(({ wrong }) => wrong.worse),
  unnoticed: sum(({ wrong }) => wrong.unnoticed),
};

/** The tool of the others that brings back most. */
function best(tools: MeasuredValues['tools']): ResultRow['tool'] {
  const [first] = Object.entries(tools).sort(([, left], [, right]) => right - left);
  return first ? { name: first[0], value: first[1] } : null;
}

const rowOf = (name: string, { files, damaged, repaired, withSample, tools }: MeasuredValues): ResultRow => ({
  name,
  files,
  damaged,
  repaired,
  withSample,
  tool: best(tools),
});

/** Up to the next tenth: they stand behind “under”. */
const seconds = (milliseconds: number) => (Math.max(1, Math.ceil(milliseconds / 100)) / 10).toFixed(1);

/** One row a format. */
export function overview(): ResultTable {
  return {
    caption: 'What comes back, by kind of file, in percent',
    first: 'Kind of file',
    rows: measurement.formats.map((format) => rowOf(format.name, format)),
  };
}

/** One table a format, a row a kind of damage, and by name what hardly comes back. */
export function tablesOf(family: MeasuredFormat['family']): readonly ResultTable[] {
  return measurement.formats.filter((format) => format.family === family).map(tableOf);
}

function tableOf({
  name,
  damages,
  failures,
  heldBack,
  every,
  repaired,
  milliseconds: time,
}: MeasuredFormat): ResultTable {
  const apart = heldBack
    ? ` Of the ${heldBack.files === 1 ? 'one file' : `${heldBack.files} files`} that nothing was tuned on, ${heldBack.repaired.toFixed(1)}.`
    : '';
  const taken = every === 1 ? '' : ` One in ${every} of all kinds of file and damage was measured, chosen by name.`;
  return {
    title: name,
    note: `${repaired.toFixed(1)} of 100 comes back.${apart} Half of the repairs took under ${seconds(time.median)} s, nine in ten under ${seconds(time.most)} s, the longest under ${seconds(time.longest)} s.${taken}`,
    caption: `What comes back of ${name}, by damage, in percent`,
    first: 'Damage',
    rows: damages.map(({ damage, ...values }) => rowOf(damage, values)),
    failures: failures.map(
      ({ what, damaged, repaired: back }) => `${what}: ${damaged.toFixed(1)} as it is, ${back.toFixed(1)} repaired`,
    ),
  };
}
