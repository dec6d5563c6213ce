import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Folders of system programs that a service often has not in its PATH. */
const systemFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin'];

/** The absolute path of a program by its name, looked for in PATH and in the system's folders; a path is only looked at. */
export function findProgram(name: string): string | null {
  if (isAbsolute(name)) return canRun(name) ? name : null;
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders];
  return folders.map((folder) => join(folder, name)).find((path) => isAbsolute(path) && canRun(path)) ?? null;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Programs of util-linux that set what Node itself cannot; null where they are missing or do not do it. */
export type Tools = { setpriv: string | null; prlimit: string | null };

let found: Tools | undefined;

/**
 * The tools of this machine, each of them proven by a run of a few milliseconds at the first call. A process under supervision is
 * told instead: it needs no limits beside those it was given, and in a sandbox there are no tools in sight.
 */
export function tools(): Tools {
  found ??= process.env.MENDARA_SUPERVISED
    ? { setpriv: process.env.MENDARA_SETPRIV || null, prlimit: null }
    : process.platform === 'linux'
      ? proven()
      : { setpriv: null, prlimit: null };
  return found;
}

/** The options that end a program with the thread that started it (prctl PR_SET_PDEATHSIG). */
export const withParent = ['--pdeathsig', 'KILL'] as const;

function proven(): Tools {
  return {
    setpriv: proof('setpriv', (path) => [...withParent, '--no-new-privs', path, '--version']),
    prlimit: proof('prlimit', (path) => ['--core=0', '--data=1073741824', '--', path, '--version']),
  };
}

/** BusyBox has programs of these names without the options; only a run tells. */
function proof(name: string, options: (path: string) => string[]): string | null {
  const path = findProgram(name);
  if (!path) return null;
  const { status } = spawnSync(path, options(path), { stdio: 'ignore', timeout: 5000 });
  return status === 0 ? path : null;
}
