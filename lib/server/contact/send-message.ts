import 'server-only';
import type { ContactMessage } from '../../contract/requests/contact';
import { ok } from '../../contract/result';
import { clientNetwork } from '../base/client-network';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { contactMessages } from '../db/schema';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';
import { writeMail } from '../mail/write-mail';

/** Keeps a visitor's message and mails it to the support, in one transaction. */
export async function sendMessage(ctx: Context, input: ContactMessage, client: string): Promise<Outcome<null>> {
  const allowed = await consume(ctx, limitTable.contactCaller, clientNetwork(client));
  if (!allowed.ok) return allowed;
  const oneLine = (text: string) => text.replace(/\p{Cc}/gu, ' ');
  const { orderNumber, ...kept } = input;
  const subject = orderNumber ? `${input.subject} (order ${orderNumber})`.trim() : input.subject;
  await ctx.db.transaction(async (tx) => {
    await tx.insert(contactMessages).values({ id: ctx.ids.row(), ...kept, subject, createdAt: ctx.now() });
    await writeMail(ctx, tx, {
      to: ctx.env.CONTACT_TO,
      replyTo: input.email,
      subject: oneLine(`Message from the website: ${subject || 'no subject'}`),
      parts: [`From: ${oneLine(input.name)} ${input.email}`, input.message],
    });
  });
  return ok(null);
}
