import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { everyHeader, setSecurityHeaders } from './request';

const statusOfError: Record<string, number | undefined> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const wordsOfStatus: Record<number, string> = {
  408: 'The request did not come in time.',
  413: 'This is larger than what can be sent here.',
  431: 'The head of this request is too large.',
};

/** A whole answer as it goes over the wire, for a connection that has no response object, and ends with it. */
function rawAnswer(status: number, words: string, isHttps: boolean): string {
  const headers = {
    ...everyHeader(isHttps),
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(words)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', words].join('\r\n');
}

function answerAndEnd(socket: Duplex, text: string): void {
  if (socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(text, () => socket.destroy());
}

/**
 * Answers what never becomes a request: upgrades and tunnels, which this server has none of (RFC 9110, section 7.8 lets
 * it refuse), and heads that cannot be read or do not come. Each connection is closed with its answer.
 */
export function answerRefusedConnections(server: Server, isHttps: boolean): void {
  server.on('upgrade', (_request, socket: Duplex) => {
    answerAndEnd(socket, rawAnswer(400, 'This server does not switch protocols.', isHttps));
  });
  server.on('connect', (_request, socket: Duplex) => {
    answerAndEnd(socket, rawAnswer(405, 'This server is no proxy.', isHttps));
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    setSecurityHeaders(response, isHttps);
    response.writeHead(417, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end('This server meets no expectation but 100-continue.');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = statusOfError[error.code ?? ''] ?? 400;
    answerAndEnd(socket, rawAnswer(status, wordsOfStatus[status] ?? 'This request is malformed.', isHttps));
  });
}
