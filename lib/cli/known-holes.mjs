// `npm run check:holes`: asks the registry for known holes in what the product runs on. Plain Node.
import { npm } from './steps/npm.mjs';
import { outputOf } from './steps/run.mjs';

/** From this severity on a hole fails the check; less is told. */
const failing = new Set(['high', 'critical']);

const { text } = await outputOf(npm, ['audit', '--omit=dev', '--json', '--loglevel=silent']);
const answer = readAnswer(text);
if (!answer) {
  console.log('Known holes: NOT CHECKED, as the registry in use does not answer that question.');
} else {
  const holes = Object.values(answer.vulnerabilities);
  for (const { name, severity, range } of holes) console.log(`  ${severity}: ${name} ${range}`);
  console.log(`Known holes in what the product runs on: ${holes.length === 0 ? 'none' : holes.length}.`);
  if (holes.some(({ severity }) => failing.has(severity))) process.exitCode = 1;
}

/** npm's report, or null where the registry gave none. */
function readAnswer(json) {
  try {
    const report = JSON.parse(json);
    return report.vulnerabilities ? report : null;
  } catch {
    return null;
  }
}
