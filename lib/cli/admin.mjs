// `npm run --silent admin -- orders NUMBER`: what operators do, on the machine itself. Standard output belongs to the JSON answer.
import { runBundled } from './steps/run-bundled.mjs';

await runBundled('admin');
