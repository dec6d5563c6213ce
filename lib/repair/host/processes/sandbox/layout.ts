import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Something of this machine that a sandbox shows, at `to`: files and folders to read, one folder to write to, a device,
 * or a symbolic link to `from`.
 */
export type Mount = { kind: 'read' | 'write' | 'device' | 'link'; from: string; to: string };

/** Packages that the programs of a repair import; what these depend on comes along. */
export const packages = [
  '@cantoo/pdf-lib',
  '@ffmpeg/core',
  '@hyzyla/pdfium',
  'cfb',
  'fflate',
  'mediabunny',
  'ogv',
  'pdfjs-dist',
  'saxes',
  'sharp',
  'zod',
] as const;

/** Where libraries lie by the Filesystem Hierarchy Standard, and what the loader or a distribution's own Node reads beside them. */
const libraries = ['/usr/lib', '/usr/lib64', '/lib', '/lib64', '/etc/ld.so.cache', '/usr/share/nodejs'];
const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];

/** What every repair needs in sight, all of it to be read only: Node with its libraries, the bundles, their packages. `programs` are further files. */
export function programLayout(bundles: string, programs: readonly string[]): Mount[] {
  const shared = libraries.flatMap(shownAsIs);
  const folders = [...libraryFolders(), bundles, ...packageFolders(bundles)];
  const rest = [...folders, process.execPath, ...programs].filter(
    (path) => !shared.some(({ to }) => isWithin(path, to)),
  );
  return [
    ...shared,
    ...[...new Set(rest)].sort().map((path): Mount => ({ kind: 'read', from: path, to: path })),
    ...devices.map((path): Mount => ({ kind: 'device', from: path, to: path })),
  ];
}

/** Every folder above the mounts, outermost first. */
export function parentsOf(mounts: readonly Mount[]): string[] {
  const parents = new Set<string>();
  for (const { to } of mounts) {
    for (let folder = dirname(to); folder !== '/'; folder = dirname(folder)) parents.add(folder);
  }
  return [...parents].sort();
}

function shownAsIs(path: string): Mount[] {
  if (!existsSync(path)) return [];
  if (lstatSync(path).isSymbolicLink()) return [{ kind: 'link', from: readlinkSync(path), to: path }];
  return [{ kind: 'read', from: path, to: path }];
}

/** The folders of the shared libraries that this very Node is made of, wherever it was installed. */
function libraryFolders(): string[] {
  if (!existsSync('/proc/self/maps')) return [];
  const paths = readFileSync('/proc/self/maps', 'utf8').match(/\/\S+\.so(?:\.[\d.]+)?$/gm) ?? [];
  return paths.map((path) => dirname(path)).filter((folder) => !folder.includes('/node_modules/'));
}

/** The folders of the packages and of all that they depend on, as Node finds them from the bundles. */
function packageFolders(bundles: string): string[] {
  const found = new Set<string>();
  const add = (name: string, from: string) => {
    const folder = packageFolder(name, from);
    if (!folder || found.has(folder)) return;
    found.add(folder);
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) add(dependency, folder);
  };
  for (const name of packages) add(name, bundles);
  return [...found];
}

function packageFolder(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (statSync(join(candidate, 'package.json'), { throwIfNoEntry: false })) return candidate;
    if (folder === dirname(folder)) return null;
  }
}

/** Whether one absolute path is another or lies under it. */
function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
