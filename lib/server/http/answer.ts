import 'server-only';
import { refusal, success } from '../../contract/answer';
import { refusals } from '../../contract/errors';
import type { Outcome, Refusal } from '../base/refusal';

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

/** Puts an outcome into the envelope, with the fitting HTTP status. */
export function answer(outcome: Outcome<unknown>): Response {
  if (!outcome.ok) return refusalResponse(outcome.error);
  return new Response(JSON.stringify(success(outcome.value ?? null)), { status: 200, headers });
}

/** The response of a refusal. */
export function refusalResponse({ name, msg, retryAfterSeconds }: Refusal): Response {
  return new Response(JSON.stringify(refusal(name, msg)), {
    status: refusals[name].status,
    headers: retryAfterSeconds ? { ...headers, 'retry-after': String(retryAfterSeconds) } : headers,
  });
}
