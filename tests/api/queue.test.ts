import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OwnRepairs } from '@/lib/contract/repair';
import { jobs, repairTasks } from '@/lib/server/db/schema';
import { claim } from '@/lib/server/jobs/claim';
import { enqueue } from '@/lib/server/jobs/enqueue';
import { kindsOf } from '@/lib/server/jobs/loop';
import { Postponed } from '@/lib/server/jobs/postponed';
import { CUT_OFF_MOST, runJob } from '@/lib/server/jobs/run-job';
import type { Job, JobHandler } from '@/lib/server/jobs/types';
import { sweepFiles } from '@/lib/server/repairs/sweep-files';
import { handlers } from '@/lib/server/run/handlers';
import { startApi, type TestApi } from './harness/api';
import { askForForm, bytesOf, fill, repair, sendForm, taskOf, upload } from './harness/files';

let api: TestApi;
beforeAll(async () => {
  process.env.MENDARA_BUNDLE_DIR = path.resolve('tests/api/harness/bundle');
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(() => api.ctx.db.delete(jobs));

const never = new AbortController().signal;
const visitor = () => randomBytes(32).toString('base64url');
const sample = (name: string, more: { visitor?: string; client?: string } = {}) => ({
  name,
  bytes: bytesOf(`content of ${name}`),
  ...more,
});

const nameOf = (job: Job | null) => (job?.kind === 'repair.quick' ? job.payload.id : '');

/** Whose turn it is, one after the other. */
async function turns(): Promise<string[]> {
  const kinds = kindsOf(handlers, 'quick');
  const order: string[] = [];
  for (let job = await claim(api.ctx, 'one', kinds); job; job = await claim(api.ctx, 'one', kinds)) {
    order.push(nameOf(job));
  }
  return order;
}

describe('the queue', () => {
  const add = async (owner: string, ...names: string[]) => {
    for (const name of names) {
      api.pass(10);
      await enqueue(api.ctx, api.ctx.db, { kind: 'repair.quick', payload: { id: name }, owner });
    }
  };

  it('lets owners take turns, whoever came first with however many', async () => {
    await add('ann', 'a1', 'a2', 'a3', 'a4');
    await add('bob', 'b1', 'b2');
    await add('cy', 'c1');
    expect(await turns()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('lets a newcomer join the round that it is in, not one that is long over', async () => {
    await add('ann', 'a1', 'a2', 'a3');
    const kinds = kindsOf(handlers, 'quick');
    for (const name of ['a1', 'a2']) expect(nameOf(await claim(api.ctx, 'one', kinds))).toBe(name);
    await add('bob', 'b1', 'b2');
    expect(await turns()).toEqual(['a3', 'b1', 'b2']);
  });

  it('tells the place and how long it will about be', async () => {
    const [ann, bob] = [visitor(), visitor()];
    const ids: string[] = [];
    for (const [name, who] of [
      ['a1.pdf', ann],
      ['a2.pdf', ann],
      ['a3.pdf', ann],
      ['b1.pdf', bob],
    ] as const) {
      const id = await upload(api, sample(name, { visitor: who }));
      await api.ask('POST', `/repair/tasks/${id}`);
      api.pass(1000);
      ids.push(id);
    }
    const tasks = await Promise.all(ids.map((id) => taskOf(api, id)));
    expect(tasks.map(({ queuePosition }) => queuePosition)).toEqual([1, 3, 4, 2]);
    const seconds = tasks.map(({ queueSeconds }) => queueSeconds ?? -1);
    expect(seconds[0]).toBe(0);
    expect(seconds[3]).toBeGreaterThan(0);
    expect(seconds[1]).toBeGreaterThan(seconds[3] ?? 0);
    await api.jobs(['repair']);
    expect((await taskOf(api, ids[0] ?? '')).queueSeconds).toBeNull();
  });

  it('gives long videos a lane of their own, and takes what is not quick out of the other', async () => {
    const long = { ...sample('long.mp4'), type: 17 as const };
    const { obj } = await askForForm(api, long, 100 * 2 ** 20);
    await api.ctx.db.update(repairTasks).set({ uploadedAt: api.ctx.now() }).where(eq(repairTasks.fileName, 'long.mp4'));
    await api.ask('POST', `/repair/tasks/${obj.taskId}`);
    const [row] = await api.ctx.db.select().from(jobs);
    expect(row?.kind).toBe('repair.run');
    await api.ask('DELETE', `/repair/tasks/${obj.taskId}`);

    const taskId = await upload(api, sample('endless.pdf'));
    await api.ask('POST', `/repair/tasks/${taskId}`);
    const kinds = kindsOf(handlers, 'quick');
    const job = await claim(api.ctx, 'one', kinds);
    if (!job) throw new Error('not claimed');
    const hurried = { ...api.ctx, env: { ...api.ctx.env, REPAIR_QUICK_SECONDS: 1 } };
    await runJob(hurried, 'one', job, handlers['repair.quick'], never);
    expect((await taskOf(api, taskId)).status).toBe('waiting');
    const [next] = await api.ctx.db.select().from(jobs);
    expect(next).toMatchObject({ kind: 'repair.run', status: 'waiting', failures: 0 });
  });
});

describe('an attempt', () => {
  const handlerOf = (run: JobHandler['run'], giveUp: () => void): JobHandler => ({
    lane: 'light',
    maxAttempts: 3,
    leaseSeconds: 30,
    run,
    giveUp: () => async () => giveUp(),
  });
  const kinds = kindsOf(handlers, 'light');
  async function again(handler: JobHandler): Promise<Job | null> {
    api.pass(3_600_000);
    const job = await claim(api.ctx, 'one', kinds);
    if (job) await runJob(api.ctx, 'one', job, handler, never);
    return job;
  }

  it('that was cut off by the end of the server costs none', async () => {
    let gaveUp = 0;
    const crash = handlerOf(
      () => Promise.reject(new Error('its own fault')),
      () => {
        gaveUp += 1;
      },
    );
    await enqueue(api.ctx, api.ctx.db, { kind: 'mail.send', payload: { mailId: 'none' } });
    for (let kill = 0; kill < 20; kill += 1) {
      api.pass(3_600_000);
      expect(await claim(api.ctx, 'killed', kinds)).toMatchObject({ attempt: kill + 1, failures: 0 });
    }
    for (const failures of [0, 1, 2]) {
      expect(gaveUp).toBe(0);
      expect(await again(crash)).toMatchObject({ failures });
    }
    expect(gaveUp).toBe(1);
  });

  it('that always takes its server down ends some day', async () => {
    let gaveUp = 0;
    const innocent = handlerOf(
      async () => null,
      () => {
        gaveUp += 1;
      },
    );
    await enqueue(api.ctx, api.ctx.db, { kind: 'mail.send', payload: { mailId: 'none' } });
    await api.ctx.db.update(jobs).set({ attempts: CUT_OFF_MOST });
    await again(innocent);
    expect(gaveUp).toBe(1);
  });

  it('that could not be made here is postponed and costs none', async () => {
    const later = handlerOf(
      () => Promise.reject(new Postponed('nobody answers', 3)),
      () => {
        throw new Error('given up');
      },
    );
    await enqueue(api.ctx, api.ctx.db, { kind: 'mail.send', payload: { mailId: 'none' } });
    for (let tries = 0; tries < 10; tries += 1) expect(await again(later)).toMatchObject({ attempt: 1, failures: 0 });
    const [row] = await api.ctx.db.select().from(jobs);
    expect(Number(row?.runAt) - api.ctx.now().getTime()).toBeLessThanOrEqual(3000);
  });

  it('of a webhook that found nobody is made again within seconds', async () => {
    await enqueue(api.ctx, api.ctx.db, {
      kind: 'sandbox.webhook',
      payload: { id: 'x', type: 'refunded', orderId: 'o', payment: 'p' },
    });
    const down = { ...api.ctx, fetch: () => Promise.reject(new TypeError('fetch failed')) };
    const job = await claim(api.ctx, 'one', kinds);
    if (!job) throw new Error('not claimed');
    await runJob(down, 'one', job, handlers['sandbox.webhook'], never);
    const [row] = await api.ctx.db.select().from(jobs);
    expect(row).toMatchObject({ status: 'waiting', attempts: 0, failures: 0 });
    expect(Number(row?.runAt) - api.ctx.now().getTime()).toBeLessThanOrEqual(5000);
  });
});

describe('a share', () => {
  const list = (own: TestApi, who?: string) =>
    own.ask<OwnRepairs>('GET', '/repair/tasks', who ? { headers: { cookie: `visitor=${who}` } } : {});

  it('is named by a cookie that scripts cannot read', async () => {
    const { headers, obj } = await list(api);
    expect(headers.get('set-cookie')).toMatch(
      /^visitor=[\w-]{43}; Path=\/api\/v1; Max-Age=86400; HttpOnly; SameSite=Lax$/,
    );
    expect(obj).toEqual({ most: 5, tasks: [] });
    const named = await list(api, visitor());
    expect(named.headers.get('set-cookie')).toBeNull();
    expect(named.obj.most).toBe(20);
    expect((await list(api, 'short')).headers.get('set-cookie')).toContain('visitor=');
  });

  it('is each visitor’s own; those without a cookie have a quarter of one; a network has far more', async () => {
    const own = await startApi({ RATE_LIMITS: 'on', UPLOAD_TASKS_PER_CLIENT: '4', UPLOAD_TASKS_PER_ADDRESS: '7' });
    const client = '198.51.100.7';
    const ask = (who?: string) => askForForm(own, sample('a.pdf', { client, ...(who ? { visitor: who } : {}) }));
    const [ann, bob] = [visitor(), visitor()];
    for (let count = 0; count < 4; count += 1) expect((await ask(ann)).status).toBe(200);
    own.pass(3_600_000);
    const refused = await ask(ann);
    expect(refused.status).toBe(429);
    expect(refused.envelope.msg).toMatch(/delete one of them, or wait: the oldest is deleted in about 23 hours\.$/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(22 * 3600);
    expect((await ask(bob)).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
    expect((await ask(bob)).status).toBe(200);
    // The network's share is used up, whoever asks.
    const full = await ask(visitor());
    expect(full.status).toBe(429);
    expect(full.envelope.msg).toMatch(/from your network/);
    await own.close();
  });

  it('is seen by its visitor alone, who can delete from it', async () => {
    const [ann, bob] = [visitor(), visitor()];
    const taskId = await upload(api, sample('mine.pdf', { visitor: ann }));
    const { obj } = await list(api, ann);
    expect(obj.tasks).toMatchObject([{ fileName: 'mine.pdf', status: 'uploading', type: 18 }]);
    const id = obj.tasks[0]?.id ?? '';
    expect(JSON.stringify(obj)).not.toContain(taskId);
    expect((await list(api, bob)).obj.tasks).toEqual([]);
    expect((await api.ask('GET', `/repair/tasks/${id}`)).status).toBe(404);
    const remove = (who?: string) =>
      api.ask('DELETE', `/repair/tasks/${id}`, who ? { headers: { cookie: `visitor=${who}` } } : {});
    expect((await remove(bob)).status).toBe(404);
    expect((await remove()).status).toBe(404);
    expect((await remove(ann)).status).toBe(200);
    expect((await taskOf(api, taskId)).status).toBe('deleted');
    expect((await list(api, ann)).obj.tasks).toEqual([]);
  });
});

describe('a form', () => {
  const uploads = () => fs.readdirSync(path.join(api.dataDir, 'uploads'));

  it('is good for one sender at a time, and again once they are gone', async () => {
    const bytes = bytesOf('%PDF-1.7 a small one');
    const { obj } = await askForForm(api, { name: 'form.pdf', bytes });
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendForm(api, fill(obj.upload.fields, bytes))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);

    const second = await askForForm(api, { name: 'again.pdf', bytes });
    expect((await sendForm(api, fill(second.obj.upload.fields, bytes.subarray(0, 5)))).status).toBe(400);
    expect((await sendForm(api, fill(second.obj.upload.fields, bytes))).status).toBe(200);
  });

  it('that was cut off leaves a draft for minutes only', async () => {
    const taskId = await upload(api, sample('kept.pdf'));
    const kept = createHash('sha256').update(taskId).digest('hex');
    const draft = path.join(api.dataDir, 'uploads', `${'a'.repeat(64)}.0123456789ab`);
    fs.writeFileSync(draft, 'half of');
    const sweep = () =>
      sweepFiles.run(api.ctx, { id: 'x', kind: 'sweep.files', payload: {}, attempt: 1, failures: 0 }, never);
    const age = (minutes: number) => {
      const then = new Date(api.ctx.now().getTime() - minutes * 60_000);
      fs.utimesSync(draft, then, then);
    };
    age(2);
    await sweep();
    expect(fs.existsSync(draft)).toBe(true);
    age(6);
    await sweep();
    expect(fs.existsSync(draft)).toBe(false);
    expect(uploads()).toContain(kept);
    await api.ask('DELETE', `/repair/tasks/${taskId}`);
  });

  it('counts what really lies in the store, once the sweep has seen it', async () => {
    const own = await startApi({ UPLOAD_DISK_MB: '2' });
    expect((await askForForm(own, sample('a.pdf'), 2 ** 19)).status).toBe(200);
    fs.writeFileSync(path.join(own.dataDir, 'results', 'f'.repeat(64)), Buffer.alloc(2 ** 20));
    await sweepFiles.run(own.ctx, { id: 'x', kind: 'sweep.files', payload: {}, attempt: 1, failures: 0 }, never);
    expect((await askForForm(own, sample('b.pdf'), 2 ** 19)).status).toBe(503);
    await own.close();
  });

  it('that finds the disk full says so, and the file is not the cause', async () => {
    const error = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const said = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const open = vi.spyOn(fs.promises, 'open').mockRejectedValue(error);
    const { obj } = await askForForm(api, sample('full.pdf'));
    const answer = await sendForm(api, fill(obj.upload.fields, sample('full.pdf').bytes));
    open.mockRestore();
    expect(answer.status).toBe(503);
    expect(answer.envelope.msg).toMatch(/^The disk of this server is full/);
    expect(said.mock.calls.flat().join(' ')).toContain('found the disk full');
    said.mockRestore();
  });
});

it('a repair is told when this machine lacks something, and waits without losing an attempt', async () => {
  const task = await repair(api, sample('lacking.pdf'));
  expect(task.status).toBe('waiting');
  const [row] = await api.ctx.db.select().from(jobs).where(sql`kind = 'repair.quick'`);
  expect(row).toMatchObject({ status: 'waiting', attempts: 0, failures: 0 });
});
