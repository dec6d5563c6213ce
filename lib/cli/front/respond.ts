import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { fileCaching, pageCaching } from './caching';
import { ancestorsOf, contentSecurityPolicy, type PolicyOrigins } from './policy';
import { mediaType, type Site, type SiteFile } from './site';

type Encoding = 'br' | 'gz' | null;

/** What other sites may show in theirs. */
const SHARED = ['cross-origin-resource-policy', 'cross-origin'] as const;

/** The best encoding that the client takes (RFC 9110, section 12.5.3); `q=0` refuses one. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  const takes = (name: string) =>
    (accepted ?? '').split(',').some((part) => {
      const [token = '', ...parameters] = part.trim().split(';');
      return token.trim() === name && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
    });
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gz' : null;
}

/** True when the client's copy is still right (RFC 9110, section 13.1.2). */
function isUnchanged(request: IncomingMessage, etag: string): boolean {
  const known = request.headers['if-none-match'];
  return (known ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function encodingHeaders(encoding: Encoding): Record<string, string> {
  return { vary: 'Accept-Encoding', ...(encoding ? { 'content-encoding': encoding === 'gz' ? 'gzip' : 'br' } : {}) };
}

/** Compressed once, when a page is first asked for: some 30 ms, after which it comes from memory. */
function compressed(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'gz') return gzipSync(bytes, { level: 9 });
  if (encoding !== 'br') return bytes;
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/** Keeps the forms of all pages and late scripts in memory: a few hundred kilobytes. */
export class PageResponder {
  readonly #bodies = new Map<string, { br?: Buffer; gz?: Buffer; plain?: Buffer }>();

  constructor(
    private readonly site: Site,
    private readonly origins: PolicyOrigins,
  ) {}

  /** Answers a prerendered page with a status and its own policy. */
  send(request: IncomingMessage, response: ServerResponse, route: string, status: number): void {
    const page = this.site.pages.get(route);
    if (!page) throw new Error(`No prerendered page for ${route}`);
    response.setHeader('content-security-policy', contentSecurityPolicy(route, page.hashes, this.origins));
    const caching = status === 200 ? pageCaching(this.site.release) : { 'cache-control': 'no-store' };
    for (const [name, value] of Object.entries(caching)) response.setHeader(name, value);
    // The older header knows no list of origins.
    const mayBeFramed = route === '/tools/Banner' || ancestorsOf(route, this.origins).length > 0;
    if (mayBeFramed) response.setHeader(...SHARED);
    else response.setHeader('x-frame-options', 'SAMEORIGIN');
    if (status === 200) {
      response.setHeader('etag', page.etag);
      if (isUnchanged(request, page.etag)) {
        response.writeHead(304).end();
        return;
      }
    }
    this.#answer(request, response, status, 'text/html; charset=utf-8', page.html);
  }

  /** Answers with a script of a page whose scripts come late; its name holds its hash. */
  sendLate(request: IncomingMessage, response: ServerResponse, script: string): void {
    response.setHeader('cache-control', 'public, max-age=31536000, immutable');
    this.#answer(request, response, 200, 'text/javascript; charset=utf-8', script);
  }

  #answer(request: IncomingMessage, response: ServerResponse, status: number, type: string, text: string): void {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const body = this.#body(text, encoding);
    response.writeHead(status, {
      'content-type': type,
      'content-length': body.length,
      ...encodingHeaders(encoding),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  #body(text: string, encoding: Encoding): Buffer {
    const kept = this.#bodies.get(text) ?? {};
    const bytes = kept[encoding ?? 'plain'] ?? compressed(Buffer.from(text), encoding);
    this.#bodies.set(text, { ...kept, [encoding ?? 'plain']: bytes });
    return bytes;
  }
}

/** Answers a static file. */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  file: SiteFile,
  release: string,
): void {
  const encoding = file.compressed ? chooseEncoding(request.headers['accept-encoding']) : null;
  for (const [name, value] of Object.entries(fileCaching(path, release))) response.setHeader(name, value);
  response.setHeader('etag', file.etag);
  // Pictures are shown by whoever links to a page.
  if (mediaType(path).startsWith('image/')) response.setHeader(...SHARED);
  if (isUnchanged(request, file.etag)) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(200, {
    'content-type': mediaType(path),
    ...(file.compressed ? encodingHeaders(encoding) : {}),
    ...(encoding ? {} : { 'content-length': file.bytes }),
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const source = createReadStream(encoding && file.compressed ? `${file.compressed}.${encoding}` : file.file);
  pipeline(source, response, () => undefined);
}
