import 'server-only';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ok } from '../../contract/result';
import { logSecurity } from '../base/log';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import type { DatabaseHandle } from '../db/handle';

/** So many points in so many seconds for each key. */
export type Limit = { name: string; points: number; seconds: number };

const limiters = new WeakMap<DatabaseHandle, Map<string, RateLimiterPostgres>>();

/** The counters live in the database, so that they hold across restarts and nodes. */
function limiterOf(ctx: Context, limit: Limit): RateLimiterPostgres {
  const known = limiters.get(ctx.handle) ?? new Map<string, RateLimiterPostgres>();
  limiters.set(ctx.handle, known);
  const found = known.get(limit.name);
  if (found) return found;
  const made = new RateLimiterPostgres({
    storeClient: { query: ctx.handle.query },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: limit.name,
    points: limit.points,
    duration: limit.seconds,
    clearExpiredByTimeout: false,
  });
  known.set(limit.name, made);
  return made;
}

/** Counts one use of `key`, and refuses in plain words when it was one too many. Errors of the database are thrown. */
export async function consume(ctx: Context, limit: Limit, key: string): Promise<Outcome<null>> {
  if (!ctx.env.RATE_LIMITS) return ok(null);
  try {
    await limiterOf(ctx, limit).consume(key);
    return ok(null);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    // Once for each key and window: a flood of tries must not become one of lines.
    if (error.consumedPoints === limit.points + 1) logSecurity('limit', 'refused', { limit: limit.name });
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    return {
      ok: false,
      error: {
        name: 'tooManyRequests',
        msg: `Too many attempts. Please wait ${secondsInWords(seconds)} and try again.`,
        retryAfterSeconds: seconds,
      },
    };
  }
}

/** How often `key` was counted in the running window. */
export async function used(ctx: Context, limit: Limit, key: string): Promise<number> {
  if (!ctx.env.RATE_LIMITS) return 0;
  return (await limiterOf(ctx, limit).get(key))?.consumedPoints ?? 0;
}

/** Forgets what was counted for `key`, as after a success. */
export async function forgive(ctx: Context, limit: Limit, key: string): Promise<void> {
  if (ctx.env.RATE_LIMITS) await limiterOf(ctx, limit).delete(key);
}

/** A wait in words, rounded up: "45 seconds", "3 minutes", "23 hours". */
export function secondsInWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
