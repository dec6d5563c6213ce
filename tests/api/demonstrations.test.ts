import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { followDemonstrations } from '@/lib/cli/front/demonstrations';
import { PageResponder } from '@/lib/cli/front/respond';
import type { Site } from '@/lib/cli/front/site';
import { makeDemonstrationInstallers } from '@/lib/server/downloads/demonstration';
import { installerKey } from '@/lib/server/objects/port';
import { startApi } from './harness/api';

const notes = ['recovery-win', 'recovery-mac', 'whatsapp-mac'].map(
  (name) => `<p data-of="${name}" hidden="">${name}</p>`,
);
const page = { html: notes.join(''), etag: '"page"', hashes: [], late: null, sheet: null, picture: null };
const site: Site = {
  distDir: '',
  release: 'test',
  values: [],
  pages: new Map([['/', page]]),
  files: new Map(),
  lateFiles: new Map(),
  metadata: new Set(),
};
const places = { frame: [], connect: [], image: [], bannerAncestors: [], checkoutAncestors: [] };
const origins = { ...places, checkout: { script: [], frame: [], connect: [], image: [] } };

afterEach(() => vi.useRealTimers());

it('pages say which downloads are demonstrations, and no longer once the vendor’s own are there', async () => {
  const api = await startApi();
  const { objects } = api.ctx;
  await makeDemonstrationInstallers(objects);
  const pages = new PageResponder(site, origins, false);
  const server = createServer((request, response) => pages.send(request, response, '/', 200));
  await new Promise<void>((listens) => {
    server.listen(0, '127.0.0.1', () => listens());
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const ask = async (known = '') => {
    const answer = await fetch(address, { headers: { 'if-none-match': known } });
    const shown = [...(await answer.text()).matchAll(/<p data-of="([^"]*)">/g)].map(([, name]) => name);
    // An answer without a body varies by what the whole one does (RFC 9110, section 15.4.5).
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    return { status: answer.status, etag: answer.headers.get('etag') ?? '', shown };
  };

  vi.useFakeTimers({ toFake: ['setInterval'] });
  const without = await ask();
  expect(without.shown).toEqual([]);
  await followDemonstrations(api.ctx, pages);
  const before = await ask(without.etag);
  expect(before).toMatchObject({ status: 200, shown: ['recovery-win', 'recovery-mac', 'whatsapp-mac'] });
  expect((await ask(before.etag)).status).toBe(304);

  for (const name of [
    'recovery-win.exe',
    'recovery-mac.dmg',
    'duplicate-win.exe',
    'duplicate-mac.dmg',
    'whatsapp-win.exe',
  ]) {
    const bytes = Buffer.from(`the vendor’s own ${name}`);
    await objects.put(installerKey(name), Readable.from([bytes]), bytes.length);
  }
  vi.advanceTimersByTime(60_000);
  await expect.poll(async () => (await ask(before.etag)).shown).toEqual(['whatsapp-mac']);
  // The framework's own answers, in which attributes are JSON.
  expect(pages.values).toContainEqual(['"data-of":"whatsapp-mac","hidden":true', '"data-of":"whatsapp-mac"']);
  server.close();
  await api.close();
});
