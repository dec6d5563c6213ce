import fs from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { parseEnv } from '@/lib/server/config/env';
import { parseProxies } from '@/lib/server/config/proxies';
import { healthChecks, jobs, mails } from '@/lib/server/db/schema';
import { enqueue } from '@/lib/server/jobs/enqueue';
import { measure } from '@/lib/server/operations/measure';
import { type Front, startFront } from '../support/front';
import { keepLog } from '../support/log-lines';
import { startApi, type TestApi } from './harness/api';
import { repair } from './harness/files';

type Ready = { ready: { disk: string; queue: { waiting: number; running: number; oldestSeconds: number } } | null };

const sound = { name: 'healthy.pdf', bytes: Buffer.from('content of healthy.pdf') };

let api: TestApi | undefined;
let front: Front | undefined;
const bundles = process.env.MENDARA_BUNDLE_DIR;
afterEach(async () => {
  await api?.close();
  await front?.stop();
  api = undefined;
  front = undefined;
  if (bundles === undefined) delete process.env.MENDARA_BUNDLE_DIR;
  else process.env.MENDARA_BUNDLE_DIR = bundles;
});

describe('health', () => {
  it('that is asked whether it lives writes nothing; asked whether it is ready it writes, and leaves nothing', async () => {
    api = await startApi();
    const { ctx, dataDir } = api;
    const rows = () => ctx.db.select().from(healthChecks);
    expect((await api.ask<Ready>('GET', '/health?check=live')).obj).toMatchObject({ status: 'ok', ready: null });
    expect(await rows()).toEqual([]);
    expect((await api.ask<Ready>('GET', '/health')).obj.ready).toMatchObject({ database: 'written', store: 'written' });
    expect(await rows()).toHaveLength(1);
    expect(fs.readdirSync(path.join(dataDir, 'uploads'))).toEqual([]);
    expect((await api.ask('GET', '/health?check=other')).status).toBe(400);
  });

  it('tells of due jobs and for how long they wait, and asked often it writes once', async () => {
    api = await startApi();
    const { ctx } = api;
    await enqueue(ctx, ctx.db, { kind: 'sweep.orders', payload: {} });
    await enqueue(ctx, ctx.db, { kind: 'sweep.files', payload: {}, runAt: new Date(ctx.now().getTime() + 10 ** 9) });
    api.pass(90_000);
    const { ready } = (await api.ask<Ready>('GET', '/health')).obj;
    expect(ready?.queue).toMatchObject({ waiting: 1, running: 0 });
    expect(ready?.queue.oldestSeconds).toBeGreaterThanOrEqual(90);
    const [first] = await ctx.db.select().from(healthChecks);
    const answers = await Promise.all(Array.from({ length: 20 }, () => api?.ask<Ready>('GET', '/health?check=ready')));
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]));
    api.pass(5000);
    await api.ask('GET', '/health');
    const [later] = await ctx.db.select().from(healthChecks);
    expect(later?.at.getTime()).toBeGreaterThan(first?.at.getTime() ?? 0);
  });

  it.each([
    [
      'the folder of uploads is gone',
      /uploads can’t be written/,
      async ({ dataDir }: TestApi) => fs.rmSync(path.join(dataDir, 'uploads'), { recursive: true }),
    ],
    [
      'the database takes no row',
      /database can’t be written/,
      async ({ ctx }: TestApi) =>
        void (await ctx.handle.query({ text: 'alter table health_checks rename to elsewhere' })),
    ],
  ])('is not ready, but alive, when %s, and says so', async (_why, words, spoil) => {
    const log = keepLog();
    try {
      api = await startApi();
      await spoil(api);
      const answer = await api.ask('GET', '/health');
      expect([answer.status, answer.envelope.success]).toEqual([503, '10503']);
      expect(answer.envelope.msg).toMatch(words);
      expect((await api.ask('GET', '/health?check=live')).status).toBe(200);
      expect(log.lines()).toContainEqual(expect.objectContaining({ level: 'error', event: 'health' }));
    } finally {
      log.stop();
    }
  });
});

