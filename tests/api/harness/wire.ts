import http, { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { serveApi } from '@/lib/cli/front/api';

/** Sends requests as clients do: over a connection, to the server in front. */
export type Wire = { send(request: Request): Promise<Response>; stop(): Promise<void> };

/** Starts the part of the server in front that answers the API, on a port of its own. */
export async function startWire(): Promise<Wire> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    serveApi(request, response, decodeURIComponent(path)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  return {
    send: (request) => sendOver(port, request),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendOver(port: number, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(request.headers);
    if (request.body) {
      // A body in chunks claims no length beside them (RFC 9112, section 6.2): one that does is no request, and is refused as such.
      delete headers['content-length'];
      headers['transfer-encoding'] = 'chunked';
    }
    const sent = http.request(
      { host: '127.0.0.1', port, method: request.method, path: pathname + search, headers, agent: false },
      (answer) => {
        const made = new Headers();
        for (let at = 0; at < answer.rawHeaders.length; at += 2) {
          made.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '');
        }
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const status = answer.statusCode ?? 0;
          const isBodyless = request.method === 'HEAD' || status === 204 || status === 304;
          resolve(new Response(isBodyless ? null : Buffer.concat(chunks), { status, headers: made }));
        });
      },
    );
    sent.on('error', reject);
    if (!request.body) {
      sent.end();
      return;
    }
    // A body that breaks off takes the connection with it; nobody is left to see an answer.
    pipeline(Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0]), sent, () => undefined);
  });
}
