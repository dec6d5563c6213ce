import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** For so long pages of a release that was replaced may still ask for their files: what caches keep of a page ends before. */
export const KEPT_MS = 86_400_000;

/** Next leaves this folder of its build folder alone. */
const keptIn = (distDir) => join(distDir, 'cache', 'mendara-releases');

/**
 * Before a build: puts the files of the release that is there aside, named by the moment at which it was replaced. Only whole ones are kept.
 *
 * @param {string} distDir build folder
 * @param {number} now milliseconds since 1970
 */
export function putLastReleaseAside(distDir, now) {
  const current = join(distDir, 'static');
  if (!existsSync(current) || !existsSync(join(distDir, 'mendara-build'))) return;
  mkdirSync(keptIn(distDir), { recursive: true });
  const draft = join(keptIn(distDir), 'draft');
  rmSync(draft, { recursive: true, force: true });
  cpSync(current, draft, { recursive: true });
  renameSync(draft, join(keptIn(distDir), String(now)));
}

/**
 * Releases that were replaced less than a day ago, the newest first; older ones are removed.
 *
 * @param {string} distDir build folder
 * @param {number} now milliseconds since 1970
 * @returns {{ folder: string, until: number }[]} until when each is served
 */
export function lastReleases(distDir, now) {
  if (!existsSync(keptIn(distDir))) return [];
  const kept = [];
  for (const name of readdirSync(keptIn(distDir))) {
    const until = Number(name) + KEPT_MS;
    const folder = join(keptIn(distDir), name);
    if (until > now) kept.push({ folder, until });
    else rmSync(folder, { recursive: true, force: true });
  }
  return kept.sort((a, b) => b.until - a.until);
}
