import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { context } from '../../server/context';
import { textOf } from '../../server/http/answer';
import { findRoute } from '../../server/http/api';
import type { ApiRequest } from '../../server/http/api-request';
import { giveBody } from '../../server/http/body';
import { corsHeaders } from '../../server/http/cors';
import type { Endpoints } from '../../server/http/endpoints';
import { isKnown, type Kept, withoutContent } from '../../server/http/kept';
import { originFor } from '../../server/http/origins';
import { fromMemory, mayRemember } from '../../server/http/remembered';
import { hasBody } from './early-answer';

/** A body up to this length is read before the route runs; a longer one, or one that does not say its length, as a stream. */
const WHOLE_BYTES = 32 * 1024;

/** The address that requests are given; who asked for which host is read from their header. */
const ORIGIN = 'http://localhost';

/** Answers a call of the API: from memory, or by the table of routes, without the framework. `path` is decoded and has no trailing slash. */
export async function serveApi(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  const below = path.slice('/api/v1'.length);
  const method = request.method ?? 'GET';
  const { endpoints, params, isStreamed } = findRoute(below);
  const isWhole = !isStreamed && Number(request.headers['content-length'] ?? 0) <= WHOLE_BYTES && !isChunked(request);
  const body = isWhole && hasBody(request) ? await wholeBody(request) : null;
  // Nobody is left to be answered.
  if (body === 'lost') return;
  const { authorization: token, host = '', origin } = request.headers;
  if (mayRemember(below)) {
    const ctx = await context();
    const kept = await fromMemory(ctx, { method, path: below, token, origin: () => originFor(ctx.env, host), body });
    if (kept) return sendKept(request, response, kept, corsHeaders(ctx.env, origin));
  }
  const handler = endpoints[method as keyof Endpoints];
  const asked = isWhole ? requestOf(request, body) : streamOf(request);
  await send(await handler(asked, { params: Promise.resolve(params) }), response);
}

function isChunked(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined;
}

function sendKept(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, headers, etag }: Kept,
  sharing: Record<string, string>,
): void {
  const isAsking = request.method !== 'POST';
  if (isAsking && isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304, { ...withoutContent(headers), ...sharing }).end();
    return;
  }
  response.writeHead(200, { ...headers, ...sharing, 'content-length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** The request as routes take it, with a short body that is there already, or none. */
function requestOf(request: IncomingMessage, body: Buffer | null): ApiRequest {
  const { method = 'GET', headers } = request;
  const get = (name: string) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  };
  const made: ApiRequest = { method, url: `${ORIGIN}${request.url}`, headers: { get }, body: null };
  if (body) giveBody(made, body);
  return made;
}

/** A request of the web's own, whose body comes as a stream. */
function streamOf(request: IncomingMessage): Request {
  const { method = 'GET' } = request;
  const init: RequestInit & { duplex: 'half' } = { method, headers: headersOf(request), duplex: 'half' };
  const url = `${ORIGIN}${request.url}`;
  // What comes with these methods has no meaning (RFC 9110, section 9.3.1).
  if (!hasBody(request) || method === 'GET' || method === 'HEAD') return new Request(url, init);
  return new Request(url, { ...init, body: Readable.toWeb(request) as unknown as ReadableStream });
}

/** A body whose length the parser sees to. */
function wholeBody(request: IncomingMessage): Promise<Buffer | 'lost'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', () => resolve('lost'));
    request.once('close', () => resolve('lost'));
  });
}

function headersOf({ headers }: IncomingMessage): Headers {
  const made = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') made.append(name, value);
    else for (const each of value ?? []) made.append(name, each);
  }
  return made;
}

/** Writes a route's answer. */
async function send(answer: Response, response: ServerResponse): Promise<void> {
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of answer.headers) headers[name] = value;
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  const text = textOf(answer);
  if (text !== undefined) {
    const bytes = Buffer.from(text);
    response.writeHead(answer.status, { ...headers, 'content-length': bytes.length }).end(bytes);
    return;
  }
  response.writeHead(answer.status, headers);
  if (!answer.body) {
    response.end();
    return;
  }
  // What breaks off in the middle can only be cut: the client sees that its end is missing.
  await pipeline(Readable.fromWeb(answer.body as NodeReadableStream), response).catch(() => response.destroy());
}
