import 'server-only';
import { eq, type Placeholder, sql } from 'drizzle-orm';
import type { Plan } from '../../catalog/plans';
import { currency, findPlan, planProductName } from '../../catalog/plans';
import type { OrderCreated } from '../../contract/pay';
import { emailField } from '../../contract/requests/fields';
import type { OrderRequest } from '../../contract/requests/pay';
import { ok } from '../../contract/result';
import type { User } from '../accounts/find-session';
import { check } from '../base/check';
import { clientNetwork } from '../base/client-network';
import { digest } from '../base/ids';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';
import { ownAddress } from '../config/origins';
import type { Context } from '../context';
import { preparedOnce } from '../db/prepared';
import { orders, stateHistory } from '../db/schema';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';
import { renewedSubscription } from './renewed-subscription';

/** How long an order waits to be paid. */
const ORDER_LIFE_MS = 24 * 3_600_000;

/** Who orders, and under which key of the attempt. */
export type Buyer = { user: User | null; client: string; idempotencyKey: string | null };

/**
 * Creates an order for a plan; the price comes from `productsId` alone. The same key with the same payload answers the
 * order that was made first, so that a double click or a lost answer makes one order; with another payload it is refused.
 */
export async function createOrder(ctx: Context, input: OrderRequest, buyer: Buyer): Promise<Outcome<OrderCreated>> {
  const plan = findPlan(input.productsId);
  if (!plan) return refuse('notFound', 'This product isn’t sold any more. Please reload the page and choose again.');
  if (!ownAddress(ctx.env, input.successUrl) || !ownAddress(ctx.env, input.cancelUrl)) {
    return refuse('invalidRequest', 'The payment can’t return to that address.');
  }
  const email = buyer.user ? { ok: true as const, value: buyer.user.email } : check(emailField, input.email);
  if (!email.ok) return email;
  const key = buyer.idempotencyKey && scopedKey(buyer.idempotencyKey, buyer.user);
  const requestHash = digest(JSON.stringify([buyer.user?.id ?? '', email.value, sorted(input)]));

  const placed = await placeOrder(ctx, { input: { ...input, email: email.value }, plan, buyer, key, requestHash });
  if (placed.ok) return placed;
  // A repeated request is answered with its order, whatever would be said to a new one.
  return (key && (await replay(ctx, key, requestHash))) || placed;
}

type Placing = { input: OrderRequest; plan: Plan; buyer: Buyer; key: string | null; requestHash: string };

/** The order as a new one; refused as a conflict where one with this key is there already. */
async function placeOrder(ctx: Context, placing: Placing): Promise<Outcome<OrderCreated>> {
  const { input, plan, buyer } = placing;
  const allowed = await consume(ctx, limitTable.orderCaller, clientNetwork(buyer.client));
  if (!allowed.ok) return allowed;
  const renewed = await renewedSubscription(ctx, input, plan, buyer.user);
  if (!renewed.ok) return renewed;
  const orderId = await insertOrder(ctx, placing, renewed.value);
  return orderId ? ok({ orderId }) : refuse('conflict');
}

/** A key belongs to its buyer: somebody else's equal key is another key. */
function scopedKey(key: string, user: User | null): string {
  return digest(`${user?.id ?? 'guest'}:${key}`);
}

function sorted(input: OrderRequest): [string, unknown][] {
  return Object.entries({ ...input, email: '' }).sort(([a], [b]) => (a < b ? -1 : 1));
}

async function replay(ctx: Context, key: string, requestHash: string): Promise<Outcome<OrderCreated> | null> {
  const [first] = await ctx.db
    .select({ id: orders.id, requestHash: orders.requestHash })
    .from(orders)
    .where(eq(orders.idempotencyKey, key));
  if (!first) return null;
  if (first.requestHash === requestHash) return ok({ orderId: first.id });
  return refuse(
    'conflict',
    'This purchase was already started with other details. Please reload the page and try again.',
  );
}

/** The columns of a new order that differ from one to the next; the others have what the table gives them. */
const given = [
  'id',
  'createdBy',
  'email',
  'productsId',
  'productName',
  'website',
  'os',
  'plan',
  'planType',
  'pcs',
  'cents',
  'successUrl',
  'cancelUrl',
  'marketingChannel',
  'orderAdInfoExtend',
  'transparentExtend',
  'userExtend',
  'idempotencyKey',
  'requestHash',
  'renewalOf',
  'createdAt',
  'expiresAt',
] as const satisfies (keyof typeof orders.$inferInsert)[];

type Given = (typeof given)[number];

/** Both rows by one statement: a transaction of two would go to the database and back four times. */
const newOrder = preparedOnce('new_order', (db) => {
  const values = Object.fromEntries(given.map((name) => [name, sql.placeholder(name)])) as Record<Given, Placeholder>;
  const made = db.$with('made').as(
    db
      .insert(orders)
      .values({ ...values, status: 'created', currency })
      .onConflictDoNothing({ target: orders.idempotencyKey })
      .returning({ id: orders.id }),
  );
  const at = sql.param(sql.placeholder('createdAt'), stateHistory.at);
  return db
    .with(made)
    .insert(stateHistory)
    .select(
      sql`select nextval(pg_get_serial_sequence('state_history', 'id')), 'order', ${made.id}, null, 'created', 'ordered', ${at}::timestamptz from ${made}`,
    )
    .returning({ id: stateHistory.subjectId });
});

async function insertOrder(
  ctx: Context,
  { input, plan, buyer, key, requestHash }: Placing,
  renewalOf: string | null,
): Promise<string | null> {
  const now = ctx.now();
  const values: Required<Pick<typeof orders.$inferInsert, Given>> = {
    ...input,
    id: ctx.ids.order(),
    createdBy: buyer.user?.id ?? null,
    productName: planProductName(plan),
    website: plan.website,
    os: plan.os,
    plan: plan.name,
    planType: plan.type,
    pcs: plan.pcs,
    cents: plan.cents,
    idempotencyKey: key,
    requestHash,
    renewalOf,
    createdAt: now,
    expiresAt: new Date(now.getTime() + ORDER_LIFE_MS),
  };
  const [made] = await newOrder(ctx.db).execute(values);
  return made?.id ?? null;
}
