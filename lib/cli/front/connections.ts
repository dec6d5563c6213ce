import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from '../../server/base/client-network';
import type { StallLimits } from './stall-guard';

/** How many connections may be open, and how slowly they may take what is sent to them. */
export type ConnectionLimits = {
  /** All together. */
  total: number;
  /** Those of one client: an IPv4 address, or a /64 network of IPv6. */
  perAddress: number;
  /** True for an address that many clients share, as a trusted proxy's. */
  isShared: (address: string) => boolean;
  stall: StallLimits;
};

type Connection = {
  socket: Socket;
  network: string;
  /** When the running request began, or when the last one ended; milliseconds of the process's clock. */
  since: number;
  /** Bytes in both directions at `since`. */
  movedBefore: number;
  /** The answer that is being waited for or sent. */
  running: ServerResponse | null;
  /** True between requests; a connection whose first request is still to come has not rested yet. */
  isResting: boolean;
  /** What a reader has taken since it last began to owe us something. */
  reading: { since: number; taken: number } | null;
};

/** So long a connection is not compared with those that have been busy for longer. */
const GRACE_MS = 1000;

/** Checks of readers in each window of the stall limits. */
const SWEEPS_PER_WINDOW = 4;

/** One connection in so many is ended at once when there are too many in all, so that a flood costs one look at each. */
const TOTAL_SHARE = 64;

/** What libuv knows of a stream beyond Node's own figures, which count a write as a whole. */
type StreamHandle = { bytesWritten?: number; writeQueueSize?: number };

/** Bytes that wait to be taken by the other side, and those that were. */
function writingOf(socket: Socket): { waiting: number; taken: number } {
  const { _handle: handle } = socket as unknown as { _handle?: StreamHandle | null };
  if (handle?.bytesWritten !== undefined && handle.writeQueueSize !== undefined) {
    return { waiting: handle.writeQueueSize, taken: handle.bytesWritten - handle.writeQueueSize };
  }
  return { waiting: socket.writableLength, taken: socket.bytesWritten - socket.writableLength };
}

function movedOver(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten;
}

/**
 * Every connection of the server: counted, capped, and ended when its reader stalls. Where a cap is passed the slowest
 * make room for the newcomer: first the ones that rest between requests, then those that moved the fewest bytes a
 * second, those that only just came last. So somebody who holds hundreds open ends their own.
 */
export class Connections {
  readonly #all = new Set<Connection>();
  readonly #byNetwork = new Map<string, Set<Connection>>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#sweeper = setInterval(() => this.sweep(), limits.stall.windowMs / SWEEPS_PER_WINDOW);
    this.#sweeper.unref();
  }

  /** Connections that are open. */
  get size(): number {
    return this.#all.size;
  }

  /** Owns the connections that a server accepts from now on. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#accept(socket));
  }

  /** Says which request a connection is busy with, so that it isn't taken for one that rests. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#bySocket.get(request.socket);
    if (!connection) return;
    this.#mark(connection, response);
    response.once('close', () => {
      if (connection.running === response) this.#mark(connection, null);
    });
  }

  /** Ends connections whose reader took less than the limit in a whole window, though there was something to take. */
  sweep(): void {
    const { windowMs, minBytes } = this.limits.stall;
    const now = this.now();
    for (const connection of this.#all) {
      const { waiting, taken } = writingOf(connection.socket);
      if (waiting === 0) connection.reading = null;
      else if (!connection.reading) connection.reading = { since: now, taken };
      else if (now - connection.reading.since >= windowMs) {
        if (taken - connection.reading.taken < minBytes) connection.socket.destroy();
        else connection.reading = { since: now, taken };
      }
    }
  }

  /** Ends all of them at once. */
  endAll(): void {
    clearInterval(this.#sweeper);
    for (const { socket } of this.#all) socket.destroy();
  }

  #mark(connection: Connection, running: Connection['running']): void {
    connection.running = running;
    connection.isResting = running === null;
    connection.since = this.now();
    connection.movedBefore = movedOver(connection.socket);
  }

  #accept(socket: Socket): void {
    // An upgraded connection has lost the server's own listeners: an error without one would end the process.
    socket.on('error', () => undefined);
    const address = socket.remoteAddress;
    if (!address) {
      socket.destroy();
      return;
    }
    const network = clientNetwork(address);
    const connection: Connection = {
      socket,
      network,
      since: this.now(),
      movedBefore: 0,
      running: null,
      isResting: false,
      reading: null,
    };
    const neighbours = this.#byNetwork.get(network) ?? new Set();
    if (neighbours.size >= this.limits.perAddress && !this.limits.isShared(address)) this.#endSlowest(neighbours, 1);
    if (this.#all.size >= this.limits.total) {
      this.#endSlowest(this.#all, Math.max(1, Math.floor(this.limits.total / TOTAL_SHARE)));
    }
    this.#byNetwork.set(network, neighbours.add(connection));
    this.#all.add(connection);
    this.#bySocket.set(socket, connection);
    socket.once('close', () => this.#forget(connection));
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    const neighbours = this.#byNetwork.get(connection.network);
    neighbours?.delete(connection);
    if (neighbours?.size === 0) this.#byNetwork.delete(connection.network);
  }

  #endSlowest(connections: ReadonlySet<Connection>, count: number): void {
    const now = this.now();
    const ranked = [...connections].map((connection) => {
      const age = Math.max(1, now - connection.since);
      // Who has just come has had no time to be fast.
      const rank = connection.isResting ? 0 : age < GRACE_MS ? 2 : 1;
      const bytesPerMs = (movedOver(connection.socket) - connection.movedBefore) / age;
      return { connection, rank, worth: connection.isResting ? -age : bytesPerMs };
    });
    ranked.sort((a, b) => a.rank - b.rank || a.worth - b.worth);
    for (const { connection } of ranked.slice(0, count)) {
      // Forgotten here and not at `close`, which comes later: a flood must not outrun the count.
      this.#forget(connection);
      connection.socket.destroy();
    }
  }
}
