import fs from 'node:fs';
import { hashPassword } from '@/lib/server/accounts/passwords';
import { startSession } from '@/lib/server/accounts/start-session';
import { randomIds } from '@/lib/server/base/ids';
import { parseEnv } from '@/lib/server/config/env';
import { readSecrets } from '@/lib/server/config/secrets';
import { type Context, contextOf } from '@/lib/server/context';
import { closeDatabase, openDatabase } from '@/lib/server/db/open';
import { orders, subscriptions, users } from '@/lib/server/db/schema';

/** Somebody who is signed in, with an order. */
export type Member = { email: string; token: string; orderId: string };

/** What {@link seed} put into the database; every member has the same password. */
export type Seeded = { members: Member[]; password: string };

const MEMBERS = 200;
const ORDERS_EACH = 3;
const PASSWORD = 'a password for the bench';

/** Opens the database of a configuration for `work`, and closes it. */
export async function withDatabase<T>(
  variables: Record<string, string>,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const env = parseEnv(variables);
  fs.mkdirSync(env.DATA_DIR, { recursive: true });
  const secrets = readSecrets(env);
  try {
    return await work(await contextOf(env, await openDatabase(env), secrets));
  } finally {
    await closeDatabase();
  }
}

/** Account holders with paid orders, licences and sessions, as they are after purchases. */
export async function seed(ctx: Context): Promise<Seeded> {
  const passwordHash = await hashPassword(PASSWORD);
  const at = ctx.now();
  const members: Member[] = [];
  for (let index = 0; index < MEMBERS; index += 1) {
    const id = randomIds.row();
    const email = `member.${index}.${id}@example.com`;
    await ctx.db.insert(users).values({ id, email, passwordHash, createdAt: at });
    let orderId = '';
    for (let count = 0; count < ORDERS_EACH; count += 1) {
      orderId = randomIds.order();
      await ctx.db.insert(orders).values(paidOrder(orderId, id, email, at));
      await ctx.db.insert(subscriptions).values({
        id: randomIds.row(),
        ownerId: id,
        orderId,
        licenceCode: randomIds.licence(),
        productName: 'Mendara Data Recovery',
        plan: 'Pro',
        planType: 'month',
        autoRenew: true,
        startsAt: at,
        expiresAt: new Date(at.getTime() + 30 * 86_400_000),
      });
    }
    members.push({ email, orderId, token: await startSession(ctx, ctx.db, id, 'bench') });
  }
  return { members, password: PASSWORD };
}

function paidOrder(id: string, owner: string, email: string, at: Date): typeof orders.$inferInsert {
  return {
    id,
    createdBy: owner,
    ownerId: owner,
    email,
    status: 'success',
    productsId: 'recovery-win-pro',
    productName: 'Mendara Data Recovery',
    website: 'recovery',
    os: 'win',
    plan: 'Pro',
    planType: 'month',
    cents: 4999,
    currency: 'USD',
    successUrl: 'http://localhost/packge-loading',
    cancelUrl: 'http://localhost/data-recovery-store',
    marketingChannel: 'SEO',
    orderAdInfoExtend: '{}',
    transparentExtend: '{}',
    userExtend: '{}',
    requestHash: id,
    createdAt: at,
    paidAt: at,
    expiresAt: at,
  };
}
