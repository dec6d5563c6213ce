import * as tus from 'tus-js-client';
import * as z from 'zod/mini';
import { SUCCESS } from '../lib/contract/codes';
import { envelopeSchema } from '../lib/contract/envelope';
import type { UploadSignature } from '../lib/contract/repair';
import { unansweredError } from './api-error';
import { apiBase } from './http';
import type { AttemptEnd, AttemptOptions } from './keep-sending';

/** A large file goes in requests of this size, so that no proxy on the way has to take all of it, and each brings its own ticket. */
const PIECE_BYTES = 16 * 2 ** 20;
/** A request that moves no byte for this long is ended, as after the machine slept; another goes on. */
const STALL_MS = 30_000;

const GONE = 'This upload is over. Please choose the file again.';

/** One attempt to bring the rest of a file (tus 1.0): asks how much has arrived, and sends from there until something ends it. */
export function attemptUpload(
  { upload }: UploadSignature,
  file: File,
  { onProgress, signal, stallMs = STALL_MS }: AttemptOptions & { stallMs?: number },
): Promise<AttemptEnd> {
  return new Promise((resolve) => {
    let stall: ReturnType<typeof setTimeout>;
    const finish = (end: AttemptEnd) => {
      clearTimeout(stall);
      signal.removeEventListener('abort', cancel);
      resolve(end);
    };
    const giveUp = (end: AttemptEnd) => {
      void sending.abort();
      finish(end);
    };
    const cancel = () => giveUp({ is: 'later' });
    const watch = () => {
      clearTimeout(stall);
      stall = setTimeout(cancel, stallMs);
    };
    const sending = new tus.Upload(file, {
      uploadUrl: new URL(upload.url, new URL(apiBase, window.location.origin)).href,
      headers: upload.fields,
      chunkSize: PIECE_BYTES,
      // When to try again is for who calls to say, which may first need a new ticket.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onProgress: (sent) => {
        watch();
        onProgress(sent);
      },
      onSuccess: () => finish({ is: 'done' }),
      onError: (error) => finish(endOf(error)),
    });
    signal.addEventListener('abort', cancel);
    watch();
    if (signal.aborted) cancel();
    else sending.start();
  });
}

/** What an error means for the upload: a new ticket, another attempt, or the end. */
function endOf(error: Error | tus.DetailedError): AttemptEnd {
  const answer = 'originalResponse' in error ? error.originalResponse : null;
  const status = answer?.getStatus() ?? 0;
  if (status === 403) return { is: 'renew' };
  const words = wordsIn(answer?.getBody() ?? '');
  // The server can't go on for want of room or the like, and says so; what has arrived stays.
  if (status === 503 && words)
    return { is: 'refused', error: { ...unansweredError('protocol', status), msg: words.msg } };
  if ([400, 404, 410, 413, 415].includes(status) && words) {
    return { is: 'refused', error: { kind: 'refusal', ...words, status } };
  }
  // An answer without a body, as that to a HEAD, says by its status alone that the place is gone.
  if (status === 404 || status === 410) {
    return { is: 'refused', error: { kind: 'refusal', code: '', msg: GONE, status } };
  }
  // Another offset, a request in its place, a server that is busy or on its way up again, or no answer at all.
  return { is: 'later' };
}

function wordsIn(text: string): { code: string; msg: string } | null {
  const body = z.safeParse(envelopeSchema, parse(text));
  if (!body.success || body.data.success === SUCCESS || !body.data.msg) return null;
  return { code: body.data.success, msg: body.data.msg };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
