import 'server-only';
import { eq } from 'drizzle-orm';
import type { Context } from '../context';
import { mails } from '../db/schema';
import type { Job, JobHandler } from '../jobs/types';
import { openTransport } from './transport';

/**
 * Sends a queued mail over SMTP. Its words are wiped once they are sent, since they may hold a code or a password.
 * A mail whose sending was cut off may go out twice, with the same message id.
 */
export const sendMail: JobHandler<Job<'mail.send'>> = {
  lane: 'light',
  maxAttempts: 10,
  leaseSeconds: 60,
  async run(ctx, job) {
    const { mailId: id } = job.payload;
    const [mail] = await ctx.db.select().from(mails).where(eq(mails.id, id));
    if (mail?.status !== 'queued') return null;
    await deliver(ctx, mail);
    return async (tx) => {
      await tx.update(mails).set({ status: 'sent', sentAt: ctx.now(), text: '', html: '' }).where(eq(mails.id, id));
    };
  },
  giveUp(_ctx, job) {
    return async (tx) => {
      await tx.update(mails).set({ status: 'failed' }).where(eq(mails.id, job.payload.mailId));
    };
  },
};

async function deliver(ctx: Context, mail: typeof mails.$inferSelect): Promise<void> {
  const transport = openTransport(ctx.env);
  try {
    await transport.sendMail({
      messageId: `<${mail.id}@${new URL(ctx.env.SITE_URL).hostname}>`,
      from: ctx.env.MAIL_FROM,
      to: mail.to,
      ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
    });
  } finally {
    transport.close();
  }
}
