import 'server-only';
import { refusal, success } from '../../contract/answer';
import { refusals } from '../../contract/errors';
import type { Outcome, Refusal } from '../base/refusal';

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

/**
 * The text of answers that were made here: they have no body, since a stream that the server in front would only turn back into this text
 * takes longer than to make the text.
 */
const texts = new WeakMap<Response, string>();

/** The whole body of an answer that {@link answer} or {@link refusalResponse} made; undefined for any other. */
export function textOf(response: Response): string | undefined {
  return texts.get(response);
}

function textResponse(text: string, init: ResponseInit): Response {
  const made = new Response(null, init);
  texts.set(made, text);
  return made;
}

/** The same answer with its text as a body, for whoever knows of no other place for it. */
export function withBody(response: Response): Response {
  const text = texts.get(response);
  return text === undefined ? response : new Response(text, { status: response.status, headers: response.headers });
}

/** Puts an outcome into the envelope, with the fitting HTTP status. */
export function answer(outcome: Outcome<unknown>): Response {
  if (!outcome.ok) return refusalResponse(outcome.error);
  return textResponse(JSON.stringify(success(outcome.value ?? null)), { status: 200, headers });
}

/** The response of a refusal. */
export function refusalResponse({ name, msg, retryAfterSeconds }: Refusal): Response {
  return textResponse(JSON.stringify(refusal(name, msg)), {
    status: refusals[name].status,
    headers: retryAfterSeconds ? { ...headers, 'retry-after': String(retryAfterSeconds) } : headers,
  });
}
