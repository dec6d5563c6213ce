import 'server-only';
import { desc, eq } from 'drizzle-orm';
import type { OutboxMail, OutboxRow } from '../../contract/outbox';
import { ok } from '../../contract/result';
import type { Context } from '../context';
import { mails } from '../db/schema';
import { mayServeSandbox } from '../http/origins';
import { type Outcome, refuse } from '../refusal';

const SHOWN = 200;

/** True where the outbox exists at all: embedded mail, and this computer (contract, "Buying, in detail"). */
function exists(ctx: Context, request: Request): boolean {
  return !ctx.env.SMTP_URL && mayServeSandbox(ctx.env, request);
}

/** The newest mails. */
export async function listOutbox(ctx: Context, request: Request): Promise<Outcome<OutboxRow[]>> {
  if (!exists(ctx, request)) return refuse('notFound');
  const rows = await ctx.db.select().from(mails).orderBy(desc(mails.createdAt), desc(mails.id)).limit(SHOWN);
  return ok(rows.map(rowOf));
}

/** One mail. */
export async function readOutboxMail(ctx: Context, request: Request, id: string): Promise<Outcome<OutboxMail>> {
  if (!exists(ctx, request)) return refuse('notFound');
  const [mail] = await ctx.db.select().from(mails).where(eq(mails.id, id));
  return mail ? ok({ ...rowOf(mail), text: mail.text, html: mail.html }) : refuse('notFound');
}

function rowOf(mail: typeof mails.$inferSelect): OutboxRow {
  return { id: mail.id, to: mail.to, subject: mail.subject, createdAt: mail.createdAt.toISOString() };
}
