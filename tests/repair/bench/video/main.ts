import { runVideoBench, videoTable } from './bench';

/** Runs the video bench and prints it; `peers` also runs the tools found on the machine. */
export async function printVideoBench(
  seeds: readonly number[],
  only: string,
  recipe: string,
  peers: boolean,
): Promise<void> {
  // The bundle of this tool has no decoder beside it; the program does the same, and faster.
  process.env.REPAIR_FFMPEG ??= 'ffmpeg';
  const run = await runVideoBench({ seeds, only, recipe, peers });
  if (!run) {
    console.log('Videos: left out, since ffmpeg, which makes and scores them, is not on this machine.');
    return;
  }
  console.log(
    `Healthy videos called damaged: ${run.alarms.length}${run.alarms.map((alarm) => `\n  ${alarm}`).join('')}`,
  );
  console.log(videoTable(run.results));
  if (process.env.BENCH_ROWS)
    for (const row of run.results)
      console.log(
        `row\t${row.layout}\t${row.recipe}\t${row.seed}\t${row.verdict}\t${percentOf(row.before)}\t${percentOf(row.after)}\t${percentOf(row.withSample ?? 0)}`,
      );
}

const percentOf = (value: number) => (value * 100).toFixed(1);
