import { spawnSync } from 'node:child_process';
import { stopAllSites } from '../support/process';
import { erasureRaces } from './rounds/erasures';
import { hostileUploads } from './rounds/files';
import { slowFlood, upgradeFlood } from './rounds/floods';
import { formReplays } from './rounds/forms';
import { fullDisk, mayMount } from './rounds/full-disk';
import { killRounds } from './rounds/kills';
import { lostLog } from './rounds/log';
import { hostileRequests } from './rounds/requests';
import { withSite } from './site';

/** Where the sites of the rounds listen. */
const PORT = Number(process.env.MENDARA_ATTACK_PORT ?? 3480);

/** How much of each round; a share, such as 0.1 as the command's first argument, makes all of it less. */
const share = Number(process.argv[2] ?? 1) || 1;
const times = (whole: number) => Math.max(1, Math.round(whole * share));

const rounds: Record<string, () => Promise<string>> = {
  requests: () => withSite(PORT, (site) => hostileRequests(site, times(20_000))),
  upgrades: () => withSite(PORT, (site) => upgradeFlood(site, times(5000))),
  slow: () => withSite(PORT, (site) => slowFlood(site, Math.min(50, times(50))), { UPLOAD_STALL_SECONDS: '10' }),
  forms: () => withSite(PORT, (site, folder) => formReplays(site, folder, times(40))),
  files: () => withSite(PORT, (site, folder) => hostileUploads(site, folder, { made: 100, mutations: times(300) })),
  erasures: () => withSite(PORT, (site) => erasureRaces(site, times(60))),
  disk: () =>
    mayMount() ? fullDisk(PORT) : Promise.resolve('NOT RUN: this machine lets nobody mount a small file system'),
  log: () => withSite(PORT, (site) => lostLog(site, times(500))),
  kills: () => killRounds(PORT, times(50)),
};

// The rounds start the site often; what it is made of is built once, before.
process.env.NEXT_DIST_DIR ??= '.next-test';
const built = spawnSync(process.execPath, ['lib/cli/build.mjs'], { stdio: 'inherit' });
if (built.status !== 0) process.exit(1);

const only = process.argv.slice(3);
let failures = 0;
for (const [name, round] of Object.entries(rounds)) {
  if (only.length > 0 && !only.includes(name)) continue;
  try {
    console.log(`${name}: ${await round()}`);
  } catch (error) {
    failures += 1;
    console.log(`${name}: FAILED\n${error instanceof Error ? error.stack : String(error)}`);
    stopAllSites();
  }
}
console.log(failures === 0 ? 'Every attack was borne.' : `${failures} of the attacks got through.`);
process.exit(failures === 0 ? 0 : 1);
