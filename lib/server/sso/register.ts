import 'server-only';
import type { Credentials } from '../../contract/requests/sign-in';
import { ok } from '../../contract/result';
import type { Registered } from '../../contract/sign-in';
import { hashPassword } from '../accounts/passwords';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { registrations } from '../db/schema';
import { enqueue } from '../jobs/enqueue';
import { askForMail } from '../limits/ask-for-mail';
import { CODE_LIFE_MS } from './check-code';
import { returnAddress } from './return-address';

/**
 * Begins a registration: keeps it and asks a job for the mail with the code. Whether the address has an account is
 * looked up by that job alone, so neither the answer nor the time it takes tells.
 */
export async function register(ctx: Context, input: Credentials, client: string): Promise<Outcome<Registered>> {
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
