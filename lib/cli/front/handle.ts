import type { IncomingMessage, ServerResponse } from 'node:http';
import { routeAliases } from '../../catalog/route-aliases';
import { answerAt } from './public-address';
import { clientAddress, setSecurityHeaders } from './request';
import type { PageResponder } from './respond';
import { sendFile } from './respond';
import type { Site } from './site';
import { guardBody, type StallLimits } from './stall-guard';

/** What the front needs to answer: the built site, Next for the rest, and the limits. */
export type FrontParts = {
  site: Site;
  pages: PageResponder;
  next: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  stall: StallLimits;
  trustProxy: boolean;
  isHttps: boolean;
};

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

/** Answers one request: API and in-app navigation by Next, pages and files from the build, everything else by the 404 page. */
export async function handle(request: IncomingMessage, response: ServerResponse, parts: FrontParts): Promise<void> {
  const url = request.url ?? '/';
  const path = pathOf(url);
  setSecurityHeaders(response, parts.isHttps);
  if (path === null || url.length > 8192) return sendText(response, 400, 'This address is malformed.');
  request.headers['x-client-address'] = clientAddress(request, parts.trustProxy);
  guardBody(request, response, parts.stall);

  if (path === '/api' || path.startsWith('/api/')) return parts.next(request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return sendText(response, 405, 'This address answers GET and HEAD only.');
  }
  const file = parts.site.files.get(path);
  if (file) return sendFile(request, response, path, file);
  const alias = routeAliases[path];
  if (alias) {
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    response.writeHead(308, { location: `${alias}${query}` }).end();
    return;
  }
  const isPage = parts.site.pages.has(path) && !path.startsWith('/_');
  const isInApp = request.headers.rsc !== undefined;
  if (isInApp && (isPage || path.includes('.'))) {
    answerAt(request, response, parts.site.origin);
    return parts.next(request, response);
  }
  if (isPage && path !== '/404') return parts.pages.send(request, response, path, 200);
  if (parts.site.metadata.has(path)) {
    answerAt(request, response, parts.site.origin);
    return parts.next(request, response);
  }
  const notFound =
    path.startsWith('/tools/') && parts.site.pages.has('/tools/not-found') ? '/tools/not-found' : '/_not-found';
  return parts.pages.send(request, response, notFound, 404);
}
