import 'server-only';
import { limits } from '../../catalog/limits';
import { digest } from '../base/ids';
import type { Context } from '../context';
import type { Executor } from '../db/database';
import { sessions } from '../db/schema';

const DAY_MS = 86_400_000;

/** Signs a user in for 90 days (lib/contract/README.md, 65) and returns the bearer token, which is not stored. */
export async function startSession(ctx: Context, tx: Executor, userId: string, userAgent: string): Promise<string> {
  const token = ctx.ids.secret();
  const now = ctx.now();
  await tx.insert(sessions).values({
    id: ctx.ids.row(),
    tokenHash: digest(token),
    userId,
    userAgent: userAgent.slice(0, 300),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + limits.generalCookieDays * DAY_MS),
  });
  return token;
}
