import 'server-only';
import { desc, eq, sql } from 'drizzle-orm';
import type { OwnedProduct } from '../../contract/account';
import type { Context } from '../context';
import { preparedOnce } from '../db/prepared';
import { subscriptions } from '../db/schema';
import { papersOf } from '../sales/papers';
import { ownedProduct } from '../sales/plan-state';

const ownedRows = preparedOnce('owned', (db) =>
  db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.ownerId, sql.placeholder('owner')))
    .orderBy(desc(subscriptions.startsAt), desc(subscriptions.id)),
);

/** What a user owns, the newest first. */
export async function listOwned(ctx: Context, userId: string): Promise<OwnedProduct[]> {
  const rows = await ownedRows(ctx.db).execute({ owner: userId });
  const papers = await papersOf(ctx.db, rows);
  return rows.map((row) => ownedProduct(row, ctx.now(), papers));
}