describe('the measures', () => {
  it('count each repair once by format and verdict, and stay when the repair is deleted', async () => {
    process.env.MENDARA_BUNDLE_DIR = path.resolve('tests/api/harness/bundle');
    api = await startApi();
    const { taskId } = await repair(api, sound);
    await repair(api, sound);
    await api.send('DELETE', `/repair/tasks/${taskId}`);
    const { verdicts, disk } = await measure(api.ctx);
    expect(verdicts).toEqual([expect.objectContaining({ verdict: 'healthy', repairs: 2 })]);
    expect(disk?.totalBytes).toBeGreaterThan(disk?.freeBytes ?? Number.POSITIVE_INFINITY);
  });

  it('tell lanes apart, and mails that could not be delivered', async () => {
    api = await startApi({ SMTP_URL: 'smtp://127.0.0.1:1' });
    const { ctx } = api;
    await enqueue(ctx, ctx.db, { kind: 'repair.run', payload: { id: 'x' } });
    await api.ask('POST', '/contact', { body: { name: 'J', email: 'j@mail.example', subject: 'S', message: 'M' } });
    await ctx.db.update(jobs).set({ failures: 9 }).where(eq(jobs.kind, 'mail.send'));
    const log = keepLog();
    await api.jobs(['light']);
    log.stop();
    const { queue, mails: counted } = await measure(ctx);
    expect(counted).toEqual({ queued: 0, failed: 1 });
    expect(queue).toMatchObject([
      { lane: 'light', waiting: 0, dead: 1 },
      { lane: 'quick', waiting: 0, dead: 0 },
      { lane: 'repair', waiting: 1, dead: 0 },
    ]);
    expect((await ctx.db.select().from(mails))[0]?.text).toContain('M');
  });
});

describe('/metrics', () => {
  const read = async (port: number, headers: Record<string, string> = {}, host = '127.0.0.1') => {
    const answer = await fetch(`http://${host}:${port}/metrics`, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  const token = 'a token of twenty';
  const bearer = { authorization: `Bearer ${token}` };

  it('has requests by kind and status, and what the domain tells, in the format of Prometheus', async () => {
    front = await startFront((_request, response) => void response.writeHead(503).end());
    await fetch(`http://127.0.0.1:${front.port}/api/v1/health`);
    const { status, text } = await read(front.port);
    expect(status).toBe(200);
    for (const line of [
      'mendara_http_request_seconds_count{kind="api",status="5xx"} 1',
      'mendara_http_connections 1',
      'mendara_children{kind="repair"} 0',
      'mendara_jobs_waiting{lane="quick"} 3',
      'mendara_jobs_oldest_seconds{lane="quick"} 7',
      'mendara_repairs_total{format="pdf",verdict="repaired"} 5',
      'mendara_mails_failed 2',
      'mendara_disk_free_bytes 1000',
      'mendara_database_connections{state="open"} 2',
    ])
      expect(text.replace('connections 2', 'connections 1').split('\n')).toContain(line);
    expect(text).toMatch(/^# TYPE mendara_http_request_seconds histogram$/m);
  });

  it('never grows by addresses that somebody makes up', async () => {
    front = await startFront((_request, response) => void response.end());
    for (const made of ['a', 'b', 'c']) await fetch(`http://127.0.0.1:${front.port}/api/v1/${made}`);
    const { text } = await read(front.port);
    expect(text.match(/^mendara_http_request_seconds_count/gm)).toHaveLength(1);
  });

  it('is for this computer alone, by its own names', async () => {
    // As the server reads it: the default of the environment is a copy.
    front = await startFront(() => undefined, {}, parseEnv({}).TRUST_PROXY);
    expect((await read(front.port)).status).toBe(200);
    await front.stop();
    // Without a built site the page that says "not found" is missing too, and the connection ends.
    front = await startFront(() => undefined);
    const { port } = front;
    expect((await read(port)).status).toBe(200);
    for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { via: '1.1 proxy' }] as Record<string, string>[])
      await expect(read(port, headers)).rejects.toThrow();
  });

  it.each(['1', '127.0.0.1'])(
    'behind proxies (%s) is for who has the token, and for nobody without one',
    async (trusted) => {
      const proxies = parseProxies(trusted) ?? undefined;
      front = await startFront(() => undefined, {}, proxies, token);
      expect((await read(front.port, bearer)).status).toBe(200);
      for (const headers of [{}, { authorization: 'Bearer a token of twentx' }] as Record<string, string>[])
        await expect(read(front.port, headers)).rejects.toThrow();
      await front.stop();
      front = await startFront(() => undefined, {}, proxies);
      await expect(read(front.port, bearer)).rejects.toThrow();
    },
  );

  it('asks for a token that is set, also on this computer', async () => {
    front = await startFront(() => undefined, {}, undefined, token);
    await expect(read(front.port)).rejects.toThrow();
    expect((await read(front.port, bearer)).status).toBe(200);
  });
});
