// `npm run worker`: a further process that takes repair jobs from a shared PostgreSQL database.
import { runBundled } from './steps/run-bundled.mjs';

await runBundled('worker');
