import 'server-only';
import { and, desc, eq, gt, ne } from 'drizzle-orm';
import type { OwnRepairs } from '../../contract/repair';
import { ok } from '../../contract/result';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import { shareOf } from '../uploads/room';

/** The repairs of a visitor that lie on the server, the newest first. Their ids delete them, for this visitor; they open no file. */
export async function listTasks(ctx: Context, visitor: string | null): Promise<Outcome<OwnRepairs>> {
  const most = shareOf(ctx, visitor);
  if (!visitor) return ok({ most, tasks: [] });
  const rows = await ctx.db
    .select()
    .from(repairTasks)
    .where(
      and(eq(repairTasks.visitor, visitor), ne(repairTasks.status, 'deleted'), gt(repairTasks.expiresAt, ctx.now())),
    )
    .orderBy(desc(repairTasks.createdAt), desc(repairTasks.id));
  return ok({
    most,
    tasks: rows.map(({ id, type, fileName, fileSize, status, report, createdAt, expiresAt }) => ({
      id,
      type,
      fileName,
      fileSize,
      status,
      verdict: report?.verdict ?? null,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  });
}
