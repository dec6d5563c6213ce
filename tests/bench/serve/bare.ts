import { randomUUID } from 'node:crypto';
import type { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import { findSession } from '@/lib/server/accounts/find-session';
import { randomIds } from '@/lib/server/base/ids';
import { type Context, contextOf } from '@/lib/server/context';
import type { DatabaseHandle } from '@/lib/server/db/handle';
import { createOrder } from '@/lib/server/orders/create-order';
import { listOrders } from '@/lib/server/orders/order-row';
import { readOrder } from '@/lib/server/orders/read-order';
import { listOwned } from '@/lib/server/subscriptions/list-owned';
import { orderPayloadAt } from '../../support/order-payload';
import { AT_ONCE, type Rate, rateOf } from './load';
import { type Member, withDatabase } from './seed';

/** What is measured on the engine itself, by the name that the table gives it. */
export const bareKinds = ['orders of a member', 'licences of a member', 'one order', 'order creation'] as const;
export type BareKind = (typeof bareKinds)[number];
/** `isPlain`: without what the site does to have statements that come again read and planned once. */
export type Asked = { kind: BareKind; seconds: number; isPlain: boolean };

type Statement = { args: unknown[]; isInTransaction: boolean };
type Queries = { query: (...args: unknown[]) => Promise<unknown> };

/** The statements that `work` sends, as the driver gets them. */
async function recorded(ctx: Context, work: (ctx: Context) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const listening = <T extends object>(client: T, isInTransaction: boolean): T =>
    new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const call = value.bind(target) as (...args: unknown[]) => unknown;
        if (name === 'query') {
          return (...args: unknown[]) => {
            statements.push({ args, isInTransaction });
            return call(...args);
          };
        }
        if (name === 'connect') return async () => listening((await call()) as object, true);
        if (name === 'transaction') {
          return (run: (tx: object) => unknown) => call((tx: object) => run(listening(tx, true)));
        }
        return call;
      },
    });
  const handle: DatabaseHandle = { ...ctx.handle, client: listening(ctx.handle.client as object, false) };
  await work(await contextOf({ ...ctx.env, RATE_LIMITS: false }, handle, ctx.secrets));
  return statements;
}

/**
 * The engine as its own client sends statements: each is read and planned at every call. The embedded client's methods are ours on the
 * instance and its own on the prototype; PostgreSQL's keeps what has a name.
 */
function unprepared({ kind, client }: DatabaseHandle): Queries {
  const { query } = (kind === 'embedded' ? Object.getPrototypeOf(client) : client) as Queries;
  return {
    query: (first, ...more) =>
      query.call(client, typeof first === 'object' ? { ...first, name: undefined } : first, ...more),
  };
}

/** Sends recorded statements again, as the site does or `as` another client, with some values in place of others. */
async function replay(
  handle: DatabaseHandle,
  statements: readonly Statement[],
  swap: ReadonlyMap<unknown, unknown>,
  as = handle.client as Queries,
) {
  const swapped = (value: unknown): unknown =>
    Array.isArray(value) ? value.map((each) => swap.get(each) ?? each) : (swap.get(value) ?? value);
  const send = async (client: Queries, some: readonly Statement[]) => {
    for (const { args } of some) await client.query(...args.map(swapped));
  };
  const alone = statements.filter(({ isInTransaction }) => !isInTransaction);
  const together = statements.filter(({ isInTransaction }) => isInTransaction);
  await send(as, alone);
  if (together.length === 0) return;
  if (handle.kind === 'embedded') {
    await (handle.client as PGlite).transaction((tx) => send(tx as unknown as Queries, together));
    return;
  }
  const client = await (handle.client as Pool).connect();
  try {
    await send(client as unknown as Queries, together);
  } finally {
    client.release();
  }
}

async function measure(ctx: Context, { kind, seconds, isPlain }: Asked, member: Member): Promise<Rate> {
  const session = await findSession(ctx, member.token);
  if (!session) throw new Error('The seeded session is not there.');
  const key = randomUUID();
  let made = '';
  const work: Record<BareKind, (on: Context) => Promise<unknown>> = {
    'orders of a member': async (on) => [await findSession(on, member.token), await listOrders(on, session.user.id)],
    'licences of a member': async (on) => [await findSession(on, member.token), await listOwned(on, session.user.id)],
    'one order': async (on) => [await findSession(on, member.token), await readOrder(on, member.orderId, session.user)],
    'order creation': async (on) => {
      const payload = orderPayloadAt(on.env.SITE_URL);
      const outcome = await createOrder(on, payload, { user: null, client: '127.0.0.1', idempotencyKey: key });
      if (!outcome.ok) throw new Error(outcome.error.msg);
      made = outcome.value.orderId;
    },
  };
  const statements = await recorded(ctx, work[kind]);
  const keys = kind === 'order creation' ? keysIn(statements, made) : [];
  const as = isPlain ? unprepared(ctx.handle) : undefined;
  const times: number[] = [];
  const begun = performance.now();
  const one = async () => {
    while (performance.now() < begun + seconds * 1000) {
      const swap = new Map<unknown, unknown>(keys.map((value) => [value, randomIds.secret()]));
      if (made !== '') swap.set(made, randomIds.order());
      const sent = performance.now();
      await replay(ctx.handle, statements, swap, as);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return rateOf(times, performance.now() - begun, 0);
}

/** The digests among the values of an order's statements: the key of the attempt, which no two orders may share. */
function keysIn(statements: readonly Statement[], made: string): string[] {
  const values = statements.flatMap(({ args }) => args.flat(2)).filter((value) => typeof value === 'string');
  return [...new Set(values)].filter((value) => value !== made && /^[0-9a-f]{64}$|^[\w-]{43}$/.test(value));
}

/** The process that measures the engine: it is told what, and answers with a rate, until it is let go. */
export async function runBare(variables: Record<string, string>, member: Member): Promise<void> {
  await withDatabase(variables, async (ctx) => {
    const told = new Promise<void>((resolve) => process.once('disconnect', () => resolve()));
    process.on('message', (asked: Asked) => {
      measure(ctx, asked, member).then(
        (rate) => process.send?.(rate),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
    process.send?.('ready');
    await told;
  });
}
