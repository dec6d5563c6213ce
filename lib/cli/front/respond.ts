import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { REQUEST_ID_HEADER } from '../../server/base/trace';
import { fileCaching, pageCaching } from './caching';
import { chooseEncoding, compressed, type Encoding, encodingHeaders } from './encoding';
import { ancestorsOf, contentSecurityPolicy, type PolicyOrigins } from './policy';
import type { RuntimeValues } from './public-address';
import { everyHeader, headersOfPart } from './request';
import { mediaType, type Site, type SiteFile, type SitePage, tagOf } from './site';

/** What other sites may show in theirs. */
const SHARED = ['cross-origin-resource-policy', 'cross-origin'] as const;

/** True when the client's copy is still right (RFC 9110, section 13.1.2). */
function isUnchanged(request: IncomingMessage, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return false;
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** An answer that was made once, in one encoding: names and values of its headers in turn, the last value being the request's id. */
type Form = { head: string[]; body: Buffer | string };

/** Bodies up to this length are kept as text of one byte a letter, which Node sends along with the head in one piece. */
const ONE_PIECE = 16 * 1024;

/** A page with a status: its forms by encoding, and the head that says that a client's copy is still right. */
type Prepared = { etag: string | null; unchanged: string[]; forms: Map<Encoding, Form> };

const asList = (headers: Record<string, string>): string[] => [
  ...Object.entries(headers).flat(),
  REQUEST_ID_HEADER,
  '',
];

/** Writes a head that was made once; only the request's id differs from one answer to the next. */
function writePrepared(request: IncomingMessage, response: ServerResponse, status: number, head: string[]): void {
  head[head.length - 1] = String(request.headers[REQUEST_ID_HEADER]);
  response.writeHead(status, head);
}

/** Keeps the forms of all pages, late scripts and sheets in memory, heads and all: a few hundred kilobytes. */
export class PageResponder {
  readonly #pages = new Map<string, Prepared>();
  readonly #late = new Map<string, Map<Encoding, Form>>();
  #changes: RuntimeValues = [];

  constructor(
    private readonly site: Site,
    private readonly origins: PolicyOrigins,
    private readonly isHttps: boolean,
  ) {}

  /** Answers a prerendered page with a status and its own policy. */
  send(request: IncomingMessage, response: ServerResponse, route: string, status: number): void {
    const page = this.site.pages.get(route);
    if (!page) throw new Error(`No prerendered page for ${route}`);
    const name = `${status} ${route}`;
    const prepared = this.#pages.get(name) ?? this.#prepare(route, page, status);
    this.#pages.set(name, prepared);
    if (prepared.etag !== null && isUnchanged(request, prepared.etag)) {
      writePrepared(request, response, 304, prepared.unchanged);
      response.end();
      return;
    }
    this.#answer(request, response, status, prepared.forms, () => [
      this.#current(page).html,
      this.#headersOf(route, page, status),
    ]);
  }

  /**
   * Changes texts of all pages from now on, beside what is known at the start. What was taken out of them stays as it is: its address
   * holds its hash, and the framework leaves attributes as it finds them in the page.
   */
  change(changes: RuntimeValues): void {
    this.#changes = changes;
    this.#pages.clear();
  }

  /** What the framework's own answers are to have in place of what they were built with. */
  get values(): RuntimeValues {
    return [...this.site.values, ...this.#changes];
  }

  /** The page as it is sent now, under a tag of its own where something of it is changed. */
  #current({ html, etag }: SitePage): { html: string; etag: string } {
    const now = this.#changes.reduce((text, [builtWith, value]) => text.replaceAll(builtWith, value), html);
    return { html: now, etag: now === html ? etag : tagOf(now) };
  }

  /** Answers with a script or a sheet that was taken out of pages; its name holds its hash. */
  sendLate(request: IncomingMessage, response: ServerResponse, path: string, text: string): void {
    const forms = this.#late.get(path) ?? new Map<Encoding, Form>();
    this.#late.set(path, forms);
    this.#answer(request, response, 200, forms, () => [
      text,
      {
        ...headersOfPart(this.isHttps),
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': mediaType(path),
      },
    ]);
  }

  #prepare(route: string, page: SitePage, status: number): Prepared {
    const { 'content-type': _type, ...unchanged } = this.#headersOf(route, page, status);
    const etag = status === 200 ? this.#current(page).etag : null;
    return { etag, unchanged: asList({ ...unchanged, ...encodingHeaders(null) }), forms: new Map() };
  }

  #headersOf(route: string, page: SitePage, status: number): Record<string, string> {
    // The older header knows no list of origins.
    const mayBeFramed = route === '/tools/Banner' || ancestorsOf(route, this.origins).length > 0;
    return {
      ...everyHeader(this.isHttps),
      'content-security-policy': contentSecurityPolicy(route, page.hashes, this.origins),
      ...(status === 200 ? pageCaching(this.site.release) : { 'cache-control': 'no-store' }),
      ...(mayBeFramed ? Object.fromEntries([SHARED]) : { 'x-frame-options': 'SAMEORIGIN' }),
      ...(status === 200 ? { etag: this.#current(page).etag } : {}),
      'content-type': 'text/html; charset=utf-8',
    };
  }

  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    forms: Map<Encoding, Form>,
    make: () => [text: string, headers: Record<string, string>],
  ): void {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const form = forms.get(encoding) ?? formOf(encoding, ...make());
    forms.set(encoding, form);
    writePrepared(request, response, status, form.head);
    if (request.method === 'HEAD') response.end();
    else response.end(form.body, 'latin1');
  }
}

function formOf(encoding: Encoding, text: string, headers: Record<string, string>): Form {
  const bytes = compressed(Buffer.from(text), encoding);
  const head = asList({ ...headers, 'content-length': String(bytes.length), ...encodingHeaders(encoding) });
  return { head, body: bytes.length > ONE_PIECE ? bytes : bytes.toString('latin1') };
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
    // What the whole answer would vary by, it says too (RFC 9110, section 15.4.5).
    response.writeHead(304, file.compressed ? encodingHeaders(null) : {}).end();
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
