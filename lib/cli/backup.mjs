// `npm run backup FILE`: the embedded database and the secrets in one file, while the server runs or not.
import { resolve } from 'node:path';
import { runBundled } from './steps/run-bundled.mjs';

process.argv = [process.argv[0], process.argv[1], 'backup', ...process.argv.slice(2).map((file) => resolve(file))];
await runBundled('admin');
