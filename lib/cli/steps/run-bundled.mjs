import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleServerCode } from './build.mjs';
import { sourceFingerprint } from './fingerprint.mjs';
import { installDependencies } from './install.mjs';
import { requireNode } from './node-version.mjs';

/**
 * Runs a program that is bundled outside Next: the build's own where it is up to date, else one bundled now into a
 * folder beside it, so that the command line needs no build of the site.
 *
 * @param {'admin' | 'move' | 'repair' | 'worker'} name entry of the bundle
 */
export async function runBundled(name) {
  requireNode();
  const say = console.log;
  console.log = console.error;
  await installDependencies();
  const distDir = process.env.NEXT_DIST_DIR || '.next';
  const mark = join(distDir, 'mendara-build');
  const wanted = sourceFingerprint();
  let folder = join(distDir, 'bundle');
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
    folder = join('node_modules', '.cache', 'mendara', wanted.slice(0, 16), 'bundle');
    if (!existsSync(join(folder, `${name}.mjs`))) await bundleServerCode(folder);
  }
  console.log = say;
  process.env.NODE_ENV ??= 'production';
  process.env.MENDARA_BUNDLE_DIR = resolve(folder);
  const program = resolve(folder, `${name}.mjs`);
  // The program decides by this whether it was called itself.
  process.argv[1] = program;
  await import(pathToFileURL(program).href);
}
