// `npm start`: installs, builds, migrates and serves. Plain Node until the dependencies are in.
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isBuilt } from './steps/build.mjs';
import { installDependencies } from './steps/install.mjs';
import { requireNode } from './steps/node-version.mjs';
import { run } from './steps/run.mjs';

/** A port that is taken is said before a minute of building, not after it. */
function portIsFree(port, host) {
  return new Promise((settle) => {
    const probe = createServer();
    probe.once('error', (error) => settle(error.code !== 'EADDRINUSE'));
    probe.listen(port, host, () => probe.close(() => settle(true)));
  });
}

requireNode();
const port = Number(process.env.PORT || 3000);
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`PORT must be a whole number from 1 to 65535, not "${process.env.PORT}".`);
  process.exit(1);
}
if (!(await portIsFree(port, process.env.HOST || 'localhost'))) {
  console.error(
    `Port ${port} is already in use: another Mendara, or another program. Stop it, or set PORT to a free one.`,
  );
  process.exit(1);
}
const distDir = process.env.NEXT_DIST_DIR || '.next';
process.env.NEXT_TELEMETRY_DISABLED = '1';
await installDependencies();
if (!isBuilt(distDir)) {
  // In a process of its own: what the build loads must not stay in the server's memory.
  const code = await run(process.execPath, ['lib/cli/build.mjs'], { env: { NEXT_DIST_DIR: distDir } });
  if (code !== 0) process.exit(code);
}
process.env.NODE_ENV = 'production';
process.env.NEXT_DIST_DIR = distDir;
process.env.MENDARA_BUNDLE_DIR = resolve(distDir, 'bundle');
await import(pathToFileURL(resolve(join(distDir, 'bundle', 'server.mjs'))).href);
