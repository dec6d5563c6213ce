import 'server-only';
import { eq } from 'drizzle-orm';
import { ok } from '../../contract/result';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { resetCodes, users } from '../db/schema';
import { enqueue } from '../jobs/enqueue';
import type { Job, JobHandler } from '../jobs/types';
import { askForMail } from '../limits/ask-for-mail';
import { writeMail } from '../mail/write-mail';
import { CODE_LIFE_MS, codeHash, codeLife } from './check-code';

/** Asks for a reset code. The account is looked up by the job alone, so that the answer tells nothing. */
export async function askForResetCode(ctx: Context, email: string, client: string): Promise<Outcome<null>> {
  const mayMail = await askForMail(ctx, email, client);
  if (!mayMail.ok) return mayMail;
  if (mayMail.value) await enqueue(ctx, ctx.db, { kind: 'reset.mail', payload: { email } });
  return ok(null);
}

/** Mails a reset code to an account; a newer code replaces the older. An address without an account gets no mail. */
export const mailResetCode: JobHandler<Job<'reset.mail'>> = {
  lane: 'light',
  maxAttempts: 5,
  leaseSeconds: 30,
  async run(ctx, job) {
    const [user] = await ctx.db
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(eq(users.email, job.payload.email));
    if (!user) return null;
    const code = ctx.ids.mailCode();
    const row = {
      codeHash: codeHash(user.id, code),
      expiresAt: new Date(ctx.now().getTime() + CODE_LIFE_MS),
    };
    return async (tx) => {
      await tx
        .insert(resetCodes)
        .values({ userId: user.id, ...row })
        .onConflictDoUpdate({ target: resetCodes.userId, set: row });
      await writeMail(ctx, tx, {
        to: user.email,
        subject: 'Your code for a new password',
        parts: [
          'This code lets you choose a new password:',
          { code },
          `It works for ${codeLife}. If you did not ask for it, you can ignore this mail; your password stays as it is.`,
        ],
      });
    };
  },
};
