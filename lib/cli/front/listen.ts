import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';

/** Addresses to listen on: both loopback addresses for `localhost`, since browsers and tools differ in which they try. */
async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host];
  const found = await lookup('localhost', { all: true }).catch(() => []);
  return [...new Set(['127.0.0.1', ...found.map(({ address }) => address)])];
}

function start(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

/** Longest time that the head of a request may take, in milliseconds, how often that is looked at, and none for the whole request. */
export type HeadLimits = { headersTimeout: number; connectionsCheckingInterval: number; requestTimeout: 0 };

/** A head has to come in the time that a body has to move on in. */
export function headLimits(windowMs: number): HeadLimits {
  // Uploads have stall limits of their own instead of a limit on the whole request.
  return {
    headersTimeout: windowMs,
    connectionsCheckingInterval: Math.max(250, Math.ceil(windowMs / 6)),
    requestTimeout: 0,
  };
}

/**
 * Listens on every address of a host; an address family that this machine lacks is left out. `create` makes a server
 * with {@link headLimits}.
 */
export async function listen(create: () => Server, host: string, port: number): Promise<Server[]> {
  const servers: Server[] = [];
  for (const address of await addressesOf(host)) {
    const server = create();
    server.keepAliveTimeout = 10_000;
    server.maxHeadersCount = 100;
    try {
      await start(server, port, address);
      servers.push(server);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') throw error;
    }
  }
  return servers;
}
