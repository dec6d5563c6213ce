import { originals } from '../support/originals';
import { benchTable, falseAlarms, runBench, scoredOriginals } from './bench';
import { printSpeedBench } from './speed/main';
import { printLargeRun } from './video/large';
import { printVideoBench } from './video/main';

// Arguments: seeds per recipe (3 if left out), then a group or format to keep to; `video`, then a part of a group, format or layout,
// a part of a recipe's name, and `alone` to leave the other tools out; `speed`, then a format and a part of a recipe's name.
const seeds = Array.from({ length: Number(process.argv[2] ?? 3) || 3 }, (_, index) => index + 1);
const only = process.argv[3] ?? '';
if (only === 'large') await printLargeRun();
else if (only === 'speed') await printSpeedBench(process.argv[4], process.argv[5]);
else if (only !== 'video') {
  const alarms = await falseAlarms(await originals());
  console.log(`Healthy files called damaged: ${alarms.length}${alarms.map((alarm) => `\n  ${alarm}`).join('')}`);
  console.log(benchTable(await runBench(await scoredOriginals(only), seeds, true)));
}
if (only === '' || only === 'video')
  await printVideoBench(seeds, process.argv[4] ?? '', process.argv[5] ?? '', process.argv[6] !== 'alone');
