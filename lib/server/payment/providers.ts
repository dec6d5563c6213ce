import 'server-only';
import type { Env } from '../config/env';
import type { PaymentProvider } from './port';
import { sandbox } from './sandbox/provider';
import { stripe } from './stripe/provider';

const providers: Record<Env['PAYMENT_PROVIDER'], PaymentProvider> = { sandbox, stripe };

/** The provider that takes new payments. */
export function activeProvider(env: Env): PaymentProvider {
  return providers[env.PAYMENT_PROVIDER];
}

/** The provider of a webhook address, or of an order. */
export function findProvider(name: string): PaymentProvider | undefined {
  return Object.values(providers).find((provider) => provider.name === name);
}

/**
 * The provider that charges a renewal: that of the first purchase, which alone knows the means of payment. A purchase
 * of the sandbox is not renewed once real money is taken.
 */
export function renewalProvider(env: Env, firstProvider: string | null): PaymentProvider | undefined {
  const provider = findProvider(firstProvider ?? '');
  return provider === sandbox && activeProvider(env) !== sandbox ? undefined : provider;
}
