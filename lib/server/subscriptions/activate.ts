import 'server-only';
import { and, eq, isNull } from 'drizzle-orm';
import { ok } from '../../contract/result';
import type { Activated } from '../../contract/service';
import { clientNetwork } from '../base/client-network';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';
import type { Context } from '../context';
import { stateHistory, subscriptions } from '../db/schema';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';
import { statusAt } from '../sales/plan-state';

/** Notes the first use of a licence: its subscription leaves `activate` (lib/contract/README.md, 74). */
export async function activateLicence(ctx: Context, licenceCode: string, client: string): Promise<Outcome<Activated>> {
  const allowed = await consume(ctx, limitTable.licenceCaller, clientNetwork(client));
  if (!allowed.ok) return allowed;
  const code = licenceCode.toUpperCase();
  const now = ctx.now();
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.licenceCode, code)).for('update');
    if (!row) return refuse('notFound', 'There is no such licence code.');
    if (statusAt(row, now) === 'expired') return refuse('expired', 'This licence has expired.');
    if (!row.activatedAt) {
      await tx
        .update(subscriptions)
        .set({ activatedAt: now })
        .where(and(eq(subscriptions.id, row.id), isNull(subscriptions.activatedAt)));
      await tx.insert(stateHistory).values({
        subject: 'subscription',
        subjectId: row.id,
        from: statusAt(row, now),
        to: statusAt({ ...row, activatedAt: now }, now),
        reason: 'licence first used',
        at: now,
      });
    }
    return ok({
      product: row.productName,
      plan: row.plan,
      pcs: row.pcs,
      expirationDate: row.expiresAt?.toISOString() ?? null,
    });
  });
}
