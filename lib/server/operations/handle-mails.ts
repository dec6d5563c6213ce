import 'server-only';
import { and, desc, eq, sql } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { jobs, mails, orders } from '../db/schema';
import { enqueue } from '../jobs/enqueue';
import { retryJob } from './handle-jobs';

const SHOWN = 200;

/** Mails that could not be delivered or wait to be, with what the mail server said last. */
export async function listMails(ctx: Context, status: 'failed' | 'queued') {
  const rows = await ctx.db
    .select({ mail: mails, said: jobs.lastError })
    .from(mails)
    .leftJoin(jobs, eq(jobs.uniqueKey, sql`'mail:' || ${mails.id}`))
    .where(eq(mails.status, status))
    .orderBy(desc(mails.createdAt))
    .limit(SHOWN);
  return rows.map(({ mail: { id, to, subject, createdAt }, said }) => ({ id, to, subject, createdAt, status, said }));
}

/** Sends a mail that was not delivered again, by its number. One that was sent has no words any more. */
export async function resendMail(ctx: Context, id: string): Promise<Outcome<unknown>> {
  if (!ctx.env.SMTP_URL) return refuse('unavailable', 'No mail goes out without SMTP_URL: they lie in the outbox.');
  const [mail] = await ctx.db.select().from(mails).where(eq(mails.id, id));
  if (!mail) return refuse('notFound', 'There is no such mail.');
  if (mail.status === 'sent') {
    return refuse(
      'conflict',
      'This mail was sent, and its words were wiped then. `mail order NUMBER` sends a buyer a link to order, licence and receipt.',
    );
  }
  const uniqueKey = `mail:${id}`;
  const [job] = await ctx.db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.uniqueKey, uniqueKey)));
  if (job) return retryJob(ctx, job.id);
  await ctx.db.transaction(async (tx) => {
    await tx.update(mails).set({ status: 'queued' }).where(eq(mails.id, id));
    await enqueue(ctx, tx, { kind: 'mail.send', payload: { mailId: id }, uniqueKey });
  });
  return ok({ waiting: id });
}

/** Mails the buyer of an order a link to it, its licence and its receipt. */
export async function mailOrder(ctx: Context, asked: string): Promise<Outcome<unknown>> {
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, asked.toUpperCase()));
  if (!order) return refuse('notFound', 'There is no such order.');
  if (order.email === '') return refuse('conflict', 'This order has no address any more.');
  await enqueue(ctx, ctx.db, { kind: 'order.link', payload: { orderId: order.id, email: order.email } });
  return ok({ waiting: order.id });
}
