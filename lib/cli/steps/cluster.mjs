import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { run } from './run.mjs';

const engine = 'node_modules/@electric-sql/pglite';
const script = `
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create(process.argv[1]);
  await database.close();`;

/**
 * An empty cluster of the embedded database, which new data folders begin with a copy of (lib/server/db/new-cluster.ts): making one takes
 * the processor for seconds, so it is made once for each version of the engine.
 *
 * @returns {Promise<string | null>} its folder; null where it could not be made, and the first start makes its own
 */
export async function preparedCluster() {
  const { version } = JSON.parse(readFileSync(`${engine}/package.json`, 'utf8'));
  const folder = resolve('node_modules/.cache', `mendara-cluster-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const draft = `${folder}.${process.pid}`;
  const code = await run(process.execPath, ['--input-type=module', '-e', script, draft], { quiet: true });
  try {
    if (code === 0) renameSync(draft, folder);
  } catch {
    // Somebody else was quicker.
  }
  rmSync(draft, { recursive: true, force: true });
  return existsSync(folder) ? folder : null;
}

/**
 * Puts it beside the server's program.
 *
 * @param {string} bundle the program's folder
 */
export async function bringCluster(bundle) {
  const prepared = await preparedCluster();
  const folder = join(bundle, 'cluster');
  rmSync(folder, { recursive: true, force: true });
  if (prepared) cpSync(prepared, folder, { recursive: true });
}
