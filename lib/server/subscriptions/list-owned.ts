import 'server-only';
import { desc, eq } from 'drizzle-orm';
import type { OwnedProduct } from '../../contract/account';
import type { Context } from '../context';
import { subscriptions } from '../db/schema';
import { papersOf } from '../sales/papers';
import { ownedProduct } from '../sales/plan-state';

/** What a user owns, the newest first. */
export async function listOwned(ctx: Context, userId: string): Promise<OwnedProduct[]> {
  const rows = await ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.ownerId, userId))
    .orderBy(desc(subscriptions.startsAt), desc(subscriptions.id));
  const papers = await papersOf(ctx.db, rows);
  return rows.map((row) => ownedProduct(row, ctx.now(), papers));
}
