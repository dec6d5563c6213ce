import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAntdStyles } from './antd-styles.mjs';
import { bringCluster } from './cluster.mjs';
import { writeContentIndex } from './content-index.mjs';
import { sourceFingerprint } from './fingerprint.mjs';
import { writeFonts } from './fonts.mjs';
import { putLastReleaseAside } from './last-release.mjs';
import { run } from './run.mjs';

/** Code that runs outside Next: each becomes one file of the bundle folder. */
const entries = {
  server: 'lib/cli/server.ts',
  worker: 'lib/cli/worker.ts',
  admin: 'lib/cli/admin.ts',
  move: 'lib/cli/move.ts',
  'repair-child': 'lib/cli/repair-child.ts',
  'media-child': 'lib/cli/media-child.ts',
  'pdf-child': 'lib/cli/pdf-child.ts',
  'sandbox-probe': 'lib/cli/sandbox-probe.ts',
  repair: 'lib/cli/repair.ts',
};

/** Bundles the code outside Next, packages left outside, `server-only` resolved as on a server; `more` for the tests' own programs. */
export async function bundleServerCode(outdir, more = {}) {
  const { build } = await import('esbuild');
  await build({
    entryPoints: { ...entries, ...more },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    conditions: ['react-server'],
    alias: { 'server-only': './lib/cli/steps/empty.mjs' },
    sourcemap: true,
    logLevel: 'error',
  });
}

/** True when what is built is of these sources and variables. */
export function isBuilt(distDir) {
  const mark = join(distDir, 'mendara-build');
  return existsSync(mark) && readFileSync(mark, 'utf8') === sourceFingerprint();
}

/** Builds everything when the sources or the variables in browser code changed since the last build. */
export async function buildWhenNeeded(distDir) {
  if (isBuilt(distDir)) return;
  const mark = join(distDir, 'mendara-build');
  const wanted = sourceFingerprint();
  console.log('Building …');
  putLastReleaseAside(distDir, Date.now());
  rmSync(mark, { force: true });
  writeContentIndex();
  await writeAntdStyles();
  await writeFonts();
  const env = { NEXT_DIST_DIR: distDir, NODE_ENV: 'production' };
  const code = await run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], { env, quiet: true });
  if (code !== 0) {
    console.error('The build failed: see above.');
    process.exit(1);
  }
  await bundleServerCode(join(distDir, 'bundle'));
  await bringCluster(join(distDir, 'bundle'));
  const { prepareSite } = await import('./prepare-site.mjs');
  await prepareSite(distDir);
  writeFileSync(mark, wanted);
}
