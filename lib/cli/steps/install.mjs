import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { npm } from './npm.mjs';
import { run } from './run.mjs';

const MARK = 'node_modules/.mendara-installed';

/** Installs what the lock file names when it changed since the last time, or when nothing is installed yet. */
export async function installDependencies() {
  const wanted = createHash('sha256').update(readFileSync('package-lock.json')).update(process.version).digest('hex');
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === wanted) return;
  console.log('Installing dependencies …');
  const code = await run(npm, ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], { quiet: true });
  if (code !== 0) {
    console.error('Installing the dependencies failed: see npm’s words above.');
    process.exit(1);
  }
  writeFileSync(MARK, wanted);
}
