// `npm run restore FILE`: puts a backup in the place of the embedded database, while no server runs on it.
import { resolve } from 'node:path';
import { runBundled } from './steps/run-bundled.mjs';

process.argv = [process.argv[0], process.argv[1], 'restore', ...process.argv.slice(2).map((file) => resolve(file))];
await runBundled('admin');
