import 'server-only';
import { currentEnv } from '../context';
import { refusalResponse } from './answer';
import { corsHeaders, preflight } from './cors';
import { isFromForeignPage } from './origins';
import { plainPage, wantsPage } from './plain-page';
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
 * cross-origin headers on each answer. What changes something is for programs, our own pages and those of ALLOWED_ORIGINS.
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
    POST: shared(forOwnPages(handlers.POST)),
    PUT: shared(forOwnPages(handlers.PUT)),
    PATCH: shared(forOwnPages(handlers.PATCH)),
    DELETE: shared(forOwnPages(handlers.DELETE)),
    OPTIONS: options,
  };
}

const foreign = { name: 'forbidden', msg: 'Only pages of this site may send this.' } as const;
/** For whom a form of another page brought here: what they meant to send can be sent there. */
const contactPage = { href: '/contact-us', label: 'To our contact page' };

function forOwnPages(handler: Handler | undefined): Handler | undefined {
  return (
    handler &&
    (async (request, extra) => {
      if (!isFromForeignPage(currentEnv(), request)) return handler(request, extra);
      return wantsPage(request) ? plainPage({ ok: false, error: foreign }, '', contactPage) : refusalResponse(foreign);
    })
  );
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
