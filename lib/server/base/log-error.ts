import 'server-only';

/**
 * Writes an unforeseen error to the server's log. A failed query is logged by its cause alone: its message would hold
 * the values, which are e-mail addresses and hashes of keys.
 */
export function logError(what: string, error: unknown): void {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  console.error(what, cause instanceof Error ? (cause.stack ?? cause.message) : cause);
}
