import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What a line of the log belongs to: the request that caused it, the caller's network (never the address), and the job where one is
 * being done. A job carries on the id of the request that made it.
 */
export type Trace = { requestId?: string | undefined; network?: string | undefined; jobId?: string | undefined };

/** The server in front and the routes are two bundles of one process; the trace goes through both. */
const slot = Symbol.for('mendara.trace');
const shared = globalThis as { [slot]?: AsyncLocalStorage<Trace> };

function storage(): AsyncLocalStorage<Trace> {
  shared[slot] ??= new AsyncLocalStorage<Trace>();
  return shared[slot];
}

/** Runs `work` with a trace of its own; what it does not name is that of the trace around it. */
export function traced<T>(trace: Trace, work: () => T): T {
  return storage().run({ ...currentTrace(), ...trace }, work);
}

/** The trace that this code runs in; empty outside of requests and jobs. */
export function currentTrace(): Trace {
  return storage().getStore() ?? {};
}

/** Header that carries the id of a request, from the server in front to the routes and back to the client. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** An id as it is taken over from a trusted proxy. */
const requestId = /^[A-Za-z0-9._-]{8,64}$/;

/** The id, when it looks like one: what is written into the log must not be able to forge lines of it. */
export function asRequestId(value: unknown): string | undefined {
  return typeof value === 'string' && requestId.test(value) ? value : undefined;
}
