import axios, { AxiosError, type AxiosRequestConfig } from 'axios';
import * as z from 'zod/mini';
import { limits } from '../lib/catalog/limits';
import { SESSION_INVALID, SUCCESS } from '../lib/contract/codes';
import { envelopeSchema } from '../lib/contract/envelope';
import { header, VERSION_CODE } from '../lib/contract/headers';
import { fail, ok, type Result } from '../lib/contract/result';
import { channel, devicePhoneOs, storedUuid, storedWebsite, trackId } from '../lib/utils/client-values';
import { readCookie } from '../lib/utils/cookies';
import { visit } from '../lib/utils/visit';
import { type ApiError, unansweredError } from './api-error';
import { tellSessionInvalid } from './session-invalid';

/** Base address of the product API, version 1; another product API is chosen by environment alone. */
export const apiBase = process.env.NEXT_PUBLIC_PRODUCT_API_URL || '/api/v1';

/** Settings of one call beyond the address and the body. */
export type CallOptions = {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** The caller deals with an invalid session itself (the session check of a load). */
  quietSession?: boolean;
};

// Compiling schemas needs eval, which the policy of every page forbids; without this the library tries it out first.
z.config({ jitless: true });

/** What an answer's `obj` has to be; the schemas are in lib/contract. */
export type Answer<T> = z.core.$ZodType<T>;

const client = axios.create({
  baseURL: apiBase,
  timeout: limits.httpTimeoutMs,
  // The client judges by the body, whatever the status (lib/contract/README.md, 40).
  validateStatus: () => true,
});

client.interceptors.request.use((config) => {
  const values: Record<string, string | null | undefined> = {
    [header.authorization]: readCookie('Authorization'),
    [header.phoneOs]: devicePhoneOs(),
    [header.website]: storedWebsite(),
    [header.trackId]: trackId(),
    [header.token]: readCookie('token'),
    [header.uuid]: storedUuid(),
    [header.channel]: channel(),
    [header.clientId]: visit().clientId,
    [header.language]: readCookie('lang') ?? 'en',
    [header.versionCode]: VERSION_CODE,
  };
  for (const [name, value] of Object.entries(values)) {
    if (value && !config.headers.has(name)) config.headers.set(name, value);
  }
  return config;
});

/** Makes one call and judges the answer by its envelope and its schema; never throws, never shows anything. */
async function call<T>(
  config: AxiosRequestConfig,
  schema: Answer<T>,
  options: CallOptions = {},
): Promise<Result<T, ApiError>> {
  const token = readCookie('Authorization');
  try {
    const answer = await client.request<unknown>({
      ...config,
      ...(options.headers ? { headers: options.headers } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const quietSession = options.quietSession || isOvertaken(token);
    return judge(answer.data, schema, answer.status, { ...options, quietSession });
  } catch (error) {
    return fail(unansweredError(kindOf(error), 0));
  }
}

/** True when another session began while the call was under way: its end says nothing about that one. */
function isOvertaken(token: string | undefined): boolean {
  const now = readCookie('Authorization');
  return now !== undefined && now !== token;
}

function judge<T>(body: unknown, schema: Answer<T>, status: number, options: CallOptions): Result<T, ApiError> {
  const envelope = z.safeParse(envelopeSchema, body);
  const unusable = unansweredError('protocol', status);
  if (!envelope.success) return fail(unusable);
  const { success: code, msg, obj } = envelope.data;
  if (code === SUCCESS) {
    const answer = z.safeParse(schema, obj);
    return answer.success ? ok(answer.data) : fail(unusable);
  }
  const words = msg || unusable.msg;
  if (code === SESSION_INVALID && !options.quietSession) tellSessionInvalid(words);
  return fail({ kind: code === SESSION_INVALID ? 'session' : 'refusal', code, msg: words, status });
}

function kindOf(error: unknown): 'timeout' | 'network' | 'cancelled' {
  if (!(error instanceof AxiosError)) return 'network';
  if (error.code === AxiosError.ERR_CANCELED) return 'cancelled';
  return error.code === AxiosError.ECONNABORTED || error.code === AxiosError.ETIMEDOUT ? 'timeout' : 'network';
}

/** GET; `params` become the query. */
export function get<T>(
  url: string,
  answer: Answer<T>,
  params?: Record<string, string | number>,
  options?: CallOptions,
) {
  return call({ method: 'GET', url, ...(params ? { params } : {}) }, answer, options);
}

/** POST with a JSON body. */
export function post<T>(url: string, answer: Answer<T>, data?: unknown, options?: CallOptions) {
  return call({ method: 'POST', url, data }, answer, options);
}

/** PUT with a JSON body. */
export function put<T>(url: string, answer: Answer<T>, data?: unknown, options?: CallOptions) {
  return call({ method: 'PUT', url, data }, answer, options);
}

/** DELETE, with a JSON body where one is given. */
export function remove<T>(url: string, answer: Answer<T>, data?: unknown, options?: CallOptions) {
  return call({ method: 'DELETE', url, ...(data === undefined ? {} : { data }) }, answer, options);
}

/** GET of a file. A refusal comes in the envelope all the same, and is judged as one. */
export async function getFile(url: string): Promise<Result<Blob, ApiError>> {
  const token = readCookie('Authorization');
  try {
    const { data, status } = await client.request<Blob>({ method: 'GET', url, responseType: 'blob' });
    if (!data.type.startsWith('application/json')) {
      return status === 200 ? ok(data) : fail(unansweredError('protocol', status));
    }
    // Data where a file was asked for is no answer, whatever it holds.
    return judge(parse(await data.text()), z.never(), status, { quietSession: isOvertaken(token) });
  } catch (error) {
    return fail(unansweredError(kindOf(error), 0));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
