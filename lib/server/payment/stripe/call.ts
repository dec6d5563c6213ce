import 'server-only';
import { type Outcome, refuse } from '../../base/refusal';
import type { Context } from '../../context';

/** Version of Stripe's API that the answers are read by; fixed, so that an account's own setting changes nothing. */
const API_VERSION = '2025-03-31.basil';
const WAIT_MS = 20_000;

/** Fields of a request; nested ones are written as `a[b]`, the way Stripe's form encoding wants them. */
export type Fields = { [name: string]: string | number | boolean | Fields };

/** What Stripe answered. `body` is not checked: whoever reads it does that. */
export type StripeAnswer = { status: number; body: unknown };

/** The same with the time that Stripe's clock showed; null where it did not say. */
type TimedAnswer = StripeAnswer & { at: Date | null };

function write(form: URLSearchParams, fields: Fields, prefix = ''): URLSearchParams {
  for (const [name, value] of Object.entries(fields)) {
    const path = prefix === '' ? name : `${prefix}[${name}]`;
    if (typeof value === 'object') write(form, value, path);
    else form.append(path, String(value));
  }
  return form;
}

/** GET of Stripe's API, of which the time matters too. */
export function askStripe(ctx: Context, path: string): Promise<TimedAnswer> {
  return send(ctx, path, { method: 'GET' });
}

/** GET of Stripe's API. Throws when no answer comes or Stripe is in trouble. */
export function getFromStripe(ctx: Context, path: string): Promise<StripeAnswer> {
  return send(ctx, path, { method: 'GET' });
}

/** POST to Stripe's API, once for each key however often it is sent. Throws when no answer comes or Stripe is in trouble. */
export function postToStripe(
  ctx: Context,
  path: string,
  fields: Fields,
  idempotencyKey: string,
): Promise<StripeAnswer> {
  return send(ctx, path, {
    method: 'POST',
    body: write(new URLSearchParams(), fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': idempotencyKey },
  });
}

async function send(
  ctx: Context,
  path: string,
  init: RequestInit & { headers?: Record<string, string> },
): Promise<TimedAnswer> {
  const response = await ctx.fetch(`${ctx.env.STRIPE_API_URL}${path}`, {
    ...init,
    headers: {
      ...init.headers,
      authorization: `Bearer ${ctx.env.STRIPE_SECRET_KEY ?? ''}`,
      'stripe-version': API_VERSION,
    },
    redirect: 'error',
    signal: AbortSignal.timeout(WAIT_MS),
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.status >= 500 || response.status === 429) {
    throw new Error(`Stripe answered with status ${response.status}.`);
  }
  const told = Date.parse(response.headers.get('date') ?? '');
  return { status: response.status, body, at: Number.isNaN(told) ? null : new Date(told) };
}

/** The words when the provider can't be asked. */
export function stripeUnavailable(): Outcome<never> {
  return refuse('unavailable', 'The payment provider can’t be reached right now. Please try again in a minute.');
}
