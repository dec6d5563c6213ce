import 'server-only';
import { desc, eq } from 'drizzle-orm';
import type { OutboxMail, OutboxRow } from '../../contract/outbox';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { mails } from '../db/schema';

const SHOWN = 200;

/** The newest mails. There is no outbox where mail goes out by SMTP. */
export async function listOutbox(ctx: Context): Promise<Outcome<OutboxRow[]>> {
  if (ctx.env.SMTP_URL) return refuse('notFound');
  const rows = await ctx.db.select().from(mails).orderBy(desc(mails.createdAt), desc(mails.id)).limit(SHOWN);
  return ok(rows.map(rowOf));
}

/** One mail. */
export async function readOutboxMail(ctx: Context, id: string): Promise<Outcome<OutboxMail>> {
  if (ctx.env.SMTP_URL) return refuse('notFound');
  const [mail] = await ctx.db.select().from(mails).where(eq(mails.id, id));
  return mail ? ok({ ...rowOf(mail), text: mail.text, html: mail.html }) : refuse('notFound');
}

function rowOf(mail: typeof mails.$inferSelect): OutboxRow {
  return { id: mail.id, to: mail.to, subject: mail.subject, createdAt: mail.createdAt.toISOString() };
}
