// `npm run --silent repair -- INPUT OUTPUT`: bundles the engine's command line once, then runs it. Standard output
// belongs to the JSON report, so whatever is to be said here goes to standard error.
import { runBundled } from './steps/run-bundled.mjs';

await runBundled('repair');
