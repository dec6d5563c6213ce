// `npm run bench:repair` and `npm run fuzz:repair`: bundles a test tool written in TypeScript and runs it.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeContentIndex } from './steps/content-index.mjs';
import { installDependencies } from './steps/install.mjs';
import { requireNode } from './steps/node-version.mjs';

requireNode();
const [, , entry, ...rest] = process.argv;
if (!entry) {
  console.error('Name the file to run, such as tests/repair/bench/main.ts.');
  process.exit(1);
}
await installDependencies();
writeContentIndex();
const { build } = await import('esbuild');
const folder = join('node_modules', '.cache', 'mendara', entry.replace(/\W+/g, '-'));
const outfile = join(folder, 'main.mjs');
await build({
  // The decoder's and the readers' processes stand beside the program, as in the build.
  entryPoints: { main: entry, 'media-child': 'lib/cli/media-child.ts', 'pdf-child': 'lib/cli/pdf-child.ts' },
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  alias: { 'server-only': './lib/cli/steps/empty.mjs' },
  logLevel: 'error',
});
process.argv = [process.argv[0], resolve(outfile), ...rest];
await import(pathToFileURL(resolve(outfile)).href);
