import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstallerRow } from '@/lib/contract/downloads';
import type { ProductRow } from '@/lib/contract/products';
import type { SessionCheck } from '@/lib/contract/session';
import { makeDemonstrationInstallers } from '@/lib/server/downloads/demonstration';
import { startApi, type TestApi, ways } from './harness/api';
import { signedIn } from './harness/people';

/** What is answered from memory is the same by both ways, byte for byte and header for header. */
describe.each(ways)('an answer that seldom changes, by the %s', (way) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ ALLOWED_ORIGINS: 'https://shop.example.com' }, undefined, way);
    await makeDemonstrationInstallers(api.ctx.objects);
  });
  afterAll(() => api.close());

  it.each(['/products/list?website=recovery&os=win', '/recovery/installers'])(
    '%s has a tag, and is 304 for who has it',
    async (address) => {
      const first = await api.send('GET', address);
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^"[\w-]{22}"$/);
      expect(first.headers.get('cache-control')).toBe('no-cache');
      const text = await first.text();
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await api.send('GET', address, { headers: { 'if-none-match': known } });
        expect(again.status).toBe(304);
        expect(again.headers.get('etag')).toBe(tag);
        expect(await again.text()).toBe('');
      }
      const other = await api.send('GET', address, { headers: { 'if-none-match': '"other"' } });
      expect([other.status, await other.text()]).toEqual([200, text]);
      const head = await api.send('HEAD', address);
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, '']);
    },
  );

  it('is shared with allowed origins, and with no other', async () => {
    for (const address of ['/products/list?website=recovery', '/recovery/installers', '/sso/check']) {
      const allowed = await api.send('GET', address, { origin: 'https://shop.example.com' });
      expect(allowed.headers.get('access-control-allow-origin')).toBe('https://shop.example.com');
      const other = await api.send('GET', address, { origin: 'https://evil.example' });
      expect(other.headers.get('access-control-allow-origin')).toBeNull();
      expect(other.headers.get('vary')).toBe('origin');
    }
  });

  it('names what is sold to a POST as to a GET', async () => {
    const post = await api.ask<ProductRow[]>('POST', '/products/list', { body: { website: 'whatsapp' } });
    const get = await api.ask<ProductRow[]>('GET', '/products/list?website=whatsapp');
    expect(get.obj).toEqual(post.obj);
    expect(post.obj.length).toBeGreaterThan(0);
    const repeated = await api.ask<ProductRow[]>('POST', '/products/list', {
      body: { website: 'whatsapp' },
      headers: { 'if-none-match': get.headers.get('etag') ?? '' },
    });
    expect(repeated).toMatchObject({ status: 200, obj: post.obj });
    for (const body of [{ website: 'else' }, null, [], 'x'])
      expect((await api.ask('POST', '/products/list', { body })).status).toBe(400);
    expect((await api.ask('GET', '/products/list')).status).toBe(400);
  });

  it('shows an installer that an operator replaced at once', async () => {
    const file = path.join(api.dataDir, 'installers', 'recovery-win.exe');
    for (const version of ['1.2.3', '1.2.4', '1.3.0']) {
      fs.writeFileSync(file, `Installer-Version: ${version}\r\n${'x'.repeat(version.length)}`);
      const { obj, headers } = await api.ask<InstallerRow[]>('GET', '/recovery/installers');
      expect(obj.find(({ website, os }) => website === 'recovery' && os === 'win')?.version).toBe(version);
      const again = await api.send('GET', '/recovery/installers', {
        headers: { 'if-none-match': headers.get('etag') ?? '' },
      });
      expect(again.status).toBe(304);
    }
  });

  it('tells each visitor of their own session alone, and ends with it', async () => {
    const [ann, ben] = [await signedIn(api), await signedIn(api)];
    const tags = new Set<string | null>();
    for (let round = 0; round < 3; round += 1) {
      for (const person of [ann, ben]) {
        const { obj, headers } = await api.ask<SessionCheck>('GET', '/sso/check', { token: person.token });
        expect(obj).toEqual({ id: person.id, email: person.email });
        expect(headers.get('cache-control')).toBe('no-store');
        tags.add(headers.get('etag'));
      }
    }
    expect(tags.size).toBe(2);
    const [tag = ''] = tags;
    const known = { 'if-none-match': tag ?? '' };
    expect((await api.send('GET', '/sso/check', { token: ann.token, headers: known })).status).toBe(304);
    expect((await api.send('GET', '/sso/check', { token: ben.token, headers: known })).status).toBe(200);
    await api.ask('GET', '/sso/logout', { token: ann.token });
    const after = await api.ask<SessionCheck>('GET', '/sso/check', { token: ann.token, headers: known });
    expect([after.status, after.obj]).toEqual([200, null]);
    expect((await api.ask<SessionCheck>('GET', '/sso/check', { token: ben.token })).obj).toMatchObject({ id: ben.id });
    expect((await api.ask<SessionCheck>('GET', '/sso/check')).obj).toBeNull();
  });
});
