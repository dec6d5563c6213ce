import http from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect, test } from '@playwright/test';
import { erasureRaces } from '../attack/rounds/erasures';
import { hostileUploads } from '../attack/rounds/files';
import { slowFlood, upgradeFlood } from '../attack/rounds/floods';
import { formReplays } from '../attack/rounds/forms';
import { fullDisk, mayMount } from '../attack/rounds/full-disk';
import { killRounds } from '../attack/rounds/kills';
import { lostLog } from '../attack/rounds/log';
import { hostileRequests } from '../attack/rounds/requests';
import { withSite } from '../attack/site';
import { newFolder, removeFolder, type Site, startSite, stopAllSites, untilUp } from '../support/process';

const PORT = 3408;
test.describe.configure({ mode: 'serial' });
test.afterEach(stopAllSites);

/** The rounds of `npm run test:attack`, each with a small share of its size, so that they take less than a minute in all. */
test('one site bears hostile requests, floods, replays, races and files, and leaves nothing behind', async () => {
  test.setTimeout(420_000);
  const bear = async (site: Site, folder: string) => {
    const told = [
      await hostileRequests(site, 800),
      await upgradeFlood(site, 400),
      await slowFlood(site, 3),
      await formReplays(site, folder, 1),
      await erasureRaces(site, 2),
      await hostileUploads(site, folder, { made: 10, mutations: 4 }),
      await lostLog(site, 20),
    ];
    return told.join('\n  ');
  };
  console.log(`  ${await withSite(PORT, bear, { UPLOAD_STALL_SECONDS: '5' })}`);
});

test('nothing is lost or done twice when the server is killed', async () => {
  test.setTimeout(420_000);
  console.log(`  ${await killRounds(PORT, 2)}`);
});

test('a full disk is said in words, and loses nothing', async () => {
  test.skip(!mayMount(), 'This machine lets nobody mount a small file system.');
  test.setTimeout(420_000);
  console.log(`  ${await fullDisk(PORT)}`);
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
