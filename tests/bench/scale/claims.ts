import { randomUUID } from 'node:crypto';
import { parseEnv } from '@/lib/server/config/env';
import { contextOf } from '@/lib/server/context';
import { migrate } from '@/lib/server/db/migrate';
import { openPostgres } from '@/lib/server/db/postgres';
import { claim } from '@/lib/server/jobs/claim';
import { enqueue } from '@/lib/server/jobs/enqueue';
import { kindsOf } from '@/lib/server/jobs/loop';
import { handlers } from '@/lib/server/run/handlers';
import type { TestPostgres } from '../../support/postgres';

const CLAIMS = 400;

/** Milliseconds of one claim with so many jobs waiting: the middle one, and the one that 95 of 100 are not slower than. */
export type ClaimTimes = { waiting: number; median: number; p95: number; perSecondByFour: number };

/** Jobs added a second, 20 at once, each in a commit that tells of it. */
export async function measureAdding(postgres: TestPostgres): Promise<number> {
  const { ctx, close } = await open(postgres, 20);
  const begun = performance.now();
  let added = 0;
  const one = async () => {
    while (performance.now() < begun + 5000) {
      await enqueue(ctx, ctx.db, { kind: 'mail.send', payload: { mailId: randomUUID() } });
      added += 1;
    }
  };
  await Promise.all(Array.from({ length: 20 }, one));
  const perSecond = Math.round((added * 1000) / (performance.now() - begun));
  await close();
  return perSecond;
}

async function open(postgres: TestPostgres, connections: number) {
  const url = await postgres.newDatabase();
  const handle = await openPostgres(url, connections);
  await migrate(handle);
  const ctx = await contextOf(parseEnv({ DATABASE_URL: url }), handle, { paymentWebhook: '', uploadSigning: '' });
  return { ctx, close: () => handle.close() };
}

/** Measures claims of repairs, by which a job goes from the queue to a worker, with queues of these lengths. */
export async function measureClaims(postgres: TestPostgres, lengths: readonly number[]): Promise<ClaimTimes[]> {
  const { ctx, close } = await open(postgres, 8);
  const { handle } = ctx;
  const kinds = [...kindsOf(handlers, 'repair'), ...kindsOf(handlers, 'quick')];
  const found: ClaimTimes[] = [];
  for (const waiting of lengths) {
    await handle.query({ text: 'truncate jobs' });
    // 200 visitors with jobs of every turn, as a queue is in which visitors take turns.
    await handle.query({
      text: `insert into jobs (id, kind, payload, status, owner, turn, run_at, created_at)
        select md5(n::text || $2), 'repair.quick', '{"id":"x"}', 'waiting', 'visitor ' || n % 200, n / 200, now() - interval '1 minute', now()
        from generate_series(1, $1::int) as n`,
      values: [waiting, randomUUID()],
    });
    await handle.query({ text: 'vacuum analyze jobs' });
    const refill = () =>
      handle.query({
        text: `insert into jobs (id, kind, payload, status, owner, turn, run_at, created_at)
          select $1, 'repair.quick', '{"id":"x"}', 'waiting', 'visitor', coalesce(max(turn), 0), now() - interval '1 second', now() from jobs`,
        values: [randomUUID()],
      });
    const times: number[] = [];
    for (let count = 0; count < CLAIMS; count += 1) {
      const begun = performance.now();
      const job = await claim(ctx, 'bench', kinds);
      times.push(performance.now() - begun);
      if (!job) throw new Error('The queue is empty.');
      if (waiting < CLAIMS) await refill();
    }
    times.sort((a, b) => a - b);
    // Four at once, as four workers do; each claimed job is put back, so that the queue keeps its length.
    const begun = performance.now();
    const until = begun + 4000;
    let claims = 0;
    const one = async (worker: string) => {
      while (performance.now() < until) {
        const job = await claim(ctx, worker, kinds);
        if (!job) continue;
        claims += 1;
        await handle.query({
          text: "update jobs set status = 'waiting', lease_until = null where id = $1",
          values: [job.id],
        });
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(one));
    const perSecondByFour = Math.round((claims * 1000) / (performance.now() - begun));
    found.push({
      waiting,
      median: times[Math.floor(times.length / 2)] ?? 0,
      p95: times[Math.floor(times.length * 0.95)] ?? 0,
      perSecondByFour,
    });
  }
  await close();
  return found;
}
