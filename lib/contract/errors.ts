import { CONFLICT, SESSION_INVALID } from './codes';

/**
 * The one table of refusals: the wire code in `success`, the HTTP status the embedded API sets beside it, and the
 * words used when the server has nothing more specific to say. `10009` is settled (lib/contract/README.md, 40); the
 * others are ours and only their `msg` matters to the client.
 */
export const refusals = {
  invalidRequest: { code: '10400', status: 400, msg: 'Please check the details and try again.' },
  sessionInvalid: { code: SESSION_INVALID, status: 401, msg: 'Your session has ended. Please sign in again.' },
  wrongCredentials: { code: '10401', status: 401, msg: 'The e-mail address or password is not right.' },
  forbidden: { code: '10403', status: 403, msg: 'You can’t open this.' },
  notFound: { code: '10404', status: 404, msg: 'This doesn’t exist, or not any more.' },
  methodNotAllowed: { code: '10405', status: 405, msg: 'This address doesn’t answer that kind of request.' },
  stalled: { code: '10408', status: 408, msg: 'Nothing arrived for too long. Please try again.' },
  conflict: { code: CONFLICT, status: 409, msg: 'This has changed meanwhile. Please reload and try again.' },
  expired: { code: '10410', status: 410, msg: 'This link is no longer valid. Please ask for a new one.' },
  tooLarge: { code: '10413', status: 413, msg: 'This is larger than what can be sent here.' },
  unsupportedType: { code: '10415', status: 415, msg: 'This kind of file can’t be used here.' },
  tooManyRequests: { code: '10429', status: 429, msg: 'Too many attempts. Please wait a little and try again.' },
  paymentRefused: { code: '10402', status: 402, msg: 'The payment was refused.' },
  internal: { code: '10500', status: 500, msg: 'Something went wrong on our side. Please try again.' },
  unavailable: { code: '10503', status: 503, msg: 'This isn’t available right now. Please try again later.' },
} as const satisfies Record<string, { code: string; status: number; msg: string }>;

/** Name of a row of {@link refusals}. */
export type RefusalName = keyof typeof refusals;
