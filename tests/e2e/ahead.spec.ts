import { chromium, expect, type Page, test } from '@playwright/test';
import { findBrowser } from '../../lib/cli/steps/browser.mjs';
import { agree, alive } from '../support/browser';

/** Paths whose payload the app asked for, in the order of the requests. */
function watchPayloads(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.headers().rsc !== undefined) asked.push(new URL(request.url()).pathname);
  });
  return asked;
}

const faq = (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: 'FAQs' });

test('a page whose link is pointed at is there before the click, compressed, and is asked for once', async ({
  page,
}) => {
  await agree(page);
  const asked = watchPayloads(page);
  await page.goto('/about-us');
  await alive(page);
  await page.waitForLoadState('networkidle');
  expect(asked, 'untouched').toEqual([]);
  // The first sign of somebody brings the part that looks ahead.
  const part = page.waitForResponse(/\/_next\/static\/chunks\//);
  await page.mouse.move(5, 5);
  await part;
  const answer = page.waitForResponse((response) =>
    (response.request().headers()['next-router-segment-prefetch'] ?? '').endsWith('__PAGE__'),
  );
  await faq(page).hover();
  expect((await answer).headers()).toMatchObject({
    'content-encoding': 'br',
    'content-type': expect.stringContaining('text/x-component'),
  });
  await page.waitForLoadState('networkidle');
  const before = asked.filter((path) => path === '/faq').length;
  expect(before).toBeGreaterThan(0);
  await faq(page).click();
  await expect(page).toHaveURL(/\/faq$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(asked.filter((path) => path === '/faq')).toHaveLength(before);
});

test('nothing is fetched ahead where data is to be saved', async ({ page }) => {
  await agree(page);
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }),
  );
  const asked = watchPayloads(page);
  await page.goto('/about-us');
  await alive(page);
  const part = page.waitForResponse(/\/_next\/static\/chunks\//);
  await page.mouse.move(5, 5);
  await part;
  await faq(page).hover();
  await page.waitForTimeout(500);
  expect(asked).toEqual([]);
});

test('going back to a page brings it as it was left, out of the cache of whole pages', async ({ baseURL }) => {
  // The test's own browser keeps no pages.
  const browser = await chromium.launch({
    executablePath: (await findBrowser()) ?? undefined,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  try {
    const page = await browser.newPage();
    await agree(page);
    await page.goto(`${baseURL}/data-recovery-store`);
    await alive(page);
    // A page that still waits for an answer may not be kept.
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => {
      document.title = 'left like this';
      addEventListener('pageshow', ({ persisted }) => {
        document.title += persisted ? ', kept' : ', anew';
      });
    });
    await page.goto(`${baseURL}/third-party-notices.txt`);
    await page.goBack({ waitUntil: 'commit' });
    await expect.poll(() => page.title()).toBe('left like this, kept');
  } finally {
    await browser.close();
  }
});

test('a page whose program is gone, as after a release, is loaded anew, once', async ({ page }) => {
  await agree(page);
  await page.goto('/faq');
  await alive(page);
  await page.waitForLoadState('networkidle');
  await page.route('**/_next/static/chunks/**', (route) => route.fulfill({ status: 404, body: '' }));
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact Us' }).click();
  await page.waitForFunction(() => !('sameDocument' in window));
  await page.waitForURL('/contact-us');
  await expect(page.getByRole('heading', { level: 1, name: 'Write to us.' })).toBeVisible();
  expect(Number(await page.evaluate(() => sessionStorage.getItem('chunkReloadAt')))).toBeGreaterThan(0);
});
