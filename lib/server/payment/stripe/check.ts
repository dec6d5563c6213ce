import 'server-only';
import { logError } from '../../base/log';
import { startError } from '../../base/start-error';
import type { Context } from '../../context';
import { askStripe } from './call';
import { TOLERANCE_SECONDS } from './signature';

/** Asks for what every purchase asks for, and compares the clocks, by which webhooks are believed. */
export async function checkStripe(ctx: Context): Promise<string | null> {
  const keyMode = (key = '') => /^[a-z]k_(live|test)_/.exec(key)?.[1];
  const [secret, publishable] = [keyMode(ctx.env.STRIPE_SECRET_KEY), keyMode(ctx.env.STRIPE_PUBLISHABLE_KEY)];
  if (secret && publishable && secret !== publishable) {
    throw startError(
      `STRIPE_SECRET_KEY is of ${secret} mode and STRIPE_PUBLISHABLE_KEY of ${publishable} mode: set two of one kind.`,
    );
  }
  let answer: Awaited<ReturnType<typeof askStripe>>;
  try {
    answer = await askStripe(ctx, '/v1/checkout/sessions?limit=1');
  } catch (error) {
    logError('stripe.check', 'Stripe could not be asked.', error);
    return 'it does not answer now, and nobody can pay until it does';
  }
  if (answer.status === 401)
    throw startError('Stripe does not know STRIPE_SECRET_KEY: copy it again from its dashboard.');
  if (answer.status === 403) {
    throw startError(
      'STRIPE_SECRET_KEY lacks the right to read Checkout Sessions: give it what the README names, or take a full key.',
    );
  }
  const ahead = answer.at === null ? 0 : Math.round((answer.at.getTime() - ctx.now().getTime()) / 1000);
  if (Math.abs(ahead) <= TOLERANCE_SECONDS / 2) return null;
  return `the clock of this machine is ${Math.abs(ahead)} s ${ahead > 0 ? 'behind' : 'ahead'}, so its webhooks will not be believed: set it right`;
}
