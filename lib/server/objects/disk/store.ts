import 'server-only';
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { exactly } from '../exact';
import { type Area, areas, type ObjectHead, type ObjectKey, type ObjectStore, partsOf } from '../port';
import { localSigner, signPolicy } from './post-policy';

/** The store on this machine's disk, in folders of `dataDir`; its forms are taken by this server, signed with `secret`. */
export function diskStore(dataDir: string, secret: string): ObjectStore {
  const folderOf = (area: Area) => path.join(/* turbopackIgnore: true */ dataDir, area);
  const placeOf = (key: ObjectKey) => {
    const { area, name } = partsOf(key);
    return path.join(folderOf(area), name);
  };
  return {
    kind: 'disk',
    describe: `Files: ${dataDir}`,
    async put(key, body, bytes) {
      const place = placeOf(key);
      // Aside first: half a file must not be taken for a whole one, and what a killed process leaves is known by its name.
      const draft = `${place}.${randomBytes(6).toString('hex')}`;
      // Opened by itself: a stream that fails while it still opens its file would leave one behind.
      const file = await fs.open(draft, 'w', 0o600);
      try {
        await pipeline(body, exactly(bytes), file.createWriteStream());
        await fs.rename(draft, place);
      } finally {
        await fs.rm(draft, { force: true });
      }
    },
    async take(key, file) {
      try {
        await fs.rename(file, placeOf(key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
        const { size } = await fs.stat(file);
        await this.put(key, createReadStream(file), size);
        await fs.rm(file, { force: true });
      }
    },
    async get(key, range) {
      const place = placeOf(key);
      // Opened before it is answered: a file that goes meanwhile is still read to its end.
      const file = await fs.open(place, 'r').catch(notThere);
      return file?.createReadStream(range) ?? null;
    },
    async head(key) {
      const stat = await fs.stat(placeOf(key)).catch(notThere);
      return stat?.isFile() ? { bytes: stat.size, changedAt: stat.mtime } : null;
    },
    async remove(key) {
      await fs.rm(placeOf(key), { force: true });
    },
    list: (area) => listFolder(area, folderOf(area)),
    async lend(key, _scratch, work) {
      const place = placeOf(key);
      const isThere = await fs.stat(place).catch(notThere);
      return work(isThere ? place : null);
    },
    async signForm({ key, bytes, now, seconds }) {
      const expiresAt = new Date(now.getTime() + seconds * 1000);
      return { url: null, fields: signPolicy(localSigner(secret), { key: partsOf(key).name, bytes, now, expiresAt }) };
    },
    async pieces() {
      const { FileStore } = await import('@tus/file-store');
      return new FileStore({ directory: dataDir });
    },
    link: async () => null,
    async open() {
      for (const area of areas) await fs.mkdir(folderOf(area), { recursive: true, mode: 0o700 });
    },
    async prove() {
      // What a cut-off check leaves is swept away like any stray file.
      const file = placeOf(`uploads/${randomBytes(6).toString('hex')}.0`);
      try {
        await fs.writeFile(file, '1', { flush: true, mode: 0o600 });
      } finally {
        await fs.rm(file, { force: true });
      }
    },
    async disk() {
      const stat = await fs.statfs(folderOf('uploads')).catch(() => null);
      return stat && { freeBytes: stat.bavail * stat.bsize, totalBytes: stat.blocks * stat.bsize };
    },
    rules: null,
  };
}

async function* listFolder(area: Area, folder: string): AsyncIterable<{ key: ObjectKey } & ObjectHead> {
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const stat = await fs.stat(path.join(folder, name)).catch(() => null);
    if (stat?.isFile()) yield { key: `${area}/${name}`, bytes: stat.size, changedAt: stat.mtime };
  }
}

function notThere(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
