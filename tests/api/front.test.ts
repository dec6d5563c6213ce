import type { IncomingMessage, ServerResponse } from 'node:http';
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectionsFor } from '@/lib/cli/front/descriptors';
import { chooseEncoding } from '@/lib/cli/front/encoding';
import { headLimits } from '@/lib/cli/front/listen';
import { clientAddress, isFromThisComputer } from '@/lib/cli/front/request';
import { noProxies, parseProxies } from '@/lib/server/config/proxies';
import { dial, type Front, type Line, startFront } from '../support/front';

const BIG_BYTES = 64 * 1024 * 1024;
const upgrade = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
const post = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`;

let front: Front | undefined;
afterEach(async () => {
  await front?.stop();
  front = undefined;
});

/** What stands in for Next: reads a body, answers before one is read, or sends more than anybody takes at once. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/api/v1/early') {
    // A web stream between the request and its reader stops the flow when nobody reads on.
    request.once('data', () => request.pause());
    response.writeHead(413, { 'content-type': 'text/plain' }).end('too large');
    return;
  }
  if (request.url === '/api/v1/big') {
    response.writeHead(200, { 'content-length': BIG_BYTES });
    response.end(Buffer.alloc(BIG_BYTES));
    return;
  }
  if (request.url === '/api/v1/own') response.setHeader('content-security-policy', "default-src 'self'");
  for await (const _chunk of request);
  response.end('answered');
}

const ask = (port: number, path: string, options: http.RequestOptions = {}, body?: Buffer) =>
  new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const request = http.request({ port, host: '127.0.0.1', path, ...options }, async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    request.on('error', reject);
    request.end(body);
  });

describe('upgrades and tunnels', () => {
  it('are answered, and no connection of theirs stays open, whether the client waits or leaves', async () => {
    front = await startFront(answer);
    const lines = await Promise.all(
      Array.from({ length: 200 }, () => dial(front?.port ?? 0, upgrade('/_next/webpack-hmr'))),
    );
    for (const line of lines.slice(0, 20)) line.socket.destroy();
    await Promise.all(lines.map(({ closed }) => closed));
    expect(lines.at(-1)?.said()).toMatch(/^HTTP\/1\.1 400 /);
    await vi.waitFor(() => expect(front?.connections.size).toBe(0));
    const tunnel = await dial(front.port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
    await tunnel.closed;
    expect(tunnel.said()).toMatch(/^HTTP\/1\.1 405 /);
    expect((await ask(front.port, '/api/v1/x')).text).toBe('answered');
  });
});

describe('connections', () => {
  it('of one address are capped; the ones at rest go first, then the slowest, never the newcomer', async () => {
    front = await startFront(answer, { perAddress: 6 });
    const { port, connections } = front;
    const resting = await dial(port, 'GET /api/v1/rest HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await vi.waitFor(() => expect(resting.said()).toContain('answered'));
    const fast = await dial(port, post('/api/v1/x', 100_000_000));
    const feed = setInterval(() => fast.socket.write(Buffer.alloc(64 * 1024)), 5);
    const slow = await Promise.all(Array.from({ length: 4 }, () => dial(port, post('/api/v1/x', 1000))));
    await vi.waitFor(() => expect(connections.size).toBe(6));
    await wait(100);
    expect((await ask(port, '/api/v1/x', { agent: false })).text).toBe('answered');
    await resting.closed;
    const more = await Promise.all(Array.from({ length: 8 }, () => dial(port, post('/api/v1/x', 1000))));
    await Promise.all(slow.map(({ closed }) => closed));
    expect(connections.size).toBeLessThanOrEqual(6);
    expect(fast.isClosed()).toBe(false);
    expect(more.at(-1)?.isClosed()).toBe(false);
    clearInterval(feed);
  });

  it('of a trusted proxy are capped in all only', async () => {
    front = await startFront(answer, { perAddress: 4, total: 20 }, parseProxies('127.0.0.0/8') ?? noProxies);
    const lines: Line[] = [];
    for (let count = 0; count < 30; count += 1) lines.push(await dial(front.port));
    await expect.poll(() => lines.filter((line) => !line.isClosed()).length, { timeout: 20_000 }).toBe(20);
  });

  it('leave descriptors for files', () => {
    expect(connectionsFor(1024)).toBe(448);
    expect(connectionsFor(20)).toBe(16);
    expect(connectionsFor(Number.POSITIVE_INFINITY)).toBe(10_000);
  });
});

describe('what stalls', () => {
  const stall = { windowMs: 400, minBytes: 1024 };

  it('is looked for in a time that Node takes, whatever the window', () => {
    for (const seconds of [1, 5, 7, 10, 30, 600]) {
      const server = http.createServer(headLimits(seconds * 1000));
      expect(server.listening).toBe(false);
    }
  });

  it('is ended while it sends its head, with an answer', async () => {
    front = await startFront(answer, { stall });
    const line = await dial(front.port, 'GET /api/v1/x HTTP/1.1\r\nHost: local');
    const drip = setInterval(() => line.socket.write('h'), 50);
    await line.closed;
    clearInterval(drip);
    expect(line.said()).toMatch(/^HTTP\/1\.1 408 [\s\S]*content-security-policy: default-src 'none'/);
    const silent = await dial(front.port);
    await silent.closed;
  });

  it('is ended while it sends its body', async () => {
    front = await startFront(answer, { stall });
    const line = await dial(front.port, post('/api/v1/x', 100_000));
    const drip = setInterval(() => line.socket.write('x'), 50);
    await line.closed;
    clearInterval(drip);
    expect(line.said()).toMatch(
      /^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*\{"success":"10408","msg":"Nothing arrived for/,
    );
  });

  it('is ended while it takes its answer; who goes on reading gets it whole', async () => {
    front = await startFront(answer, { stall });
    const stuck = await dial(front.port, 'GET /api/v1/big HTTP/1.1\r\nHost: localhost\r\n\r\n');
    stuck.socket.pause();
    const taken = http.get({ port: front.port, host: '127.0.0.1', path: '/api/v1/big', agent: false });
    const received = new Promise<number>((resolve, reject) => {
      taken.on('response', async (response) => {
        let bytes = 0;
        response.on('error', reject);
        for await (const chunk of response) {
          bytes += (chunk as Buffer).length;
          if (bytes % (8 * 1024 * 1024) < (chunk as Buffer).length) await wait(150);
        }
        resolve(bytes);
      });
    });
    expect(await received).toBe(BIG_BYTES);
    await vi.waitFor(() => expect(front?.connections.size).toBe(0), { timeout: 10_000 });
    stuck.socket.destroy();
  });
});

describe('an answer that comes before its body was read', () => {
  it('arrives whole, closes its connection, and leaves nothing in the way of the next request', async () => {
    front = await startFront(answer);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; count < 3; count += 1) {
      const early = await ask(front.port, '/api/v1/early', { method: 'POST', agent }, Buffer.alloc(4_000_000));
      expect(early).toMatchObject({ status: 413, text: 'too large', headers: { connection: 'close' } });
      expect((await ask(front.port, '/api/v1/x', { agent })).text).toBe('answered');
    }
    agent.destroy();
  });

  it('does not wait for ever for the rest of a body', async () => {
    front = await startFront(answer);
    const line = await dial(front.port, `${post('/api/v1/early', 1_000_000)}${'x'.repeat(1000)}`);
    await vi.waitFor(() => expect(line.said()).toContain('too large'));
    await vi.waitFor(() => expect(front?.connections.size).toBe(0), { timeout: 30_000 });
    line.socket.destroy();
  });

  it('keeps the connection of a request whose body was read', async () => {
    front = await startFront(answer);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const read = await ask(front.port, '/api/v1/x', { method: 'POST', agent }, Buffer.alloc(100_000));
    expect(read).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } });
    agent.destroy();
  });
});

describe('hostile requests', () => {
  it.each([
    ['TRACE', '/api/v1/health', 405],
    ['PROPFIND', '/api/v1/health', 405],
    ['TRACE', '/', 405],
    ['GET', '/api/v1/pay%2finfo', 400],
    ['GET', '/api/v1/pay%5Cinfo', 400],
    ['GET', '/api/v1/pay/info/%00', 400],
    ['GET', '/%61pi/v1/health', 400],
    ['GET', '/api/v1/%ff', 400],
    ['GET', `/api/v1/${'x'.repeat(9000)}`, 400],
    ['GET', '/%00', 400],
  ])('%s %s is answered %d, with the policy headers', async (method, path, status) => {
    front = await startFront(answer);
    const refused = await ask(front.port, path, { method });
    expect(refused.status).toBe(status);
    expect(refused.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    expect(refused.headers['permissions-policy']).toBeDefined();
    expect(refused.headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(refused.headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  it('says in the envelope that an address of the API is none', async () => {
    front = await startFront(answer);
    for (const path of ['/api/v1/pay/info/%00', '/api/v1/%ff', `/api/v1/${'x'.repeat(9000)}`]) {
      const refused = await ask(front.port, path, {});
      expect(refused.headers['content-type']).toContain('application/json');
      expect(JSON.parse(refused.text)).toEqual({ success: '10400', msg: expect.stringMatching(/\w/), obj: null });
    }
  });

  it('an answer under /api keeps a policy of its own', async () => {
    front = await startFront(answer);
    const own = await ask(front.port, '/api/v1/own');
    expect(own.headers['content-security-policy']).toBe("default-src 'self'");
    expect((await ask(front.port, '/api/v1/x')).headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('what is no HTTP at all is answered in words and ended', async () => {
    front = await startFront(answer);
    const line = await dial(front.port, '\x16\x03\x01 not a request\r\n\r\n');
    await line.closed;
    expect(line.said()).toMatch(/^HTTP\/1\.1 400 [\s\S]*This request is malformed\.$/);
    const large = await dial(front.port, `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`);
    await large.closed;
    expect(large.said()).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('who asks', () => {
  const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
    ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;
  const local = parseProxies('127.0.0.1, 10.0.0.0/8') ?? noProxies;
  const anyone = parseProxies('1') ?? noProxies;

  it.each([
    ['127.0.0.1', {}, noProxies, true],
    ['::ffff:127.0.0.1', {}, noProxies, true],
    ['::1', {}, noProxies, true],
    ['203.0.113.7', {}, noProxies, false],
    ['203.0.113.7', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }, noProxies, false],
    ['203.0.113.7', { 'x-forwarded-for': '127.0.0.1' }, anyone, false],
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, noProxies, false],
    ['127.0.0.1', { 'x-forwarded-for': '203.0.113.7' }, local, false],
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, local, true],
    ['127.0.0.1', { via: '1.1 proxy' }, noProxies, false],
  ] as const)('%s with %o', (address, headers, proxies, isLocal) => {
    expect(isFromThisComputer(from(address, headers), proxies)).toBe(isLocal);
  });

  it.each([
    ['203.0.113.7', '198.51.100.1', noProxies, '203.0.113.7'],
    ['203.0.113.7', '198.51.100.1', anyone, '198.51.100.1'],
    ['203.0.113.7', '198.51.100.1', local, '203.0.113.7'],
    ['127.0.0.1', '192.0.2.9, 198.51.100.1', anyone, '198.51.100.1'],
    ['127.0.0.1', '192.0.2.9, 198.51.100.1, 10.1.2.3', local, '198.51.100.1'],
    ['127.0.0.1', 'nonsense<script>', local, '127.0.0.1'],
    ['127.0.0.1', '', local, '127.0.0.1'],
  ] as const)('the client of %s forwarding %s', (address, forwarded, proxies, client) => {
    expect(clientAddress(from(address, { 'x-forwarded-for': forwarded }), proxies)).toBe(client);
  });

  it('proxies are named as addresses and networks', () => {
    for (const text of ['maybe', '10.0.0.0/33', '10.0.0.0/', 'example.com', '10.0.0.1/8/8']) {
      expect(parseProxies(text)).toBeNull();
    }
    expect(parseProxies('0')?.trust('127.0.0.1')).toBe(false);
    expect(parseProxies('fd00::/8 192.0.2.1')?.trust('fd00::7')).toBe(true);
  });
});

describe('a request that names two hosts', () => {
  it.each([
    ['/api/v1/own', /"success":"10400"/],
    ['/', /more than one host/],
  ])('is refused at %s, however the names are spelled', async (path, words) => {
    front = await startFront(answer);
    const line = await dial(
      front.port,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nhOST: elsewhere.example\r\nConnection: close\r\n\r\n`,
    );
    await line.closed;
    expect(line.said()).toMatch(/^HTTP\/1\.1 400 /);
    expect(line.said()).toMatch(words);
  });
});

it('chooses an encoding the client takes', () => {
  expect(chooseEncoding('gzip, deflate, br')).toBe('br');
  expect(chooseEncoding('gzip;q=1, br;q=0')).toBe('gz');
  expect(chooseEncoding('identity')).toBeNull();
  expect(chooseEncoding(undefined)).toBeNull();
});
