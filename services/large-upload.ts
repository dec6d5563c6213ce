import type { UploadSignature } from '../lib/contract/repair';
import type { Result } from '../lib/contract/result';
import type { ApiError } from './api-error';
import { type KeepSending, keepSending } from './keep-sending';
import { attemptUpload } from './resumable-upload';

type LargeUpload = Pick<KeepSending, 'renew' | 'onProgress' | 'onCutOff' | 'signal'>;

/** Sends a file in pieces that go on after a break; this part of the program arrives with the first large file. */
export function sendLarge(
  signature: UploadSignature,
  file: File,
  options: LargeUpload,
): Promise<Result<null, ApiError>> {
  return keepSending(signature, {
    ...options,
    attempt: (current, attemptOptions) => attemptUpload(current, file, attemptOptions),
    pause,
    now: () => performance.now(),
  });
}

/** A machine that comes back to the network is not kept waiting. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
