import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { openInMemory } from '@/lib/server/db/embedded';
import type { DatabaseHandle } from '@/lib/server/db/handle';
import { migrate, migrationsFolder } from '@/lib/server/db/migrate';

/** A migrated database in memory. The first one is made by initdb, which takes seconds; its image is kept for the rest. */
export async function openMigrated(): Promise<DatabaseHandle> {
  const file = path.join(os.tmpdir(), `mendara-test-image-${fingerprint()}.tar`);
  if (!fs.existsSync(file)) await makeImage(file);
  return openInMemory(new Blob([fs.readFileSync(file)]));
}

async function makeImage(file: string): Promise<void> {
  const handle = await openInMemory();
  await migrate(handle);
  const image = await (handle.client as PGlite).dumpDataDir('none');
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, Buffer.from(await image.arrayBuffer()));
  fs.renameSync(draft, file);
  await handle.close();
}

function fingerprint(): string {
  const hash = createHash('sha256');
  hash.update(fs.readFileSync('node_modules/@electric-sql/pglite/package.json'));
  for (const name of fs.readdirSync(migrationsFolder).sort()) {
    if (name.endsWith('.sql')) hash.update(fs.readFileSync(path.join(migrationsFolder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}
