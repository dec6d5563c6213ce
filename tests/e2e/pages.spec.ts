import { expect, test } from '@playwright/test';
import { routes } from '../../lib/content/routes';
import { collectErrors } from '../support/browser';

const paths = [...routes.map(({ path }) => path), '/outbox', '/checkout', '/api-reference'];

test('titles and descriptions are unique', async ({ request }) => {
  const seen = new Map<string, string>();
  for (const { path, indexed } of routes) {
    if (!indexed) continue;
    const html = await (await request.get(path)).text();
    const title = /<title>([^<]+)<\/title>/.exec(html)?.[1] ?? '';
    expect(title, path).not.toBe('');
    expect(seen.get(title), `${path} has the title of`).toBeUndefined();
    seen.set(title, path);
    expect(html).toMatch(/<meta name="description" content="[^"]{40,}"/);
    expect(html).toMatch(new RegExp(`<link rel="canonical" href="[^"]*${path === '/' ? '' : path}/?"`));
  }
});

test('every indexed page has a picture of its own for those who share it', async ({ request }) => {
  const seen = new Set<string>();
  for (const { path } of routes.filter(({ indexed }) => indexed)) {
    const address = /property="og:image" content="([^"]+)"/.exec(await (await request.get(path)).text())?.[1] ?? '';
    const picture = await request.get(new URL(address).pathname);
    expect(picture.headers()['content-type'], path).toBe('image/png');
    const bytes = await picture.body();
    // Width and height stand in the header chunk (PNG, section 11.2.1).
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], path).toEqual([1200, 630]);
    seen.add(bytes.toString('base64'));
  }
  expect(seen.size).toBe(routes.filter(({ indexed }) => indexed).length);
});

test('no link of any page leads nowhere', async ({ request, baseURL }) => {
  test.setTimeout(420_000);
  const known = new Map<string, number>();
  for (const path of paths) {
    const html = await (await request.get(path)).text();
    for (const [, href = ''] of html.matchAll(/<a\b[^>]*\shref="([^"]+)"/g)) {
      const url = new URL(href.replaceAll('&amp;', '&'), `${baseURL}${path}`);
      if (!url.href.startsWith(`${baseURL}/`)) continue;
      const key = url.pathname;
      if (!known.has(key)) known.set(key, (await request.get(key)).status());
      expect(known.get(key), `${path} links to ${href}`).toBe(200);
    }
  }
});

test('unknown addresses answer 404 with the not-found page', async ({ page, request }) => {
  for (const path of ['/no-such-page', '/404', '/win-data-recovery/nope', '/_not-found']) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(404);
    expect(await response.text()).toContain('Page Not Found');
  }
  const errors = collectErrors(page);
  await page.goto('/no-such-page');
  await expect(page).toHaveTitle(/Page Not Found/);
  await expect(page.getByText("Sorry, we can't find the page you're looking for")).toBeVisible();
  await page.getByRole('link', { name: 'Back to home' }).click();
  await expect(page).toHaveURL(/\/$/);
  expect(errors.filter((text) => !text.includes('404'))).toEqual([]);
});

test('a page and its parts are not written to by other methods', async ({ request }) => {
  expect((await request.post('/')).status()).toBe(405);
  const malformed = await request.get('/%E0%A4%A');
  expect(malformed.status()).toBe(400);
  expect(await malformed.text()).toContain('Back to home');
  const api = await request.get('/api/v1/no-such-call');
  expect(api.status()).toBe(404);
  expect(await api.json()).toMatchObject({ success: '10404', obj: null });
});
