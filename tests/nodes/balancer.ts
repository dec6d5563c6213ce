import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What stands in front of the nodes: passes each request to the one that is asked for, else to one that answers. */
export type Balancer = { url: string; stop(): Promise<void> };

/** Header by which a test names the node, by its number; what the last answer came by is told in it too. */
export const NODE = 'x-node';

/** Starts it on `port` for nodes on `ports`. As any balancer, it tries another node where one can't be reached, unless a node was named. */
export async function startBalancer(port: number, ports: readonly number[]): Promise<Balancer> {
  let turn = 0;
  const pass = (incoming: IncomingMessage, response: ServerResponse, body: Buffer, node: number, tries: number) => {
    const { [NODE]: named, ...headers } = incoming.headers;
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: ports[node],
        method: incoming.method,
        path: incoming.url,
        headers: { ...headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' },
        agent: false,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, [NODE]: String(node) });
        answer.pipe(response);
        answer.once('error', () => response.destroy());
      },
    );
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      // Nothing was sent to a node that refuses the connection: another may have it.
      if (error.code === 'ECONNREFUSED' && named === undefined && tries < ports.length) {
        pass(incoming, response, body, (node + 1) % ports.length, tries + 1);
      } else if (response.headersSent) response.destroy();
      else response.writeHead(502).end('no node');
    });
    outgoing.end(body);
  };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const named = incoming.headers[NODE];
      turn += 1;
      pass(incoming, response, Buffer.concat(chunks), named === undefined ? turn % ports.length : Number(named), 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  return {
    url: `http://localhost:${port}`,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
