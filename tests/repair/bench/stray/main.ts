import { readFileSync } from 'node:fs';
import { benchTable, runBench, scoredOriginals } from '../bench';
import { runVideoBench, videoTable } from '../video/bench';
import { strays } from './damage';
import { strayLayouts } from './layouts';

// Arguments: `video`, or a group or format of photos and documents; a seed (1 if left out); a part of a layout's name; a part of the
// damage's name. Prints the tables of the bench, and every result that is a false word: too little, worse than before, or unnoticed.
const [, , what = 'video', seedText = '1', only = '', kind = ''] = process.argv;
const seeds = [Number(seedText) || 1];
const chosen = strays.filter(({ name }) => name.includes(kind));

/** The damage of files of which `other` is one that lay beside them: from the same camera or program where there is one. */
const recipesWith = (other: Buffer) =>
  chosen.map(({ name, apply }) => ({
    name,
    apply: (bytes: Buffer, random: () => number) => apply(bytes, random, other),
  }));

if (what === 'video') {
  process.env.REPAIR_FFMPEG ??= 'ffmpeg';
  const run = await runVideoBench({
    seeds,
    only,
    recipe: '',
    peers: false,
    layouts: strayLayouts,
    recipesOf: ({ samplePath }) => recipesWith(readFileSync(samplePath)),
  });
  if (!run) throw new Error('ffmpeg, which makes and scores the videos, is not on this machine.');
  console.log(
    `Healthy videos called damaged: ${run.alarms.length}${run.alarms.map((alarm) => `\n  ${alarm}`).join('')}`,
  );
  console.log(videoTable(run.results));
  for (const { layout, recipe, verdict, before, after } of run.results) {
    const isFalse =
      (verdict === 'healthy' && after < 0.98) ||
      (verdict !== 'unrepairable' && (after < 0.02 || after < before - 0.02));
    if (isFalse || process.env.BENCH_ROWS)
      console.log(
        `${isFalse ? 'FALSE' : 'row'}\t${layout}\t${recipe}\t${verdict}\t${before.toFixed(3)} -> ${after.toFixed(3)}`,
      );
  }
} else {
  const originals = await scoredOriginals(what);
  const besides = (format: string, bytes: Buffer) =>
    originals.find((one) => one.format === format && !one.bytes.equals(bytes))?.bytes ?? bytes;
  const recipesOf = ({ format, bytes }: (typeof originals)[number]) => recipesWith(besides(format, bytes));
  console.log(benchTable(await runBench(originals, seeds, false, recipesOf)));
}
