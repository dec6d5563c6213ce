import { release } from 'node:os';
import type { ProcessLimits } from '../limits';
import { tools } from '../tools';
import { namespaces, ownNamespaces, type Sight } from './look';

/** What a repair lacks: namespaces by what it then shares with this machine, and limits. */
export type Missing =
  | (typeof namespaces)[keyof typeof namespaces]
  | 'privileges'
  | 'memory limit'
  | 'time limit'
  | 'file size limit'
  | 'process limit'
  | 'end with parent'
  | 'process groups';

/** The walls themselves; limits are worth having with or without them. */
const walls: readonly Missing[] = ['files', 'network', 'processes', 'users', 'privileges'];

/** What lacks without any walls. */
export function missingWithout(): Missing[] {
  const { setpriv, prlimit } = tools();
  const isRoot = process.getuid?.() === 0;
  const lacks: [Missing, boolean][] = [
    ...walls.map((name): [Missing, boolean] => [name, name !== 'privileges' || isRoot || !setpriv]),
    ['memory limit', !prlimit],
    ['time limit', !prlimit],
    ['file size limit', !prlimit],
    // Without a user namespace every process of the same user would count.
    ['process limit', true],
    ['end with parent', !setpriv],
    ['process groups', process.platform === 'win32'],
  ];
  return lacks.filter(([, isMissing]) => isMissing).map(([name]) => name);
}

/** What lacks by what a process behind walls saw; `holds` is false when the walls themselves have a gap. */
export function judge(sight: Sight, wanted: ProcessLimits): { missing: Missing[]; holds: boolean } {
  const outside = ownNamespaces();
  const shared = (Object.keys(namespaces) as (keyof typeof namespaces)[])
    .filter((name) => !sight.namespaces || !outside || sight.namespaces[name] === outside[name])
    .map((name) => namespaces[name]);
  const has = (name: string, figure: number | undefined) =>
    figure !== undefined && (sight.limits[name] ?? Number.POSITIVE_INFINITY) <= figure;
  const lacks: [Missing, boolean][] = [
    ['privileges', !sight.hasNoPrivileges],
    ['memory limit', !has('data size', wanted.memoryBytes)],
    ['time limit', !has('cpu time', wanted.cpuSeconds)],
    ['file size limit', !has('file size', wanted.fileBytes)],
    ['process limit', !has('processes', wanted.processes) || !sight.countsProcesses],
  ];
  const missing: Missing[] = [...shared, ...lacks.filter(([, isMissing]) => isMissing).map(([name]) => name)];
  return { missing, holds: !missing.some((name) => walls.includes(name)) };
}

/** Whether the kernel counts the processes of each user namespace apart (Linux 5.14); before, other programs of ours would count too. */
export function countsByNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
