import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal } from '../../contract/answer';
import { refusals } from '../../contract/errors';
import { hasBody } from './early-answer';

/** How long a body may rest, and how much must come in that time, in milliseconds and bytes. */
export type StallLimits = { windowMs: number; minBytes: number };

/**
 * Ends requests whose body stalls or drips. There is no limit on the whole time of an upload, so a slow line may send
 * for an hour, but it has to send.
 */
export function guardBody(request: IncomingMessage, response: ServerResponse, limits: StallLimits): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete) {
      clearInterval(timer);
      return;
    }
    // A server that does not read (backpressure) must not be taken for a client that does not send.
    const isWaitingForUs = socket.readableLength > 0 || request.readableLength > 0;
    const moved = socket.bytesRead - seen;
    seen = socket.bytesRead;
    if (isWaitingForUs || moved >= limits.minBytes) return;
    clearInterval(timer);
    // Bodies come to the API alone, whose every answer is an envelope (lib/contract/README.md, 40).
    if (!response.headersSent) {
      const { status } = refusals.stalled;
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
      response.end(JSON.stringify(refusal('stalled')));
    }
    socket.destroySoon();
  }, limits.windowMs);
  timer.unref();
  response.once('close', () => clearInterval(timer));
}
