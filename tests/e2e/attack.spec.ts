import http from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from '@playwright/test';
import { hostileRequest, seeded, tryOut } from '../support/hostile-requests';
import { newFolder, removeFolder, startSite, stopAllSites, untilUp } from '../support/process';

const PORT = 3406;
const AT_ONCE = 40;
const upgrade =
  'GET /_next/webpack-hmr HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n\r\n';

test.describe.configure({ mode: 'serial' });
test.afterEach(stopAllSites);

test('hostile requests get an answer without a fault of ours, under the policy; upgrades leave nothing behind', async () => {
  test.setTimeout(180_000);
  const folder = newFolder();
  const site = startSite(PORT, folder);
  await untilUp(site);

  const random = seeded(20_261_122);
  for (let sent = 0; sent < 2_000; sent += AT_ONCE) {
    const tried = await Promise.all(Array.from({ length: AT_ONCE }, () => tryOut(PORT, hostileRequest(random))));
    for (const { bytes, status, head } of tried) {
      const request = JSON.stringify(bytes.subarray(0, 300).toString('latin1'));
      expect(status, request).toBeGreaterThanOrEqual(200);
      expect(status, request).toBeLessThan(500);
      expect(head, request).toMatch(/^content-security-policy: /im);
      expect(head, request).toMatch(/^x-content-type-options: nosniff\r?$/im);
    }
  }

  for (let sent = 0; sent < 1_000; sent += AT_ONCE) {
    const refused = await Promise.all(Array.from({ length: AT_ONCE }, () => tryOut(PORT, Buffer.from(upgrade))));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([400]));
  }
  // Half of these leave before the answer, half wait for it and never close.
  for (let count = 0; count < 100; count += 1) {
    const socket = connect({ port: PORT, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    socket.write(upgrade, () => count % 2 === 0 && socket.destroy());
  }
  expect((await fetch(`${site.url}/api/v1/health`)).status).toBe(200);
  site.process.kill('SIGINT');
  expect(await site.exited).toMatchObject({ code: 0 });
  expect(site.output()).toContain('The database is closed.');
  removeFolder(folder);
});

test('a refused upload leaves its connection to nobody', async () => {
  const folder = newFolder();
  const site = startSite(PORT, folder);
  await untilUp(site);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = http.request(
        { port: PORT, host: '127.0.0.1', agent, method, path, headers },
        async (response) => {
          let text = '';
          for await (const chunk of response) text += String(chunk);
          resolve({ status: response.statusCode ?? 0, text });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  const form = (fields: string) =>
    Buffer.concat([
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="policy"\r\n\r\n${fields}\r\n`),
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'),
      Buffer.alloc(3_000_000, 'x'),
      Buffer.from('\r\n--b--\r\n'),
    ]);
  for (let count = 0; count < 3; count += 1) {
    const refused = await ask(
      'POST',
      '/api/v1/oss/upload',
      { 'content-type': 'multipart/form-data; boundary=b' },
      form('forged'),
    );
    expect(refused.status, refused.text).toBe(403);
    const large = await ask(
      'POST',
      '/api/v1/contact',
      { 'content-type': 'application/json' },
      Buffer.alloc(2_000_000, 'x'),
    );
    expect(large.status, large.text).toBe(413);
    expect(await ask('GET', '/api/v1/health')).toMatchObject({ status: 200 });
  }
  agent.destroy();
  site.process.kill('SIGINT');
  await site.exited;
  removeFolder(folder);
});

test('outbox and test cards are for this computer, whatever name a stranger gives it', async () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((network) => network && !network.internal && network.family === 'IPv4')?.address;
  test.skip(!outside, 'This machine has no address but its loopback, so nobody can come from elsewhere.');
  const folder = newFolder();
  const site = startSite(PORT, folder, { HOST: '0.0.0.0' });
  await untilUp(site);
  const status = (host: string, name: string, extra: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      http
        .get({ host, port: PORT, path: '/api/v1/outbox', headers: { host: name, ...extra } }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
        .on('error', reject);
    });
  const local = `localhost:${PORT}`;
  expect(await status('127.0.0.1', local)).toBe(200);
  expect(await status(outside ?? '', local)).toBe(404);
  expect(await status(outside ?? '', local, { 'x-forwarded-for': '127.0.0.1', 'x-client-is-local': '1' })).toBe(404);
  expect(await status('127.0.0.1', 'mendara.example')).toBe(404);
  site.process.kill('SIGINT');
  await site.exited;
  removeFolder(folder);
});

test('a set-up for others refuses test cards and missing mail in a sentence', async () => {
  const folder = newFolder();
  const site = startSite(PORT, folder, { SITE_URL: 'https://www.example.com' });
  expect((await site.exited).code).toBe(1);
  expect(site.output()).toMatch(/payments would go to the sandbox: set PAYMENT_PROVIDER=stripe/);
  expect(site.output()).toMatch(/there is no mail server: set SMTP_URL/);
  expect(site.output()).not.toMatch(/\n\s+at /);
  removeFolder(folder);
});
