import 'server-only';
import type { PaymentProvider } from './port';
import { sandbox } from './sandbox/provider';

const providers: Record<string, PaymentProvider> = { [sandbox.name]: sandbox };

/** The provider that takes new payments. */
export function activeProvider(): PaymentProvider {
  return sandbox;
}

/** The provider of a webhook address. */
export function findProvider(name: string): PaymentProvider | undefined {
  return Object.hasOwn(providers, name) ? providers[name] : undefined;
}
