import 'server-only';
import os from 'node:os';
import { ok } from '../../contract/result';
import type { Readiness } from '../../contract/service';
import { logError } from '../base/log';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import type { DatabaseHandle } from '../db/handle';
import { healthChecks } from '../db/schema';
import { RESERVE_BYTES } from '../uploads/room';
import { poolState } from './measure';
import { queueState } from './queue-state';

/** For so long an answer is given again, so that asking often does not write often. */
const FRESH_MS = 1000;
/** A database or a disk that takes longer than this is not working. */
const PATIENCE_MS = 5000;

const storeWords = {
  disk: 'The folder of uploads can’t be written to, or its disk is full.',
  s3: 'The object store can’t be written to.',
};

type Answer = Promise<Outcome<Readiness>>;
const latest = new WeakMap<DatabaseHandle, { at: number; answer: Answer }>();

/**
 * Whether this server can do its work: a row of the database and a byte of the store are written. The refusal says what can't be done;
 * why stands in the log.
 */
export function checkReadiness(ctx: Context): Answer {
  const now = ctx.now().getTime();
  const known = latest.get(ctx.handle);
  if (known && now - known.at < FRESH_MS) return known.answer;
  const answer = look(ctx);
  latest.set(ctx.handle, { at: now, answer });
  return answer;
}

async function look(ctx: Context): Answer {
  const database = await tried('The database can’t be written to.', writeRow(ctx));
  if (!database.ok) return database;
  const store = await tried(storeWords[ctx.objects.kind], ctx.objects.prove());
  if (!store.ok) return store;
  const [lanes, disk] = await Promise.all([queueState(ctx), ctx.objects.disk()]);
  const sum = (part: (lane: (typeof lanes)[number]) => number) => lanes.reduce((all, lane) => all + part(lane), 0);
  return ok({
    database: 'written' as const,
    store: 'written' as const,
    disk:
      disk === null ? ('unknown' as const) : disk.freeBytes > RESERVE_BYTES ? ('enough' as const) : ('low' as const),
    queue: {
      waiting: sum(({ waiting }) => waiting),
      running: sum(({ running }) => running),
      oldestSeconds: Math.max(...lanes.map(({ oldestSeconds }) => oldestSeconds)),
    },
    pool: poolState(ctx),
  });
}

async function tried(words: string, work: Promise<void>): Promise<Outcome<null>> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
    timer.unref();
  });
  try {
    await Promise.race([work, patience]);
    return ok(null);
  } catch (error) {
    logError('health', words, error);
    return refuse('unavailable', words);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

async function writeRow(ctx: Context): Promise<void> {
  const row = { node: os.hostname(), at: ctx.now() };
  await ctx.db
    .insert(healthChecks)
    .values(row)
    .onConflictDoUpdate({ target: healthChecks.node, set: { at: row.at } });
}
