import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long, and how much, is still read from a client that was answered before it had sent everything. */
const LINGER_MS = 5_000;
const LINGER_BYTES = 16 * 1024 * 1024;

/** True for a request that brings a body (RFC 9112, section 6). */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
}

/**
 * Closes the connection after an answer that came before its body was read: what is left of the body would stand in
 * the way of the next request, which behind a proxy is another visitor's. The close is a lingering one (RFC 9112,
 * section 9.6): what still comes is read and dropped for a while, as a reset would take the answer with it.
 */
export function closeAfterEarlyAnswer(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  // Kept here: a request whose body somebody gave up reading has no socket any more.
  const { socket } = request;
  beforeHead(response, () => {
    if (request.complete) return;
    response.setHeader('connection', 'close');
    // Node calls this when an answer that closes its connection has gone out.
    socket.destroySoon = () => linger(request, socket);
  });
}

/** Calls `act` once, just before the head of a response goes out, when its headers may still be set. */
export function beforeHead(response: ServerResponse, act: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...parts: unknown[]) => ServerResponse;
  response.writeHead = (...parts: unknown[]) => {
    response.writeHead = writeHead;
    act();
    return writeHead(...parts);
  };
}

function linger(request: IncomingMessage, socket: Socket): void {
  const before = socket.bytesRead;
  const end = (): void => {
    socket.destroy();
  };
  const timer = setTimeout(end, LINGER_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', end);
  request.once('end', end);
  request.removeAllListeners('data');
  request.removeAllListeners('readable');
  request.on('data', () => {
    if (socket.bytesRead - before > LINGER_BYTES) end();
  });
  request.resume();
  socket.end();
}
