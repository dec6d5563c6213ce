import type { ApiError } from './api-error';

/** A lost answer, or one of a server in trouble, says nothing about what was asked: it must not sign anybody out. */
export function isNoVerdict({ kind, status }: ApiError): boolean {
  return (kind !== 'session' && kind !== 'refusal') || status >= 500 || status === 429;
}
