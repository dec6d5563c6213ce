import 'server-only';
import { currentEnv } from '../context';
import { refusalResponse } from './answer';
import { corsHeaders, preflight } from './cors';
import type { Handler } from './route';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number] | 'HEAD';

/** What an address does for each method that it takes. */
type Handlers = Partial<Record<Method, Handler>>;

/** Addresses of the API below `/api/v1`, with `{name}` where a part of the path varies, as the API's document names them. */
export type RouteGroup = Readonly<Record<string, Handlers>>;

/** A handler for every method. */
export type Endpoints = Readonly<Record<Method | 'OPTIONS', Handler>>;

/**
 * All that an address answers: its own handlers, an envelope for every other method, the preflight, and the
 * cross-origin headers on each answer.
 */
export function endpoints(handlers: Handlers): Endpoints {
  const allowed = [
    ...methods.filter((method) => handlers[method]),
    ...(handlers.GET || handlers.HEAD ? ['HEAD'] : []),
    'OPTIONS',
  ].join(', ');
  const refused: Handler = async () => {
    const response = refusalResponse({ name: 'methodNotAllowed' });
    response.headers.set('allow', allowed);
    return response;
  };
  const options: Handler = async (request) => preflight(currentEnv(), request, allowed);
  const shared = (handler: Handler | undefined) => withCors(handler ?? refused);
  return {
    GET: shared(handlers.GET),
    HEAD: shared(handlers.HEAD ?? (handlers.GET && withoutBody(handlers.GET))),
    POST: shared(handlers.POST),
    PUT: shared(handlers.PUT),
    PATCH: shared(handlers.PATCH),
    DELETE: shared(handlers.DELETE),
    OPTIONS: options,
  };
}

function withCors(handler: Handler): Handler {
  return async (request, extra) => {
    const response = await handler(request, extra);
    for (const [name, value] of Object.entries(corsHeaders(currentEnv(), request.headers.get('origin'))))
      response.headers.set(name, value);
    return response;
  };
}

function withoutBody(handler: Handler): Handler {
  return async (request, extra) => {
    const response = await handler(request, extra);
    await response.body?.cancel();
    return new Response(null, { status: response.status, headers: response.headers });
  };
}
