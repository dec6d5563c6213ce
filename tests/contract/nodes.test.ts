import { randomUUID } from 'node:crypto';
import { count } from 'drizzle-orm';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseEnv } from '@/lib/server/config/env';
import type { Context } from '@/lib/server/context';
import { connect } from '@/lib/server/db/connect';
import type { DatabaseHandle } from '@/lib/server/db/handle';
import { openPostgres } from '@/lib/server/db/postgres';
import { jobs } from '@/lib/server/db/schema';
import { enqueue } from '@/lib/server/jobs/enqueue';
import { type JobLoop, startJobLoop } from '@/lib/server/jobs/loop';
import { untilNext } from '@/lib/server/jobs/next-due';
import type { JobHandlers } from '@/lib/server/jobs/types';
import { handlers } from '@/lib/server/run/handlers';
import { startApi, type TestApi } from '../api/harness/api';
import { postgresql } from './adapters';

const real = await postgresql();

/** Several processes on one PostgreSQL, as far as the queue goes: each has a pool and a loop of its own. */
describe.skipIf(!real)('the queue of several processes', () => {
  let web: TestApi;
  let url = '';
  const handles: DatabaseHandle[] = [];
  const loops: JobLoop[] = [];
  const done: string[] = [];
  const doing: JobHandlers = {
    ...handlers,
    'mail.send': {
      lane: 'light',
      maxAttempts: 3,
      leaseSeconds: 60,
      run: async (_ctx, job) => async () => void done.push((job.payload as { mailId: string }).mailId),
    },
  };

  beforeAll(async () => {
    if (!real) return;
    const handle = await real.open();
    url = real.urlOf(handle);
    web = await startApi({}, handle);
  });
  beforeEach(() => void done.splice(0));
  afterAll(async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
    await Promise.all(handles.map((handle) => handle.close()));
    await web?.close();
    await real?.stop();
  });

  const worker = async (): Promise<Context> => {
    const handle = await openPostgres(url, 5);
    handles.push(handle);
    return { ...web.ctx, env: parseEnv({ DATABASE_URL: url }), handle, db: connect(handle) };
  };
  const add = (mailId: string, runAt?: Date) =>
    enqueue(web.ctx, web.ctx.db, { kind: 'mail.send', payload: { mailId }, ...(runAt ? { runAt } : {}) });
  const until = async (isTrue: () => boolean | Promise<boolean>) => {
    for (let tries = 0; tries < 200; tries += 1) {
      if (await isTrue()) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('It did not come about.');
  };
  const statements = async () => {
    const query =
      'select coalesce(sum(xact_commit), 0)::int as n from pg_stat_database where datname = current_database()';
    return Number((await web.ctx.handle.query({ text: query })).rows[0]?.n);
  };

  it('hears of a job in the commit that makes it, though it looks for one only twice a minute', async () => {
    loops.push(startJobLoop(await worker(), doing), startJobLoop(await worker(), doing));
    // Whoever listens has looked once, and sleeps.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await add('one');
    await until(() => done.includes('one'));
    await web.ctx.db
      .transaction(async (tx) => {
        await enqueue(web.ctx, tx, { kind: 'mail.send', payload: { mailId: 'never' } });
        throw new Error('undone');
      })
      .catch(() => undefined);
    await add('two');
    await until(() => done.includes('two'));
    expect(done).toEqual(['one', 'two']);
  });

  it('does nothing while there is nothing to do', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const before = await statements();
    await new Promise((resolve) => setTimeout(resolve, 6000));
    // Eight slots that asked each second would make some hundred.
    expect((await statements()) - before).toBeLessThan(30);
  });

  it('does each job once, however many hear of it', async () => {
    const names = Array.from({ length: 200 }, () => randomUUID());
    await Promise.all(names.map((name) => add(name)));
    await until(async () => (await web.ctx.db.select({ n: count() }).from(jobs))[0]?.n === 0);
    expect([...done].sort()).toEqual([...names].sort());
  });

  it('comes back to what waits for its time', async () => {
    const soon = new Date(Date.now() + 3000);
    await add('later', soon);
    expect(await untilNext(web.ctx, ['mail.send'], 30_000)).toBeLessThanOrEqual(3000);
    expect(await untilNext(web.ctx, ['reset.mail'], 30_000)).toBe(30_000);
    await until(() => done.includes('later'));
    expect(Date.now()).toBeGreaterThanOrEqual(soon.getTime());
  });

  it('goes on when the connection that listens is cut', async () => {
    await web.ctx.handle.query({
      text: "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
    });
    await add('after');
    await until(() => done.includes('after'));
    const listening =
      "select count(*)::int as n from pg_stat_activity where query like 'listen %' and datname = current_database()";
    await until(async () => (await web.ctx.handle.query({ text: listening })).rows[0]?.n === 2);
    expect((web.ctx.handle.client as Pool).waitingCount).toBe(0);
  });
});

if (!real) it.skip('the queue of several processes: PostgreSQL is not installed here', () => undefined);
