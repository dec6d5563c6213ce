import 'server-only';
import { z } from 'zod';
import { ok } from '../../contract/result';
import { emailField } from '../accounts/fields';
import { clientNetwork } from '../base/client-network';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { contactMessages } from '../db/schema';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';
import { writeMail } from '../mail/write-mail';

/** Payload of `POST /contact`. */
export const contactSchema = z.object({
  name: z.string().trim().max(100, 'Please use at most 100 characters for your name.').default(''),
  email: emailField,
  subject: z.string().trim().max(200, 'Please use at most 200 characters for the subject.').default(''),
  orderNumber: z.string().trim().max(64, 'Please use at most 64 characters for the order number.').default(''),
  message: z
    .string('Please write your message.')
    .trim()
    .min(1, 'Please write your message.')
    .max(5000, 'Please use at most 5000 characters for your message.'),
});

/** Keeps a visitor's message and mails it to the support, in one transaction. */
export async function sendMessage(
  ctx: Context,
  input: z.output<typeof contactSchema>,
  client: string,
): Promise<Outcome<null>> {
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
