import 'server-only';
import { brands } from '../../catalog/brands';
import { productByName } from '../../catalog/plans';
import { escapeHtml } from '../base/escape-html';
import type { Context } from '../context';
import type { Executor } from '../db/database';
import { mails } from '../db/schema';
import { enqueue } from '../jobs/enqueue';

/** A mail in parts: paragraphs of plain text, of which `code` ones stand alone and large, and `link` ones are addresses. */
export type MailPart = string | { code: string } | { link: string };

/** A mail to be written; `product` is the full name of what it is about, whose brand signs it. */
export type NewMail = { to: string; replyTo?: string; subject: string; product?: string; parts: MailPart[] };

/**
 * Writes a mail in the caller's transaction, so that it exists exactly when what it tells of does.
 * With SMTP a job sends it; without, it stays in the outbox.
 */
export async function writeMail(ctx: Context, tx: Executor, mail: NewMail): Promise<string> {
  const id = ctx.ids.row();
  const parts = [...mail.parts, signature(mail.product)];
  await tx.insert(mails).values({
    id,
    to: mail.to,
    replyTo: mail.replyTo ?? null,
    subject: mail.subject,
    text: `${parts.map(asText).join('\n\n')}\n`,
    html: asHtml(mail.subject, parts),
    status: ctx.env.SMTP_URL ? 'queued' : 'kept',
    createdAt: ctx.now(),
  });
  if (ctx.env.SMTP_URL) await enqueue(ctx, tx, { kind: 'mail.send', payload: { mailId: id }, uniqueKey: `mail:${id}` });
  return id;
}

/** The brand that the reader knows, and the vendor where that has another name. */
function signature(product: string | undefined): string {
  const { name, legalName } = product ? brands[productByName(product).line.skin] : brands.mendara;
  return name === legalName ? name : `${name} by ${legalName}`;
}

function asText(part: MailPart): string {
  if (typeof part === 'string') return part;
  return 'code' in part ? `    ${part.code}` : part.link;
}

function asHtml(subject: string, parts: MailPart[]): string {
  const body = parts.map((part) => {
    if (typeof part === 'string') return `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`;
    if ('code' in part) return `<p><strong>${escapeHtml(part.code)}</strong></p>`;
    return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.link)}</a></p>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body>${body.join('')}</body></html>`;
}
