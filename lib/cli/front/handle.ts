import type { IncomingMessage, ServerResponse } from 'node:http';
import { routeAliases } from '../../catalog/route-aliases';
import { refusal } from '../../contract/answer';
import { type RefusalName, refusals } from '../../contract/errors';
import { REQUEST_ID_HEADER, traced } from '../../server/base/trace';
import type { Proxies } from '../../server/config/proxies';
import type { Connections } from './connections';
import { beforeHead, closeAfterEarlyAnswer, hasBody } from './early-answer';
import { type FrontMetrics, kindOf } from './metrics';
import { answerAt } from './public-address';
import {
  clientAddress,
  everyHeader,
  isFromThisComputer,
  namesTwoHosts,
  requestIdOf,
  setSecurityHeaders,
} from './request';
import type { PageResponder } from './respond';
import { sendFile } from './respond';
import type { Site } from './site';
import { guardBody, type StallLimits } from './stall-guard';

/** What the front needs to answer: the built site, Next for the rest, and the limits. */
export type FrontParts = {
  site: Site;
  pages: PageResponder;
  next: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Answers a call of the API; `path` is decoded and has no trailing slash. */
  api: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;
  connections: Connections;
  metrics: FrontMetrics;
  stall: StallLimits;
  proxies: Proxies;
  isHttps: boolean;
};

/** Characters of the longest address that is looked at. */
const LONGEST_ADDRESS = 8192;

