import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseEnv } from '@/lib/server/config/env';
import { openEmbedded } from '@/lib/server/db/embedded';
import type { DatabaseHandle } from '@/lib/server/db/handle';
import { migrate } from '@/lib/server/db/migrate';
import { move } from '@/lib/server/operations/move/move';
import { fingerprintOf, SAME_TEXT, tablesOf } from '@/lib/server/operations/move/tables';
import { startApi } from '../api/harness/api';
import { askForForm, bytesOf, repair, upload } from '../api/harness/files';
import { signedIn } from '../api/harness/people';
import { buy } from '../api/harness/shop';
import { startTestStore, type TestStore } from '../support/s3/server';
import { postgresql } from './adapters';

const adapter = await postgresql();
const TIMEOUT = { timeout: 300_000 };

describe.runIf(adapter)('a move of an embedded installation', TIMEOUT, () => {
  let dataDir = '';
  let store: TestStore;
  let target: DatabaseHandle;
  let url = '';
  let finished = '';
  let unfinished = '';
  const said: string[] = [];
  const run = (postgres: string | null, s3: boolean, variables = store.variables) =>
    move(parseEnv({ DATA_DIR: dataDir, ...variables }), { postgres, s3 }, (words) => said.push(words));
  const openSource = () => openEmbedded(path.join(dataDir, 'database'));

  beforeAll(async () => {
    process.env.MENDARA_BUNDLE_DIR = path.resolve('tests/api/harness/bundle');
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-move-'));
    store = await startTestStore();
    const source = await openSource();
    await migrate(source);
    const api = await startApi({ UPLOAD_RESUMABLE_MB: '1' }, source);
    const { token } = await signedIn(api);
    await buy(api, {}, token);
    await buy(api);
    await api.ask('POST', '/contact', {
      body: { email: 'a@example.com', message: "Ünïcode “quotes”,\n\\ and 'more' 😀" },
    });
    await api.ask('POST', '/event/track/log', { body: { eventName: 'page_view' } });
    finished = (await repair(api, { name: 'Überweisung.pdf', bytes: bytesOf('content') })).taskId;
    await upload(api, { name: 'waits.pdf', bytes: bytesOf('more content') });
    unfinished = (await askForForm(api, { name: 'film.mp4', type: 17, bytes: new Uint8Array() }, 2 ** 21)).obj.taskId;
    for (const area of ['uploads', 'results', 'installers']) {
      fs.cpSync(path.join(api.dataDir, area), path.join(dataDir, area), { recursive: true });
    }
    fs.writeFileSync(path.join(dataDir, 'installers', 'recovery-win.exe'), Buffer.alloc(3 * 2 ** 20, 9));
    await api.close();
    target = await (adapter?.open() ?? Promise.reject(new Error('no PostgreSQL')));
    url = String((target.client as { options: { connectionString: string } }).options.connectionString);
  }, 300_000);
  afterAll(async () => {
    await target.close();
    await adapter?.stop();
    await store.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  const counts = async (handle: DatabaseHandle) => {
    for (const statement of SAME_TEXT.split('; ')) await handle.query({ text: statement });
    const found: Record<string, unknown> = {};
    for (const table of await tablesOf(handle)) found[table.name] = await fingerprintOf(handle.query, table);
    return found;
  };

  it('is not made under a server that runs', TIMEOUT, async () => {
    const running = await openSource();
    await expect(run(url, false)).rejects.toThrow(/in use by another process/);
    await running.close();
  });

  it('leaves nothing of a break in the middle of the rows', TIMEOUT, async () => {
    // Orders come late; the table refuses them, as a connection that is lost would.
    await target.query({ text: "alter table orders add constraint broken check (id = '')" });
    await expect(run(url, false)).rejects.toThrow(/broken/);
    await target.query({ text: 'alter table orders drop constraint broken' });
    expect((await target.query({ text: 'select id from users' })).rows).toEqual([]);
  });

  it('goes on with files after a store that fell ill in the middle', TIMEOUT, async () => {
    // The start reads once, then each file is read back.
    store.fail('GET', 1000, 3);
    await expect(run(null, true)).rejects.toThrow(/ill/);
    store.fail('GET', 0);
    said.length = 0;
    await run(null, true);
    const [, sent, there] = /: (\d+) files sent and verified, (\d+) were there already/.exec(said.join('\n')) ?? [];
    expect(Number(there)).toBeGreaterThan(1);
    expect(Number(sent)).toBeGreaterThan(0);
  });

  it('brings every row and every file, verified, and says so', TIMEOUT, async () => {
    said.length = 0;
    await run(url, true);
    expect(said.join('\n')).toMatch(/0 files sent and verified, \d+ were there already/);
    expect(said.join('\n')).toMatch(/1 uploads that had not arrived as a whole begin anew/);
    expect(said.join('\n')).toMatch(/[1-9]\d* rows of \d+ tables moved and verified/);
    const source = await openSource();
    const [here, there] = [await counts(source), await counts(target)];
    await source.close();
    delete there.mendara_move;
    expect(there).toEqual(here);
    expect(here.orders).toMatchObject({ rows: 2 });
  });

  it('is found out where a single row or file differs', TIMEOUT, async () => {
    const source = await openSource();
    const [table] = (await tablesOf(source)).filter(({ name }) => name === 'orders');
    if (!table) throw new Error('no orders');
    const before = await fingerprintOf(source.query, table);
    await source.query({
      text: "update orders set email = 'other@example.com' where id = (select min(id) from orders)",
    });
    expect(await fingerprintOf(source.query, table)).not.toEqual(before);
    await source.close();
  });

  it('can be asked for again, and changes nothing then', TIMEOUT, async () => {
    await target.query({ text: "update users set first_name = 'Changed since'" });
    said.length = 0;
    await run(url, true);
    expect(said.join('\n')).toMatch(/were moved there before; they are left as they are/);
    const { rows } = await target.query({ text: 'select first_name from users' });
    expect(rows.every((row) => row.first_name === 'Changed since')).toBe(true);
  });

  it('is a whole installation: the repair is fetched, new rows get new numbers', TIMEOUT, async () => {
    const api = await startApi({ ...store.variables, DATABASE_URL: url }, target);
    const answer = await api.send('GET', `/repair/tasks/${finished}/file`);
    const file = await fetch(answer.headers.get('location') ?? '');
    expect(await file.text()).toBe('content repaired');
    const installer = await api.ctx.objects.head('installers/recovery-win.exe');
    expect(installer?.bytes).toBe(3 * 2 ** 20);
    await buy(api);
    const { rows } = await target.query({
      text: 'select count(*)::int as all, count(distinct id)::int as ids from state_history',
    });
    expect(rows[0]?.all).toBe(rows[0]?.ids);
    const begun = createHash('sha256').update(unfinished).digest('hex');
    expect(await api.ctx.objects.head(`uploads/${begun}`)).toBeNull();
  });

  it('takes no database that is in use, nor one of another installation', TIMEOUT, async () => {
    fs.writeFileSync(path.join(dataDir, 'database', 'moved-as'), 'somebody else');
    await expect(run(url, false)).rejects.toThrow(
      /is not empty.*It took in another installation before. Nothing was changed/,
    );
  });

  it('needs to be told where to', async () => {
    await expect(run(null, true, {})).rejects.toThrow(/--to-s3 moves files to the store that S3_ENDPOINT/);
  });
});
