import 'server-only';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from '../../repair/host/processes';
import { takeRightsOfOthers } from '../base/private-folder';
import { inPlainWords, startError } from '../base/start-error';
import { flush, flushTree } from './flush';

/**
 * Makes an empty cluster of the embedded database at `data`, below `directory`. The build has made one (lib/cli/steps/cluster.mjs), which
 * holds nothing but the engine's own tables, and is copied; where there is none it is made here, aside (lib/server/README.md, 47). What is made is renamed into place.
 */
export async function createCluster(directory: string, data: string): Promise<void> {
  const draft = path.join(directory, 'cluster.new');
  fs.rmSync(draft, { recursive: true, force: true });
  const beside = path.dirname(fileURLToPath(import.meta.url));
  const prepared = process.env.MENDARA_CLUSTER ?? path.join(beside, 'cluster');
  if (fs.existsSync(path.join(prepared, 'PG_VERSION'))) copy(prepared, draft);
  else await initialise(draft);
  takeRightsOfOthers(draft);
  flushTree(draft);
  fs.rmSync(data, { recursive: true, force: true });
  fs.renameSync(draft, data);
  flush(directory);
}

function copy(prepared: string, draft: string): void {
  try {
    fs.cpSync(prepared, draft, { recursive: true });
  } catch (error) {
    throw inPlainWords(error, draft);
  }
}

/** The first initdb leaves about 900 MB resident, so a child does it. */
async function initialise(draft: string): Promise<void> {
  const script = `
    process.stdin.resume().on('close', () => process.exit(1)).unref();
    const { PGlite } = await import('@electric-sql/pglite');
    const database = await PGlite.create(process.argv[1]);
    await database.close();`;
  const child = start('database', process.execPath, ['--input-type=module', '-e', script, draft]);
  let said = '';
  child.output?.resume();
  child.errors?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const { code, error } = await child.done;
  if (code === 0) return;
  const lacking = /\b(ENOSPC|EROFS|EDQUOT)\b/.exec(said)?.[1];
  if (lacking) throw inPlainWords(Object.assign(new Error(said), { code: lacking }), path.dirname(draft));
  throw startError(
    `The embedded database could not be made in ${path.dirname(draft)}: ${error?.message ?? said.trim()}`,
  );
}
