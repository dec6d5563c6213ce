import type { UploadSignature } from '../lib/contract/repair';
import { fail, ok, type Result } from '../lib/contract/result';
import { type ApiError, unansweredError } from './api-error';

/** How one attempt ended: all is there, the ticket is over, the connection or the server is gone for now, or it is refused for good. */
export type AttemptEnd = { is: 'done' } | { is: 'renew' } | { is: 'later' } | { is: 'refused'; error: ApiError };

export type AttemptOptions = { onProgress: (sent: number) => void; signal: AbortSignal };

/** What an upload in pieces needs beside its file. */
export type KeepSending = {
  /** Sends until something ends it. */
  attempt: (signature: UploadSignature, options: AttemptOptions) => Promise<AttemptEnd>;
  /** A new ticket for the same place. */
  renew: () => Promise<Result<UploadSignature, ApiError>>;
  onProgress: (sent: number) => void;
  /** True while nothing can be sent, and it is tried again by itself. */
  onCutOff: (isCutOff: boolean) => void;
  signal: AbortSignal;
  /** Waits before another attempt; ends early when the network is back or the signal says so. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  now: () => number;
};

/** Pauses between attempts that brought nothing, in milliseconds; the last one is repeated. */
const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15_000];
/** After so long without a byte it is left to the visitor, who finds what has arrived kept. */
const GIVE_UP_MS = 15 * 60_000;
/** A ticket that is refused as soon as it is given out is no matter of time. */
const RENEWALS_IN_VAIN = 3;

/** Whether a refusal stands: one that asks to wait, or tells of want of room, does not. */
function isFinal({ kind, status }: ApiError): boolean {
  return kind === 'refusal' && status !== 429 && status !== 503;
}

/** Brings a file there whatever happens on the way; ends only when it is there, refused, cancelled, or nothing moved for very long. */
export async function keepSending(first: UploadSignature, options: KeepSending): Promise<Result<null, ApiError>> {
  const { attempt, renew, signal, pause, now } = options;
  let signature = first;
  let vain = 0;
  let renewals = 0;
  let movedAt = now();
  let most = 0;
  const onProgress = (sent: number) => {
    if (sent > most) {
      [most, vain, renewals, movedAt] = [sent, 0, 0, now()];
      options.onCutOff(false);
    }
    options.onProgress(sent);
  };
  for (;;) {
    let end = await attempt(signature, { onProgress, signal });
    if (signal.aborted) return fail(unansweredError('cancelled', 0));
    if (end.is === 'renew') {
      renewals += 1;
      const renewed = await renew();
      if (signal.aborted) return fail(unansweredError('cancelled', 0));
      if (renewed.ok && renewals <= RENEWALS_IN_VAIN) {
        signature = renewed.value;
        continue;
      }
      end = !renewed.ok && isFinal(renewed.error) ? { is: 'refused', error: renewed.error } : { is: 'later' };
    }
    if (end.is === 'done') return ok(null);
    if (end.is === 'refused') return fail(end.error);
    if (now() - movedAt > GIVE_UP_MS) return fail(unansweredError('network', 0));
    options.onCutOff(true);
    await pause(PAUSES_MS[Math.min(vain, PAUSES_MS.length - 1)] ?? 0, signal);
    vain += 1;
    if (signal.aborted) return fail(unansweredError('cancelled', 0));
  }
}
