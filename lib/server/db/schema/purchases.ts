import { bigserial, boolean, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import type { PlanType, Platform, Website } from '../../../catalog/types';
import type { EndedBy } from '../../../contract/account';
import type { OrderStatus } from '../../../contract/order-statuses';
import { users } from './accounts';
import { instant } from './columns';

/** Orders (lib/contract/README.md, 45). Money is integer cents. The four extend fields are kept as they were sent. */
export const orders = pgTable(
  'orders',
  {
    id: text().primaryKey(),
    /** The signed-in buyer at the time of ordering; null for a guest. */
    createdBy: text().references(() => users.id, { onDelete: 'set null' }),
    /** Whose account the purchase belongs to, once paid. */
    ownerId: text().references(() => users.id, { onDelete: 'set null' }),
    email: text().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    productsId: text().notNull(),
    productName: text().notNull(),
    website: text().$type<Website>().notNull(),
    os: text().$type<Platform>().notNull(),
    plan: text().notNull(),
    planType: text().$type<PlanType>().notNull(),
    pcs: integer(),
    cents: integer().notNull(),
    currency: text().notNull(),
    successUrl: text().notNull(),
    cancelUrl: text().notNull(),
    marketingChannel: text().notNull(),
    orderAdInfoExtend: text().notNull(),
    transparentExtend: text().notNull(),
    userExtend: text().notNull(),
    payExtend: text().notNull().default(''),
    idempotencyKey: text().unique(),
    requestHash: text().notNull(),
    provider: text(),
    providerReference: text(),
    /** The subscription that this order prolongs; null for a first purchase. */
    renewalOf: text(),
    createdAt: instant().notNull(),
    paidAt: instant(),
    /** When the buyer withdrew from the purchase; the money then goes back. */
    withdrawnAt: instant(),
    /** The provider's own name of the payment, by which it tells of refunds and disputes; null where it has none. */
    paymentReference: text(),
    /** The provider took the money back: given back by the vendor, or disputed at the buyer's bank. */
    reversedBy: text().$type<'refund' | 'dispute'>(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index().on(table.ownerId),
    index().on(table.createdBy),
    index().on(table.renewalOf),
    index().on(table.paymentReference),
    index().on(table.status, table.expiresAt),
    unique().on(table.provider, table.providerReference),
  ],
);

/** Every change of an order's or a subscription's state, in order. */
export const stateHistory = pgTable(
  'state_history',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    subject: text().$type<'order' | 'subscription'>().notNull(),
    subjectId: text().notNull(),
    from: text(),
    to: text().notNull(),
    reason: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [index().on(table.subject, table.subjectId)],
);

/** What a payment provider told us, once each: the key makes a repeated webhook a no-op. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    provider: text().notNull(),
    eventId: text().notNull(),
    orderId: text().notNull(),
    type: text().notNull(),
    applied: boolean().notNull(),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.eventId] }), index().on(table.orderId)],
);

/** The sandbox provider's own side: one hosted page per row. Card numbers are never stored. */
export const sandboxPayments = pgTable('sandbox_payments', {
  keyHash: text().primaryKey(),
  orderId: text().notNull().unique(),
  title: text().notNull(),
  email: text().notNull(),
  cents: integer().notNull(),
  currency: text().notNull(),
  status: text().$type<'open' | 'pending' | 'succeeded' | 'cancelled' | 'refunded'>().notNull(),
  successUrl: text().notNull(),
  cancelUrl: text().notNull(),
  createdAt: instant().notNull(),
});

/** What a paid order gives. `expiresAt` is null for perpetual licences, `activatedAt` until the licence is first used. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: text().primaryKey(),
    ownerId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    orderId: text()
      .notNull()
      .unique()
      .references(() => orders.id),
    licenceCode: text().notNull().unique(),
    productName: text().notNull(),
    plan: text().notNull(),
    planType: text().$type<PlanType>().notNull(),
    pcs: integer(),
    autoRenew: boolean().notNull(),
    startsAt: instant().notNull(),
    expiresAt: instant(),
    activatedAt: instant(),
    cancelledAt: instant(),
    /** When the coming renewal was announced by mail; null again after it. */
    remindedAt: instant(),
    expiredAt: instant(),
    /** Why it ended before its date; null for one that ran out or still runs. */
    endedBy: text().$type<EndedBy>(),
  },
  (table) => [index().on(table.ownerId), index().on(table.expiresAt)],
);

/** Mailed links that open one order to somebody without an account. Only the SHA-256 of the key is kept. */
export const orderLinks = pgTable('order_links', {
  keyHash: text().primaryKey(),
  orderId: text()
    .notNull()
    .references(() => orders.id, { onDelete: 'cascade' }),
  expiresAt: instant().notNull(),
});
