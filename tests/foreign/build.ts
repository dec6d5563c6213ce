import { spawnSync } from 'node:child_process';
import { siteVariables } from './places';

/** Builds the site for the other API before any test's time runs: how long that takes is the machine's affair. */
export default function build(): void {
  const { status } = spawnSync(process.execPath, ['lib/cli/build.mjs'], {
    env: { ...process.env, ...siteVariables },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The site could not be built for another product API.');
}
