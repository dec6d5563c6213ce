/**
 * The outcome of a call that can fail for reasons a person must hear of.
 * Services and domain operations return it instead of throwing.
 */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

/** Wraps a value as a successful {@link Result}. */
export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

/** Wraps a reason as a failed {@link Result}. */
export function fail<E>(error: E): { ok: false; error: E } {
  return { ok: false, error };
}
