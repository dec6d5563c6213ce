import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { preparedCluster } from '@/lib/cli/steps/cluster.mjs';
import { openEmbedded } from '@/lib/server/db/embedded';

let folder: string;
const before = process.env.MENDARA_CLUSTER;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-test-'));
});
afterEach(() => {
  if (before === undefined) delete process.env.MENDARA_CLUSTER;
  else process.env.MENDARA_CLUSTER = before;
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Every file below a folder, with its bytes. */
const filesOf = (root: string) =>
  fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(root, name)).isFile())
    .map((name) => [name, fs.readFileSync(path.join(root, name)).toString('base64')] as const);

/** Opens a new database, writes into it, and gives the identifier of its cluster. */
async function used(directory: string): Promise<string> {
  const database = await openEmbedded(directory);
  try {
    await database.query({ text: 'create table kept as select 7 as number' });
    const { rows } = await database.query({
      text: 'select system_identifier as id, number from pg_control_system(), kept',
    });
    expect(rows[0]).toMatchObject({ number: 7 });
    return String(rows[0]?.id);
  } finally {
    await database.close();
  }
}

describe('a new data folder', () => {
  it('begins with a copy of the cluster that was prepared, which stays as it is', async () => {
    const prepared = (await preparedCluster()) ?? '';
    process.env.MENDARA_CLUSTER = prepared;
    const untouched = filesOf(prepared);
    expect(untouched.length).toBeGreaterThan(900);
    const first = await used(path.join(folder, 'one'));
    expect(await used(path.join(folder, 'two'))).toBe(first);
    expect(filesOf(prepared)).toEqual(untouched);
    const cluster = path.join(folder, 'one', 'cluster');
    for (const name of ['.', 'PG_VERSION', 'base']) expect(fs.statSync(path.join(cluster, name)).mode & 0o077).toBe(0);
  });

  it.each([
    ['nothing was prepared', (_: string) => undefined],
    ['what was prepared is no cluster', (place: string) => fs.mkdirSync(place)],
  ])('makes its own where %s', async (_, prepare) => {
    const place = path.join(folder, 'prepared');
    prepare(place);
    process.env.MENDARA_CLUSTER = place;
    await used(path.join(folder, 'one'));
  });
});
