import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED } from './content-index.mjs';

/** Everything a build depends on: sources, settings, and the variables that are written into browser code. */
const sources = ['app', 'components', 'lib', 'services', 'store', 'styles', 'public'];
const settings = ['next.config.ts', 'package.json', 'package-lock.json'];

/** Every file below a folder, in the same order on every machine. */
export function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Written by the build itself, from sources that count already. */
const made = [join('styles', 'antd.css'), GENERATED];

/** SHA-256 over the names and bytes of all sources and over every `NEXT_PUBLIC_*` variable. */
export function sourceFingerprint() {
  const hash = createHash('sha256');
  for (const folder of sources) {
    for (const path of filesBelow(folder)) {
      if (!made.some((own) => path.startsWith(own))) hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
    }
  }
  for (const path of settings) hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  // Next adds its build folders to the file list of tsconfig.json, which is no change of ours.
  hash.update(JSON.stringify(JSON.parse(readFileSync('tsconfig.json', 'utf8')).compilerOptions));
  const variables = Object.entries(process.env).filter(([name]) => name.startsWith('NEXT_PUBLIC_'));
  for (const [name, value] of variables.sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${name}=${value}\0`);
  return hash.digest('hex');
}
