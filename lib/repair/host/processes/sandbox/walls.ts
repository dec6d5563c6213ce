import { statSync } from 'node:fs';
import { withParent } from '../tools';
import { type Mount, parentsOf } from './layout';

/** The programs of this machine that build a sandbox, by their paths. */
export type Builders = Record<'setpriv' | 'unshare', string> & { bwrap: string | null };

/** What one sandbox is made of. */
export type Plan = {
  mounts: readonly Mount[];
  /** An empty folder to build the new root in; only `unshare` needs it. */
  root: string;
  /** Working folder inside. */
  cwd: string;
  /** The user that the process becomes when root starts it; null keeps ours. */
  user: number | null;
};

/** Puts a command behind walls. */
export type Walls = (plan: Plan, command: readonly string[]) => string[];

/** Namespaces of its own for everything but the user, which comes last where root drops to another one. */
const shared = ['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];

/** What becomes of root: another user without any capability, in a user namespace that holds this one user alone. */
function dropped({ setpriv, unshare }: Builders, user: number, command: readonly string[]): string[] {
  const id = String(user);
  return [
    ...[setpriv, `--reuid=${id}`, `--regid=${id}`, '--clear-groups', '--inh-caps=-all', '--bounding-set=-all'],
    ...['--no-new-privs', '--', unshare, '--user', '--map-current-user', '--'],
    // The change of the user took back what the kernel was asked for before.
    ...[setpriv, ...withParent, '--', ...command],
  ];
}

/** Walls by bubblewrap(1), which also takes away the making of further user namespaces where no root is there to drop from. */
export function bwrapWalls(builders: Builders): Walls {
  return ({ mounts, cwd, user }, command) => [
    ...[builders.bwrap ?? '', '--die-with-parent', ...shared],
    ...(user === null
      ? ['--unshare-user', '--disable-userns', '--cap-drop', 'ALL']
      : ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name])),
    ...parentsOf(mounts).flatMap((folder) => ['--dir', folder]),
    ...mounts.flatMap(({ kind, from, to }) => [bwrapOption[kind], from, to]),
    ...['--proc', '/proc', '--remount-ro', '/', '--chdir', cwd, '--'],
    ...(user === null ? command : dropped(builders, user, command)),
  ];
}

const bwrapOption = { read: '--ro-bind', write: '--bind', device: '--dev-bind', link: '--symlink' } as const;

/**
 * The same walls by unshare(1), mount(8) and pivot_root(8) of util-linux, for machines without bubblewrap. All mounts are one run of
 * `mount --all`, as a process for each of them would take longer than a small repair. Arguments: the folder of the new root; the
 * working folder in it; whether no further user namespace is to be made and /proc is to be read only; the table of mounts; folders and
 * files to make for them, one a line; links by target and place, `--`, and the command.
 */
const script = `
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1 cwd=$2 alone=$3 table=$4 folders=$5 files=$6; shift 6
umask 022
mount -t tmpfs -o mode=0755,nosuid,nodev,size=1m sandbox "$root"
cd "$root"
set -f
IFS='
'
mkdir -p proc .old $folders
for file in $files; do : > "$file"; done
while [ "$1" != -- ]; do ln -s "$1" "./$2"; shift 2; done; shift
printf %s "$table" > .table
mount --all --fstab .table
rm .table
mount -t proc -o nosuid,nodev,noexec proc proc
if [ "$alone" = yes ]; then
  echo 0 > proc/sys/user/max_user_namespaces
  mount -o remount,bind,ro,nosuid,nodev,noexec proc
fi
umount=$(command -v umount) mount=$(command -v mount)
pivot_root . .old
"/.old$mount" -o remount,bind,ro,nosuid,nodev /
cd "$cwd"
"/.old$umount" -l /.old
exec "$@"
`;

/** Options of a mount. A read-only one repeats the flags that a mount from outside the namespace may not lose. */
const mountOptions = { read: 'rbind,ro,nosuid,nodev', write: 'rbind,nosuid,nodev', device: 'bind' } as const;

/** A path as fstab(5) has it. */
const escaped = (path: string) =>
  path.replace(/[\s\\#]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** Places below the new root, one a line. */
const lines = (places: readonly string[]) => places.map((place) => `.${place}`).join('\n');

/** Walls by the tools of util-linux alone. */
export function unshareWalls(builders: Builders): Walls {
  const { unshare, setpriv } = builders;
  return ({ mounts, root, cwd, user }, command) => {
    const bound = mounts.flatMap(({ kind, from, to }) =>
      kind === 'link' ? [] : [{ from, to, options: mountOptions[kind], isFolder: statSync(from).isDirectory() }],
    );
    const table = bound.map(({ from, to, options }) => `${escaped(from)} ${escaped(root + to)} none ${options} 0 0\n`);
    const folders = [...parentsOf(mounts), ...bound.filter(({ isFolder }) => isFolder).map(({ to }) => to)];
    return [
      ...[unshare, '--mount', '--propagation', 'private', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child'],
      ...(user === null ? ['--user', '--map-root-user'] : []),
      // Where root drops to another user, that one's namespace is still to be made, by way of /proc.
      ...['--', '/bin/sh', '-c', script, 'sandbox', root, cwd, user === null ? 'yes' : 'no'],
      ...[table.join(''), lines(folders), lines(bound.filter(({ isFolder }) => !isFolder).map(({ to }) => to))],
      ...[...mounts.flatMap(({ kind, from, to }) => (kind === 'link' ? [from, to] : [])), '--'],
      ...(user === null
        ? [setpriv, '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs', ...withParent, '--', ...command]
        : dropped(builders, user, command)),
    ];
  };
}
