// `npm run move -- --to-postgres URL --to-s3`: moves an embedded installation while it is stopped.
import { runBundled } from './steps/run-bundled.mjs';

await runBundled('move');
