import 'server-only';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header of Stripe's webhooks: `t=<unix seconds>,v1=<hex>`, with several `v1` while a secret is being replaced. */
export const STRIPE_SIGNATURE = 'stripe-signature';

/** A signature older, or further ahead, than this is refused: what Stripe's own libraries allow. */
export const TOLERANCE_SECONDS = 300;

/** True when one of the header's signatures fits the raw body and is fresh (Stripe, "Verify webhook signatures manually"). */
export function isStripeSigned(secret: string, now: Date, body: Uint8Array, header: string): boolean {
  const pairs = header.split(',').map((part) => part.trim().split('='));
  const seconds = pairs.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(seconds)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > TOLERANCE_SECONDS) return false;
  const wanted = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();
  return pairs.some(
    ([name, value = '']) =>
      name === 'v1' && /^[0-9a-f]{64}$/.test(value) && timingSafeEqual(wanted, Buffer.from(value, 'hex')),
  );
}