/** Path of a request without its trailing slash, decoded; null when it is malformed. */
function pathOf(url: string): string | null {
  const end = url.search(/[?#]/);
  const raw = end === -1 ? url : url.slice(0, end);
  try {
    const path = decodeURIComponent(raw);
    if (path.includes('\0') || !path.startsWith('/')) return null;
    return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
  } catch {
    return null;
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

const apiMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** What no address of the API holds: empty and dot segments, separators behind an escape, another spelling of `/api`. */
function isOddApiAddress(raw: string): boolean {
  return !/^\/api(\/|$)/.test(raw) || /%(2f|5c|00)|\\|\/\/|\/(\.|%2e){1,2}(\/|$)/i.test(raw);
}

function sendRefusal(response: ServerResponse, name: RefusalName, headers: Record<string, string> = {}): void {
  response.writeHead(refusals[name].status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(JSON.stringify(refusal(name)));
}

/** Sets what the route has not set itself: a file or a page of the API may have its own policy. */
function addHeaders(response: ServerResponse, isHttps: boolean): void {
  beforeHead(response, () => {
    for (const [name, value] of Object.entries(everyHeader(isHttps))) {
      if (!response.hasHeader(name)) response.setHeader(name, value);
    }
  });
}

function handleApi(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  parts: FrontParts,
): Promise<void> | void {
  addHeaders(response, parts.isHttps);
  if (!apiMethods.has(request.method ?? '')) {
    return sendRefusal(response, 'methodNotAllowed', { allow: [...apiMethods].join(', ') });
  }
  const raw = (request.url ?? '').split(/[?#]/, 1)[0] ?? '';
  if (isOddApiAddress(raw) || namesTwoHosts(request)) return sendRefusal(response, 'invalidRequest');
  if (!raw.startsWith('/api/v1/')) return sendRefusal(response, 'notFound');
  return parts.api(request, response, path);
}

/** Answers one request under an id, by which it is found in the log; the answer names it. */
export function handle(
  request: IncomingMessage,
  response: ServerResponse,
  parts: FrontParts,
): Promise<void> | undefined {
  const requestId = requestIdOf(request, parts.proxies);
  request.headers[REQUEST_ID_HEADER] = requestId;
  const path = pathOf(request.url ?? '/');
  parts.connections.begin(request, response);
  parts.metrics.observe(kindOf(path, request, parts.site), response);
  if (path !== null && isPlainPage(request, path, parts)) {
    parts.pages.send(request, response, path, 200);
    return undefined;
  }
  response.setHeader(REQUEST_ID_HEADER, requestId);
  return traced({ requestId }, () => answer(request, response, path, parts));
}

/** What nearly every visitor asks for: a page from memory, whose head was made once. */
function isPlainPage(request: IncomingMessage, path: string, { site }: FrontParts): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    (request.url ?? '').length <= 8192 &&
    isServedPage(path, site) &&
    !site.files.has(path) &&
    !site.lateFiles.has(path) &&
    request.headers.rsc === undefined &&
    routeAliases[path] === undefined &&
    !hasBody(request) &&
    !namesTwoHosts(request)
  );
}

function isServedPage(path: string, site: Site): boolean {
  return site.pages.has(path) && !path.startsWith('/_') && path !== '/404';
}

/** Answers with a static file or what was taken out of a page; false where there is none of that name. */
function sendKnownFile(request: IncomingMessage, response: ServerResponse, path: string, parts: FrontParts): boolean {
  const file = parts.site.files.get(path);
  const late = parts.site.lateFiles.get(path);
  if (file) sendFile(request, response, path, file, parts.site.release);
  else if (late !== undefined) parts.pages.sendLate(request, response, path, late);
  return file !== undefined || late !== undefined;
}

/** An address that is none, such as one with a lone percent sign: the API says so in its envelope, and whoever followed a link gets the way home. */
function refuseAddress(request: IncomingMessage, response: ServerResponse, parts: FrontParts): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (request.url?.startsWith('/api/')) {
    addHeaders(response, parts.isHttps);
    sendRefusal(response, 'invalidRequest');
  } else if (isRead && parts.site.pages.has('/_not-found')) {
    setSecurityHeaders(response, parts.isHttps, null);
    parts.pages.send(request, response, '/_not-found', 400);
  } else {
    setSecurityHeaders(response, parts.isHttps, null);
    sendText(response, 400, 'This address is malformed.');
  }
}

/** The API by its table, in-app navigation by Next, pages and files from the build, everything else by the 404 page. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string | null,
  parts: FrontParts,
): Promise<void> {
  const url = request.url ?? '/';
  request.headers['x-client-address'] = clientAddress(request, parts.proxies);
  request.headers['x-client-is-local'] = isFromThisComputer(request, parts.proxies) ? '1' : '0';
  closeAfterEarlyAnswer(request, response);
  guardBody(request, response, parts.stall);

  const isMalformed = path === null || url.length > LONGEST_ADDRESS;
  if (isMalformed) return refuseAddress(request, response, parts);
  if (path === '/api' || path.startsWith('/api/')) return handleApi(request, response, path, parts);
  setSecurityHeaders(response, parts.isHttps, path);
  if (namesTwoHosts(request)) return sendText(response, 400, 'This request names more than one host.');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return sendText(response, 405, 'This address answers GET and HEAD only.');
  }
  if (path === '/metrics' && parts.metrics.isAllowed(request, parts.proxies)) return parts.metrics.send(response);
  if (sendKnownFile(request, response, path, parts)) return;
  const alias = routeAliases[path];
  if (alias) {
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    response.writeHead(308, { location: `${alias}${query}` }).end();
    return;
  }
  const isPage = parts.site.pages.has(path) && !path.startsWith('/_');
  const isInApp = request.headers.rsc !== undefined;
  if (isInApp && (isPage || path.includes('.'))) {
    answerAt(request, response, parts.pages.values);
    return parts.next(request, response);
  }
  if (isServedPage(path, parts.site)) return parts.pages.send(request, response, path, 200);
  if (parts.site.metadata.has(path)) {
    answerAt(request, response, parts.pages.values);
    return parts.next(request, response);
  }
  const notFound =
    path.startsWith('/tools/') && parts.site.pages.has('/tools/not-found') ? '/tools/not-found' : '/_not-found';
  return parts.pages.send(request, response, notFound, 404);
}
