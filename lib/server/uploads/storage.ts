import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';

/** Names in the local store are made by us (hex and dashes), never from what a visitor sent. */
const safeName = /^[0-9a-f][0-9a-f.-]{0,120}$/;

/** Where an upload lies, by its task's id. */
export function uploadPath(dataDir: string, id: string): string {
  return inFolder(dataDir, 'uploads', id);
}

/** Where a result lies, by the name that job and attempt gave it. */
export function resultPath(dataDir: string, name: string): string {
  return inFolder(dataDir, 'results', name);
}

/** Makes the folders of the store. */
export async function makeFolders(dataDir: string): Promise<void> {
  for (const folder of ['uploads', 'results'])
    await fs.mkdir(folderOf(dataDir, folder), { recursive: true, mode: 0o700 });
}

/** Names and last changes of everything in a folder of the store. */
export async function listFolder(
  dataDir: string,
  folder: 'uploads' | 'results' | 'work',
): Promise<{ name: string; path: string; changedAt: Date }[]> {
  const directory = folderOf(dataDir, folder);
  const names = await fs.readdir(directory).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const file = path.join(directory, name);
      const stat = await fs.stat(file).catch(() => null);
      return stat && { name, path: file, changedAt: stat.mtime };
    }),
  );
  return found.filter((entry) => entry !== null);
}

/** Bytes of all uploads, results and unfinished repairs on the disk. */
export async function bytesInStore(dataDir: string): Promise<number> {
  let bytes = 0;
  for (const folder of ['uploads', 'results', 'work'] as const) bytes += await bytesBelow(folderOf(dataDir, folder));
  return bytes;
}

async function bytesBelow(folder: string): Promise<number> {
  // A repair that is shut in may keep its folder from us; it is bounded by itself.
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) return bytesBelow(place);
      return (await fs.lstat(place).catch(() => null))?.size ?? 0;
    }),
  );
  return sizes.reduce((all, size) => all + size, 0);
}

/** Room on the disk of the store, in bytes: what is free for us, and all of it. */
export type Disk = { freeBytes: number; totalBytes: number };

/** How the disk of the store stands; null where the system does not tell. */
export async function diskOf(dataDir: string): Promise<Disk | null> {
  const stat = await fs.statfs(folderOf(dataDir, 'uploads')).catch(() => null);
  return stat && { freeBytes: stat.bavail * stat.bsize, totalBytes: stat.blocks * stat.bsize };
}

/** A file that is written only to see whether one can be; what a cut-off check leaves is swept away like any stray file. */
export function healthFile(dataDir: string, name: string): string {
  return inFolder(dataDir, 'uploads', `${name}.0`);
}

/** Removes a file, if it is there. */
export async function removeFile(file: string): Promise<void> {
  await fs.rm(file, { force: true });
}

function folderOf(dataDir: string, folder: string): string {
  return path.join(/* turbopackIgnore: true */ dataDir, folder);
}

function inFolder(dataDir: string, folder: string, name: string): string {
  if (!safeName.test(name)) throw new Error('A name in the store must be made by the server.');
  return path.join(folderOf(dataDir, folder), name);
}
