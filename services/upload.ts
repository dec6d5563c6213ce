import * as z from 'zod/mini';
import { SUCCESS } from '../lib/contract/codes';
import { envelopeSchema } from '../lib/contract/envelope';
import type { UploadSignature } from '../lib/contract/repair';
import { fail, ok, type Result } from '../lib/contract/result';
import { type ApiError, unansweredError } from './api-error';
import { apiBase } from './http';

/** An upload that moves no byte for this long is given up; there is no limit on its whole time (lib/contract/README.md, 49). */
const UPLOAD_STALL_MS = 60_000;

/** Request Timeout (RFC 9110, section 15.5.9): a body that stood still says nothing of its file, which may be sent again. */
const STOOD_STILL = 408;

type UploadOptions = { onProgress: (sent: number) => void; signal: AbortSignal; stallMs?: number };

/**
 * Sends a file by the signed form: the fields first, the file last, as the store's policy wants. XMLHttpRequest,
 * because `fetch` reports no progress of what it sends.
 */
export function sendUpload(
  { upload }: UploadSignature,
  file: File,
  { onProgress, signal, stallMs = UPLOAD_STALL_MS }: UploadOptions,
): Promise<Result<null, ApiError>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(upload.fields)) form.append(name, value);
  form.append('file', file, file.name);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    let stall: ReturnType<typeof setTimeout>;
    const finish = (result: Result<null, ApiError>) => {
      clearTimeout(stall);
      signal.removeEventListener('abort', cancel);
      resolve(result);
    };
    const giveUp = (kind: 'timeout' | 'cancelled') => {
      request.onabort = null;
      request.abort();
      finish(fail(unansweredError(kind, 0)));
    };
    const cancel = () => giveUp('cancelled');
    const watch = () => {
      clearTimeout(stall);
      stall = setTimeout(() => giveUp('timeout'), stallMs);
    };
    request.upload.onprogress = (event) => {
      watch();
      onProgress(Math.min(event.loaded, file.size));
    };
    request.onload = () => finish(judgeUpload(request));
    request.onerror = () => finish(fail(unansweredError('network', 0)));
    signal.addEventListener('abort', cancel);
    request.open(upload.method, new URL(upload.url, new URL(apiBase, window.location.origin)).href);
    watch();
    if (signal.aborted) cancel();
    else request.send(form);
  });
}

/** An object store answers with a bare status, the embedded store with an envelope whose words are for a person. */
function judgeUpload(request: XMLHttpRequest): Result<null, ApiError> {
  const { status } = request;
  const body = z.safeParse(envelopeSchema, parse(request.responseText));
  if (body.success && body.data.success !== SUCCESS) {
    const { success: code, msg } = body.data;
    const kind = status === STOOD_STILL ? 'timeout' : 'refusal';
    return fail({ kind, code, msg: msg || unansweredError('protocol', status).msg, status });
  }
  if (status >= 200 && status < 300) return ok(null);
  return fail(unansweredError('protocol', status));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
