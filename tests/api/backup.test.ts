import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { restore } from '@/lib/server/db/backup';
import { connect } from '@/lib/server/db/connect';
import { openEmbedded } from '@/lib/server/db/embedded';
import { migrate } from '@/lib/server/db/migrate';
import { orders, stateHistory } from '@/lib/server/db/schema';
import { operate } from '@/lib/server/operations/commands';
import { startApi } from './harness/api';
import { buy } from './harness/shop';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-backup-'));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

it('is consistent while the server is at work, refuses damage, and comes back whole', {
  timeout: 300_000,
}, async () => {
  const directory = path.join(folder, 'database');
  const opened = await openEmbedded(directory);
  await migrate(opened);
  const api = await startApi({}, opened);
  const file = path.join(folder, 'first.backup');
  const paid = [await buy(api), await buy(api)];
  // At work: purchases begin, are paid and are mailed while the files are read.
  const meanwhile = Promise.all([buy(api), buy(api), buy(api)]);
  const outcome = await operate(api.ctx, 'jo', ['backup', file]);
  expect(outcome).toMatchObject({ ok: true, value: { file, bytes: expect.any(Number) } });
  await meanwhile;
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(folder)).not.toContain('first.backup.part');
  expect(await operate(api.ctx, 'jo', ['backup', file])).toMatchObject({ ok: false, error: { name: 'conflict' } });
  // A server that runs is not written under.
  await expect(restore(folder, file, new Date())).rejects.toThrow(/in use by another process/);
  const secrets = fs.readFileSync(path.join(api.dataDir, 'secrets.json'), 'utf8');
  await api.close();

  const cut = path.join(folder, 'cut.backup');
  fs.writeFileSync(cut, fs.readFileSync(file).subarray(0, -1000));
  await expect(restore(folder, cut, new Date())).rejects.toThrow(/damaged or was cut off. Nothing was changed/);
  await expect(restore(folder, path.join(directory, 'cluster', 'PG_VERSION'), new Date())).rejects.toThrow(
    /is no backup/,
  );
  await expect(restore(folder, directory, new Date())).rejects.toThrow(/is not a file. Name the file of the backup/);

  const aside = await restore(folder, file, new Date());
  expect(fs.existsSync(path.join(aside ?? '', 'PG_VERSION'))).toBe(true);
  expect(fs.readFileSync(path.join(folder, 'secrets.json'), 'utf8')).toBe(secrets);
  const again = await openEmbedded(directory);
  const db = connect(again);
  const found = await db.select().from(orders);
  expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(paid));
  // Each order is as one transaction left it: a paid one has its history, an open one none of being paid.
  const history = await db.select().from(stateHistory);
  for (const { id, status } of found) {
    const isPaid = history.some(({ subjectId, to }) => subjectId === id && to === 'success');
    expect([id, isPaid]).toEqual([id, status === 'success']);
  }
  await again.close();
});
