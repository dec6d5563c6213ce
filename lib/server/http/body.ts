import 'server-only';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { ApiRequest } from './api-request';

/** Short bodies that the server in front has read already, so that no stream is made for them. */
const arrived = new WeakMap<ApiRequest, Uint8Array>();

/** Gives a request, made without one, the body that came with it. */
export function giveBody(request: ApiRequest, bytes: Uint8Array): void {
  arrived.set(request, bytes);
}

/** Reads a body of at most `maxBytes` bytes. The declared length is not believed: the bytes are counted. */
export async function readBytes(request: ApiRequest, maxBytes: number): Promise<Outcome<Uint8Array>> {
  const whole = arrived.get(request);
  if (whole) return whole.byteLength > maxBytes ? refuse('tooLarge') : ok(whole);
  if (!request.body) return ok(new Uint8Array());
  const chunks: Uint8Array[] = [];
  let received = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    received += value.byteLength;
    if (received > maxBytes) {
      await reader.cancel().catch(() => undefined);
      return refuse('tooLarge');
    }
    chunks.push(value);
  }
  return ok(new Uint8Array(Buffer.concat(chunks)));
}

/** Half of a surrogate pair, as JSON may escape it (RFC 8259, 8.2): no text of PostgreSQL holds one, and its JSON type refuses it. */
const mayHoldHalves = /\\u[dD][89a-fA-F]/;

/** A half that stands alone becomes the sign that UTF-8 has for it; nobody's text is refused for a letter that was cut in two. */
function withoutHalves(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Cs}/gu, '\ufffd') : value;
}

/**
 * Reads a JSON body; none at all counts as `{}`. The content type is not asked for, since beacons send plain text, but
 * for a form's, which a page without JavaScript sends.
 */
export async function readJson(request: ApiRequest, maxBytes: number): Promise<Outcome<unknown>> {
  const bytes = await readBytes(request, maxBytes);
  if (!bytes.ok) return bytes;
  const text = new TextDecoder().decode(bytes.value).trim();
  if (text === '') return ok({});
  if (isForm(request)) return ok(Object.fromEntries(new URLSearchParams(text)));
  try {
    return ok(JSON.parse(text, mayHoldHalves.test(text) ? withoutHalves : undefined) as unknown);
  } catch {
    return refuse('invalidRequest', 'The request can’t be read: it is not valid JSON.');
  }
}

/** True for the body of a plain HTML form. */
export function isForm(request: ApiRequest): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '');
}
