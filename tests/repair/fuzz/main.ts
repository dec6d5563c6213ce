import { fuzz } from './fuzz';

// Arguments: how many files (20,000 if left out) and the number of the first.
const count = Number(process.argv[2] ?? 20_000);
const start = Number(process.argv[3] ?? 1);
const failures = await fuzz(start, count, (done) => console.error(`${done} of ${count}`));
for (const failure of failures) console.log(`${failure.number} ${failure.format}: ${failure.reason}`);
console.log(`${count} mutated files, ${failures.length} failures`);
process.exitCode = failures.length > 0 ? 1 : 0;
