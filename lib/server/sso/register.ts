import 'server-only';
import { z } from 'zod';
import type { Registered } from '../../contract/account';
import { ok } from '../../contract/result';
import { emailField, newPasswordField, redirectField } from '../accounts/fields';
import { hashPassword } from '../accounts/passwords';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { registrations } from '../db/schema';
import { enqueue } from '../jobs/enqueue';
import { askForMail } from '../limits/ask-for-mail';
import { CODE_LIFE_MS } from './check-code';
import { returnAddress } from './return-address';

/** Payload of `POST /sso/register`. */
export const registerSchema = z.object({ email: emailField, password: newPasswordField, redirectUri: redirectField });

/**
 * Begins a registration: keeps it and asks a job for the mail with the code. Whether the address has an account is
 * looked up by that job alone, so neither the answer nor the time it takes tells.
 */
export async function register(
  ctx: Context,
  input: z.output<typeof registerSchema>,
  client: string,
): Promise<Outcome<Registered>> {
  const returnTo = returnAddress(ctx, input.redirectUri);
  if (!returnTo.ok) return returnTo;
  const mayMail = await askForMail(ctx, input.email, client);
  if (!mayMail.ok) return mayMail;
  const registrationId = ctx.ids.row();
  if (!mayMail.value) return ok({ registrationId });
  const passwordHash = await hashPassword(input.password);
  const now = ctx.now();
  await ctx.db.transaction(async (tx) => {
    await tx.insert(registrations).values({
      id: registrationId,
      email: input.email,
      passwordHash,
      createdAt: now,
      expiresAt: new Date(now.getTime() + CODE_LIFE_MS),
    });
    await enqueue(ctx, tx, { kind: 'registration.mail', payload: { registrationId } });
  });
  return ok({ registrationId });
}
