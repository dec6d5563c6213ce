import { hasProgram } from '../bench/video/originals';
import { fuzz } from './fuzz';

// Arguments: how many files (20,000 if left out, 5,000 videos), the number of the first, and `videos` for those instead of photos and documents.
const group = process.argv[4] === 'videos' ? 'videos' : 'files';
const count = Number(process.argv[2]) || (group === 'videos' ? 5000 : 20_000);
const start = Number(process.argv[3]) || 1;
// A native decoder looks at as much in less time.
if (await hasProgram('ffmpeg')) process.env.REPAIR_FFMPEG ??= 'ffmpeg';
const failures = await fuzz(start, count, group, (done, failure) => {
  if (failure) console.log(`${failure.number} ${failure.format}: ${failure.reason}`);
  if (done % 100 === 0) console.error(`${done} of ${count}`);
});
console.log(`${count} mutated ${group}, ${failures.length} failures`);
process.exitCode = failures.length > 0 ? 1 : 0;
