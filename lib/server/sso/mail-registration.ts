import 'server-only';
import { eq } from 'drizzle-orm';
import { registrations, users } from '../db/schema';
import type { Job, JobHandler } from '../jobs/types';
import { writeMail } from '../mail/write-mail';
import { codeHash, codeLife } from './check-code';

/** Mails the code that confirms a new address, or says that the address has an account already. */
export const mailRegistration: JobHandler<Job<'registration.mail'>> = {
  lane: 'light',
  maxAttempts: 5,
  leaseSeconds: 30,
  async run(ctx, job) {
    const { registrationId: id } = job.payload;
    const [pending] = await ctx.db.select().from(registrations).where(eq(registrations.id, id));
    if (!pending) return null;
    const [existing] = await ctx.db.select({ id: users.id }).from(users).where(eq(users.email, pending.email));
    if (existing) {
      return async (tx) => {
        await writeMail(ctx, tx, {
          to: pending.email,
          subject: 'You already have an account',
          parts: [
            'Somebody, most likely you, asked for an account with this e-mail address. It has one already, so no new one was made.',
            'You can sign in here. If you don’t know the password, choose “Forgot your password?” there.',
            { link: `${ctx.env.SITE_URL}/login` },
          ],
        });
      };
    }
    const code = ctx.ids.mailCode();
    return async (tx) => {
      await tx
        .update(registrations)
        .set({ codeHash: codeHash(id, code) })
        .where(eq(registrations.id, id));
      await writeMail(ctx, tx, {
        to: pending.email,
        subject: 'Confirm your e-mail address',
        parts: [
          'This code finishes making your account:',
          { code },
          `Enter it on the page where you asked for it. It works for ${codeLife}. If you did not ask for an account, you can ignore this mail.`,
        ],
      });
    };
  },
};
