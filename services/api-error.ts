/** Why a call did not succeed: refused by the server, the session ended, or no usable answer came. */
export type ApiErrorKind = 'refusal' | 'session' | 'timeout' | 'network' | 'protocol' | 'cancelled';

/** A failed call: `msg` is fit for a person, `status` is the HTTP status or 0 where none came. */
export type ApiError = { kind: ApiErrorKind; code: string; msg: string; status: number };

const words: Record<Exclude<ApiErrorKind, 'refusal' | 'session'>, string> = {
  timeout: 'The server took too long to answer. Please try again.',
  network: 'The server can’t be reached. Check your connection and try again.',
  protocol: 'The server gave no usable answer. Please try again in a moment.',
  cancelled: 'Cancelled.',
};

/** The error of a call that brought no envelope: timeout, network, or a page from a proxy. */
export function unansweredError(kind: keyof typeof words, status: number): ApiError {
  return { kind, code: '', msg: words[kind], status };
}
