import 'server-only';
import type { RefusalName } from '../../contract/errors';
import { fail, type Result } from '../../contract/result';

/** Why an operation did not do what was asked: a row of the error table, and words for a person where it has better ones. */
export type Refusal = { name: RefusalName; msg?: string | undefined; retryAfterSeconds?: number | undefined };

/** What a domain operation answers. */
export type Outcome<T> = Result<T, Refusal>;

/** A failed {@link Outcome}. */
export function refuse(name: RefusalName, msg?: string): { ok: false; error: Refusal } {
  return fail({ name, msg });
}
