// `node lib/cli/serve.mjs [worker]`: runs what is built, and neither installs nor builds: for containers and units, whose program can't be written to.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { requireNode } from './steps/node-version.mjs';

requireNode();
const [, , program = 'server'] = process.argv;
const distDir = process.env.NEXT_DIST_DIR || '.next';
const file = resolve(distDir, 'bundle', `${process.env.SERVE_NAME ?? program}.mjs`);
if (!['server', 'worker'].includes(program) || !existsSync(join(distDir, 'mendara-build')) || !existsSync(file)) {
  console.error(
    'There is no finished build here to serve. Run `npm run build` first, as lib/deploy/Containerfile does.',
  );
  process.exit(1);
}
process.env.NODE_ENV = 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';
process.env.NEXT_DIST_DIR = distDir;
process.env.MENDARA_BUNDLE_DIR = resolve(distDir, 'bundle');
await import(pathToFileURL(file).href);
