import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const system = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin'];

/** True when a program is in the path, or where systems keep those for their keepers. */
function isFound(program) {
  return [...(process.env.PATH ?? '').split(delimiter), ...system].some((folder) => existsSync(join(folder, program)));
}

function hasPostgres() {
  const root = '/usr/lib/postgresql';
  const own = existsSync(root) && readdirSync(root).some((version) => existsSync(join(root, version, 'bin', 'initdb')));
  return own || (isFound('initdb') && isFound('postgres'));
}

/** Programs without which a part of the tests is left out, each with that part. */
const programs = [
  ['PostgreSQL', hasPostgres, 'its half of the contract suites, and two web nodes with two workers'],
  ['bubblewrap', () => isFound('bwrap'), 'repairs shut in by it'],
  ['nginx', () => isFound('nginx'), 'nginx -t of lib/deploy/nginx.conf'],
  ['Caddy', () => isFound('caddy'), 'caddy validate of lib/deploy/Caddyfile'],
  ['systemd-analyze', () => isFound('systemd-analyze'), 'its look at the units of lib/deploy'],
];

/**
 * What this machine lacks, and what was therefore not tried, a line each.
 *
 * @returns {string[]}
 */
export function notFound() {
  return programs
    .filter(([, isThere]) => !isThere())
    .map(([name, , what]) => `${name} was not found here, so not tried: ${what}.`);
}
