import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { answerAt } from '@/lib/cli/front/public-address';

const BUILT_WITH = 'http://built.invalid';
const address = 'https://shop.example.com';
const line = `0:{"a":"${BUILT_WITH}/faq"}\n`;

let server: http.Server | undefined;
afterEach(() => server?.close());

/** Starts a server that answers as the framework does, and asks it once. */
async function ask(type: string, body: string, headers: http.OutgoingHttpHeaders, method = 'GET') {
  server = http.createServer((request, response) => {
    answerAt(request, response, [[BUILT_WITH, address]]);
    response.writeHead(200, { 'content-type': type, vary: 'rsc' });
    response.write(body.slice(0, 40));
    response.end(method === 'HEAD' ? undefined : body.slice(40));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise<{ headers: http.IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const request = http.request({ port, host: '127.0.0.1', method, headers }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      resolve({ headers: response.headers, bytes: Buffer.concat(parts) });
    });
    request.on('error', reject).end();
  });
}

describe('what the framework answers for a move within the app', () => {
  const long = line.repeat(100);
  const whole = long.replaceAll(BUILT_WITH, address);

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is sent in %s with the public address in it', async (encoding, unpack) => {
    const { headers, bytes } = await ask('text/x-component', long, { 'accept-encoding': encoding });
    expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(bytes.length) });
    expect(headers.vary).toBe('rsc, Accept-Encoding');
    expect(unpack(bytes).toString()).toBe(whole);
    expect(bytes.length).toBeLessThan(whole.length / 5);
  });

  it('is sent as it is to those who take no encoding, and so is what would not shrink', async () => {
    const plain = await ask('text/x-component', long, {});
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'rsc, Accept-Encoding']);
    expect(plain.bytes.toString()).toBe(whole);
    server?.close();
    const short = await ask('text/x-component', line.repeat(2), { 'accept-encoding': 'gzip' });
    expect(short.headers['content-encoding']).toBeUndefined();
    server?.close();
    const picture = await ask('image/png', 'x'.repeat(5000), { 'accept-encoding': 'gzip' });
    expect([picture.headers['content-encoding'], picture.bytes.length]).toEqual([undefined, 5000]);
  });
});
