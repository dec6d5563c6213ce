import 'server-only';
import fs from 'node:fs';
import path from 'node:path';
import { inPlainWords, startError } from './start-error';

/** What the server keeps in its folder. Other things that lie there are not ours to change. */
const ours = ['database', 'uploads', 'results', 'work', 'installers', 'secrets.json', 'operators.json'] as const;

/** Rights of everybody but the owner (POSIX.1-2017, `sys/stat.h`). */
const OTHERS = 0o077;
const STICKY = 0o1000;

/** New files and folders of this process are for its own account only. Systems without such rights ignore it. */
export function writePrivately(): void {
  process.umask(OTHERS);
}

/** What {@link keepPrivate} found: places that were open to others and are not any more, and those that still are. */
export type Privacy = { mended: number; stillOpen: string[] };

/**
 * Makes the folder with mode 0700 and takes the rights of others from all that the server keeps in it, as an older
 * release, a copy or a restore may have left them. Links are not followed.
 * Throws a `StartError` for a folder that is plainly not the server's own, before it changes anything.
 */
export function keepPrivate(folder: string): Privacy {
  const privacy: Privacy = { mended: 0, stillOpen: [] };
  makeFolder(folder);
  if (process.platform === 'win32') return privacy;
  close(folder, fs.statSync(folder), privacy);
  for (const name of ours) closeTree(path.join(folder, name), privacy);
  return privacy;
}

/** A mode without what it gives to everybody but the owner. */
export function withoutOthers(mode: number): number {
  return mode & ~OTHERS;
}

/** Takes the rights of others from a file, or from a folder and all that is in it. */
export function takeRightsOfOthers(place: string): void {
  closeTree(place, { mended: 0, stillOpen: [] });
}

/** The words for the start, null when there is nothing to say. */
export function privacyInWords(folder: string, { mended, stillOpen }: Privacy): string | null {
  const first = stillOpen[0];
  if (first) {
    return `Other accounts of this machine can read ${stillOpen.length} places under ${folder}, such as ${first}: they belong to somebody else. Give them to this account.`;
  }
  if (mended === 0) return null;
  return `${mended === 1 ? 'One place' : `${mended} places`} under ${folder} could be read by other accounts of this machine. They are private now.`;
}

function makeFolder(folder: string): void {
  try {
    if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw startError(
        `DATA_DIR must be a folder, but ${folder} is a file. Set it to a folder, or move the file away.`,
      );
    }
    refuseForeign(folder);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw inPlainWords(error, folder);
  }
}

/** Least room that a start needs: the database writes its log in pieces of 16 MB, and ends in the middle of one without room. */
const LEAST_BYTES = 32 * 2 ** 20;

/**
 * Writes a little into the folder, so that a disk that is full or can only be read is said at the start and not by what comes to grief
 * over it later. Throws a `StartError`.
 */
export function proveWritable(folder: string): void {
  const file = path.join(folder, `start.${process.pid}`);
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    fs.writeFileSync(file, Buffer.alloc(4096, 1), { flush: true, mode: 0o600 });
    if (bavail * bsize < LEAST_BYTES) {
      throw startError(
        `The disk of ${folder} is full: ${Math.floor((bavail * bsize) / 2 ** 20)} MB are free, and a start needs ${LEAST_BYTES / 2 ** 20}. Make room on it, or set DATA_DIR to a folder on another disk.`,
      );
    }
  } catch (error) {
    throw inPlainWords(error, folder);
  } finally {
    // A failed write must be said as that, not as a file that could not be taken away.
    fs.rmSync(file, { force: true });
  }
}

function refuseForeign(folder: string): void {
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  const holdsProgram = `${process.cwd()}${path.sep}`.startsWith(`${folder.replace(/[\\/]+$/, '')}${path.sep}`);
  const isShared = stat !== undefined && (stat.mode & STICKY) !== 0;
  const isTopmost = stat?.isDirectory() === true && path.dirname(folder) === path.parse(folder).root;
  if (holdsProgram || isShared || (isTopmost && holdsForeign(folder))) {
    throw startError(`DATA_DIR must be a folder of its own, which ${folder} is not. Set it to a folder inside it.`);
  }
}

/** True for a folder with things in it of which none is ours; a volume of its own has its `lost+found`. */
function holdsForeign(folder: string): boolean {
  const names = fs.readdirSync(folder).filter((name) => name !== 'lost+found');
  return names.length > 0 && !names.some((name) => (ours as readonly string[]).includes(name));
}

function closeTree(place: string, privacy: Privacy): void {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  if (!stat || stat.isSymbolicLink()) return;
  close(place, stat, privacy);
  if (!stat.isDirectory()) return;
  let names: string[];
  try {
    names = fs.readdirSync(place);
  } catch {
    return;
  }
  for (const name of names) closeTree(path.join(place, name), privacy);
}

function close(place: string, { mode }: fs.Stats, privacy: Privacy): void {
  if ((mode & OTHERS) === 0) return;
  try {
    fs.chmodSync(place, withoutOthers(mode & 0o7777));
    privacy.mended += 1;
  } catch (error) {
    // Another server on the same folder may have removed it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') privacy.stillOpen.push(place);
  }
}
