import 'server-only';
import * as client from 'openid-client';
import type { SignInProblem } from '../../../contract/sign-in';
import { logWarning, withoutPersonal } from '../../base/log';

/** An error with what caused it, from the outside in. */
function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at: unknown = error; at !== undefined && chain.length < 6; at = (at as { cause?: unknown } | null)?.cause) {
    chain.push(at);
  }
  return chain;
}

/** What went wrong, as the page that tells of it knows it. */
export function problemOf(error: unknown): SignInProblem {
  const chain = chainOf(error);
  const answered = chain.find((part) => part instanceof client.AuthorizationResponseError);
  if (answered) {
    if (answered.error === 'access_denied') return 'declined';
    return ['server_error', 'temporarily_unavailable'].includes(answered.error) ? 'unavailable' : 'failed';
  }
  return chain.some(isOutage) ? 'unavailable' : 'failed';
}

/** No answer, or one of a server in trouble. */
function isOutage(part: unknown): boolean {
  const { name, code, message, status } = (part ?? {}) as Record<string, unknown>;
  if (typeof status === 'number') return status >= 500 || status === 429;
  return name === 'TimeoutError' || code === 'OAUTH_TIMEOUT' || code === 'ECONNREFUSED' || message === 'fetch failed';
}

/** Says what a provider did wrong, without what it said of anybody. */
export function logProvider(words: string, error: unknown): void {
  const reasons = chainOf(error).flatMap((part) => (part instanceof Error ? [part.message] : []));
  logWarning('sso.provider', words, { reason: withoutPersonal(reasons.join(': ')).slice(0, 300) });
}
