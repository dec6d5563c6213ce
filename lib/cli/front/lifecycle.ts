import type { Server } from 'node:http';
import { logError, logInfo } from '../../server/base/log';
import { inPlainWords } from '../../server/base/start-error';

/** Longest time between the signal and the end of the process. */
const PATIENCE_MS = 9_500;

/**
 * Whoever reads the log may end, and the disk that it is written to may be full. The process goes on without it: left to itself the error of
 * writing a line would be written as a line, for ever.
 */
export function outliveTheLog(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Says an error of the start in one sentence, with what to do; only an unforeseen one shows where it came from. */
export function sayPlainly(error: unknown): void {
  const plain = inPlainWords(error);
  const isPlain = plain instanceof Error && plain.name === 'StartError';
  if (process.env.LOG_FORMAT === 'json' || !isPlain) {
    logError('start', isPlain ? plain.message : 'The start failed.', isPlain ? undefined : error);
  } else process.stderr.write(`${plain.message}\n`);
}

/** Ctrl-C or a stop signal: no new requests, the running ones and the job end or are handed back, then exit. */
export function stopOnSignals({
  servers,
  connections,
  runtime,
}: {
  servers: readonly Server[];
  connections: { endAll(): void };
  runtime: { stop(): Promise<void> };
}): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    logInfo('stop', 'Stopping …');
    setTimeout(() => process.exit(0), PATIENCE_MS).unref();
    const closed = Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
    for (const server of servers) server.closeIdleConnections();
    // What is still running after two thirds of the patience is cut, so that the database can close in order.
    setTimeout(() => connections.endAll(), PATIENCE_MS * 0.6).unref();
    closed
      .then(() => runtime.stop())
      .catch((error: unknown) => logError('stop', 'The server did not stop in order.', error))
      .finally(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
