/* Codes of the envelope's `success` that the client knows; apart from the table of refusals, which no browser needs. */

export const SUCCESS = '1';

/** The session is invalid (lib/contract/README.md, 61). */
export const SESSION_INVALID = '10009';

/** What was asked for does not go with how things stand, as the same key with another order. */
export const CONFLICT = '10409';
