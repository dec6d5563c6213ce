import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type ConnectionLimits, Connections } from '@/lib/cli/front/connections';
import { handle } from '@/lib/cli/front/handle';
import { headLimits } from '@/lib/cli/front/listen';
import { FrontMetrics } from '@/lib/cli/front/metrics';
import { answerRefusedConnections } from '@/lib/cli/front/raw-answers';
import { PageResponder } from '@/lib/cli/front/respond';
import type { Site } from '@/lib/cli/front/site';
import { noProxies, type Proxies } from '@/lib/server/config/proxies';
import type { Measures } from '@/lib/server/operations/measure';

/** A front without a built site; what Next or the API would answer is answered by `next`. */
export type Front = { port: number; connections: Connections; stop(): Promise<void> };

/** What the domain would tell. */
const measures: Measures = {
  queue: [{ lane: 'quick', waiting: 3, running: 1, dead: 0, oldestSeconds: 7 }],
  verdicts: [{ format: 'pdf', verdict: 'repaired', repairs: 5 }],
  mails: { queued: 0, failed: 2 },
  disk: { freeBytes: 1000, totalBytes: 5000 },
  pool: { open: 2, idle: 1, waiting: 0 },
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const emptySite: Site = {
  distDir: '',
  release: 'test',
  values: [],
  pages: new Map(),
  files: new Map(),
  lateFiles: new Map(),
  metadata: new Set(),
};
const noOrigins = {
  frame: [],
  connect: [],
  image: [],
  bannerAncestors: [],
  checkoutAncestors: [],
  checkout: { script: [], frame: [], connect: [], image: [] },
};

/** Starts the front with a server of its own on loopback. */
export async function startFront(
  next: Answer,
  limits: Partial<ConnectionLimits> = {},
  proxies: Proxies = noProxies,
  token?: string,
): Promise<Front> {
  const stall = limits.stall ?? { windowMs: 30_000, minBytes: 1024 };
  const connections = new Connections({
    total: 1000,
    perAddress: 256,
    isShared: (address) => proxies.trust(address),
    ...limits,
    stall,
  });
  const parts = {
    site: emptySite,
    pages: new PageResponder(emptySite, noOrigins, false),
    next: async (request: IncomingMessage, response: ServerResponse) => next(request, response),
    api: async (request: IncomingMessage, response: ServerResponse) => next(request, response),
    connections,
    metrics: new FrontMetrics(async () => measures, connections, token),
    stall,
    proxies,
    isHttps: false,
  };
  const server = createServer(headLimits(stall.windowMs), (request, response) => {
    handle(request, response, parts)?.catch(() => response.destroy());
  });
  connections.watch(server);
  answerRefusedConnections(server, false);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        connections.endAll();
      }),
  };
}

/** A connection by hand: what came back so far, and whether the other side ended it. */
export type Line = { socket: Socket; said: () => string; closed: Promise<void>; isClosed: () => boolean };

/** Connects and sends `text`. */
export async function dial(port: number, text = ''): Promise<Line> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false });
  let said = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    said += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  await new Promise<void>((resolve) => {
    socket.once('connect', () => resolve());
    socket.once('close', () => resolve());
  });
  if (text !== '') socket.write(text);
  return { socket, said: () => said, closed, isClosed: () => isClosed };
}
