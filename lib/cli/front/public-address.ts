import type { IncomingMessage, ServerResponse } from 'node:http';
import { UNKNOWN_ORIGIN } from '../../seo/site';
import { replaceInFlight } from './flight';

/** The scripts by which a prerendered page brings its payload. */
const payloadScript = /<script>self\.__next_f\.push\((\[1,[\s\S]*?\])\)<\/script>/g;

/**
 * Pages are built once for whichever address they are served at: a prerendered page with the public address in the
 * place of the one that no page has. The payload within is one stream, cut into scripts anywhere, so it is put together.
 */
export function pageAt(html: string, origin: string): string {
  const parts = [...html.matchAll(payloadScript)].map(([, call = '']) => String(JSON.parse(call)[1]));
  const payload = replaceInFlight(Buffer.from(parts.join('')), UNKNOWN_ORIGIN, origin).toString('utf8');
  let isFirst = true;
  const joined = html.replace(payloadScript, () => {
    if (!isFirst) return '';
    isFirst = false;
    return `<script>self.__next_f.push(${inScript([1, payload])})</script>`;
  });
  return joined.replaceAll(UNKNOWN_ORIGIN, origin);
}

/** JSON that can't end its script element, as the framework writes it. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[&<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Has what Next answers for a page's payload, the sitemap and their like name the public address. */
export function answerAt(request: IncomingMessage, response: ServerResponse, origin: string): void {
  // The framework's tag is of the text before; without one the answer is always whole.
  delete request.headers['if-none-match'];
  const chunks: Buffer[] = [];
  const { end } = response;
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
    const body = isFlight ? replaceInFlight(whole, UNKNOWN_ORIGIN, origin) : replaceInText(whole, origin);
    response.removeHeader('etag');
    if (body.length > 0) response.setHeader('content-length', body.length);
    for (const name of ['writeHead', 'flushHeaders', 'write', 'end'] as const) Reflect.deleteProperty(response, name);
    return end.call(response, body, 'utf8');
  }) as ServerResponse['end'];
}

/** Pictures pass as they are: the address that no page has is not in them. */
function replaceInText(bytes: Buffer, origin: string): Buffer {
  return bytes.includes(UNKNOWN_ORIGIN)
    ? Buffer.from(bytes.toString('utf8').replaceAll(UNKNOWN_ORIGIN, origin))
    : bytes;
}
