import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseEncoding, compressedOnce, encodingHeaders } from './encoding';
import { replaceInFlight } from './flight';

/** What was not known when the pages were built: each text that stands for it, and what it is where they are served. */
export type RuntimeValues = readonly (readonly [builtWith: string, value: string])[];

/** The scripts by which a prerendered page brings its payload. */
const payloadScript = /<script>self\.__next_f\.push\((\[1,[\s\S]*?\])\)<\/script>/g;

/**
 * Pages are built once for whichever address they are served at: a prerendered page with the public address, and what else
 * is known only here, in its place. The payload within is one stream, cut into scripts anywhere, so it is put together.
 */
export function pageAt(html: string, values: RuntimeValues): string {
  const parts = [...html.matchAll(payloadScript)].map(([, call = '']) => String(JSON.parse(call)[1]));
  const payload = inFlight(Buffer.from(parts.join('')), values).toString('utf8');
  let isFirst = true;
  const joined = html.replace(payloadScript, () => {
    if (!isFirst) return '';
    isFirst = false;
    return `<script>self.__next_f.push(${inScript([1, payload])})</script>`;
  });
  return values.reduce((text, [builtWith, value]) => text.replaceAll(builtWith, value), joined);
}

function inFlight(payload: Buffer, values: RuntimeValues): Buffer {
  return values.reduce((bytes, [builtWith, value]) => replaceInFlight(bytes, builtWith, value), payload);
}

/** JSON that can't end its script element, as the framework writes it. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[&<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What of Next's answers is smaller when it is compressed, and from how many bytes on. */
const compressible = /^(text\/|application\/(json|xml|manifest\+json))/;
const WORTHWHILE = 1000;

/** The same for what Next answers: a page's payload, the sitemap and their like; compressed, as Next does not do that here. */
export function answerAt(request: IncomingMessage, response: ServerResponse, values: RuntimeValues): void {
  // The framework's tag is of the text before; without one the answer is always whole.
  delete request.headers['if-none-match'];
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? 'utf8' : undefined));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    response.statusCode = status;
    for (const [name, value] of Object.entries(Object(rest.at(-1)))) response.setHeader(name, String(value));
    return response;
  }) as ServerResponse['writeHead'];
  response.flushHeaders = () => undefined;
  response.write = ((chunk: unknown, encoding: unknown) => {
    keep(chunk, encoding);
    return true;
  }) as ServerResponse['write'];
  response.end = ((chunk: unknown, encoding: unknown) => {
    keep(chunk, encoding);
    const isFlight = String(response.getHeader('content-type')).startsWith('text/x-component');
    const whole = Buffer.concat(chunks);
    const body = isFlight ? inFlight(whole, values) : inText(whole, values);
    response.removeHeader('etag');
    for (const name of ['writeHead', 'flushHeaders', 'write', 'end'] as const) Reflect.deleteProperty(response, name);
    endWith(request, response, body).catch(() => response.destroy());
    return response;
  }) as ServerResponse['end'];
}

/** Ends an answer with its body, compressed where that is worth it and the client takes it. */
async function endWith(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  const mayShrink = body.length >= WORTHWHILE && compressible.test(String(response.getHeader('content-type')));
  const encoding = mayShrink ? chooseEncoding(request.headers['accept-encoding']) : null;
  if (mayShrink) {
    const { vary, ...headers } = encodingHeaders(encoding);
    response.appendHeader('vary', vary ?? '');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  }
  const sent = encoding ? await compressedOnce(body, encoding) : body;
  if (sent.length > 0) response.setHeader('content-length', sent.length);
  response.end(sent);
}

/** Pictures pass as they are: none of it is in them. */
function inText(bytes: Buffer, values: RuntimeValues): Buffer {
  return values.reduce(
    (text, [builtWith, value]) =>
      text.includes(builtWith) ? Buffer.from(text.toString('utf8').replaceAll(builtWith, value)) : text,
    bytes,
  );
}
