import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** The same for what Next answers: a page's payload, the sitemap and their like. */
export function answerAt(request: IncomingMessage, response: ServerResponse, values: RuntimeValues): void {
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
    const body = isFlight ? inFlight(whole, values) : inText(whole, values);
    response.removeHeader('etag');
    if (body.length > 0) response.setHeader('content-length', body.length);
    for (const name of ['writeHead', 'flushHeaders', 'write', 'end'] as const) Reflect.deleteProperty(response, name);
    return end.call(response, body, 'utf8');
  }) as ServerResponse['end'];
}

/** Pictures pass as they are: none of it is in them. */
function inText(bytes: Buffer, values: RuntimeValues): Buffer {
  return values.reduce(
    (text, [builtWith, value]) =>
      text.includes(builtWith) ? Buffer.from(text.toString('utf8').replaceAll(builtWith, value)) : text,
    bytes,
  );
}
