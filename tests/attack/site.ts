import assert from 'node:assert/strict';
import { survivorsOf } from '../repair/support/survivors';
import { newFolder, removeFolder, type Site, startSite, stopAllSites, untilUp } from '../support/process';

/** The port that a site was started on. */
export const portOf = (site: Site) => Number(new URL(site.url).port);

/** Ends a site as Ctrl-C does: it closes its database, and none of its processes stays. */
export async function endSite(site: Site, folder: string): Promise<void> {
  const isLogRead = site.process.stdout?.destroyed === false;
  site.process.kill('SIGINT');
  assert.equal((await site.exited).code, 0, site.output());
  if (isLogRead) assert(site.output().includes('The database is closed.'), site.output());
  assert.deepEqual(await survivorsOf(folder), []);
}

/** Runs a round on a site of its own, whose data goes with it; nothing of the site may be left running. */
export async function withSite(
  port: number,
  round: (site: Site, folder: string) => Promise<string>,
  env: Record<string, string> = {},
): Promise<string> {
  const isTaken = await fetch(`http://localhost:${port}/`).then(
    () => true,
    () => false,
  );
  assert(!isTaken, `Something listens on port ${port} already.`);
  const folder = newFolder();
  try {
    const site = startSite(port, folder, env);
    await untilUp(site);
    const told = await round(site, folder);
    await endSite(site, folder);
    return told;
  } finally {
    stopAllSites();
    removeFolder(folder);
  }
}
