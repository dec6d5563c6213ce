import { writeFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { agree, holdBack } from '../support/browser';

const framework = '**/_next/static/**/*.js';

const holdFramework = (page: Page) => holdBack(page, framework);

test('a press on Buy before the framework is there is kept, shown, and done', async ({ page }) => {
  await agree(page);
  const letThrough = await holdFramework(page);
  await page.goto('/data-recovery-store', { waitUntil: 'commit' });
  const buy = page.getByRole('button', { name: 'Buy Pro' }).first();
  await buy.click();
  await buy.click();
  await expect(buy).toHaveAttribute('aria-busy', 'true');
  letThrough();
  await expect(page.getByRole('dialog').getByLabel('E-mail address')).toBeVisible();
  await expect(buy).not.toHaveAttribute('aria-busy');
});

test('Agree and a download, pressed early one after another, are both done', async ({ page }) => {
  const letThrough = await holdFramework(page);
  await page.goto('/win-data-recovery', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Agree' }).click();
  expect(await page.evaluate(() => localStorage.getItem('isAgreeCookie'))).toBe('true');
  await expect(page.getByRole('button', { name: 'Agree' })).toBeHidden();
  await page.getByRole('main').getByRole('link', { name: 'Try free' }).first().click();
  expect(new URL(page.url()).pathname).toBe('/win-data-recovery');
  const file = page.waitForEvent('download');
  letThrough();
  expect((await file).suggestedFilename()).toMatch(/^mendara-data-recovery_/);
  await expect(page.getByRole('region', { name: 'Cookies' })).toHaveCount(0);
  await expect.poll(async () => (await page.context().cookies()).map(({ name }) => name)).toContain('uuid');
});

test('a menu and a tab open before the framework is there, and stay open when it comes', async ({ page }) => {
  await agree(page);
  const letThrough = await holdFramework(page);
  await page.goto('/win-data-recovery', { waitUntil: 'commit' });
  const menu = page.getByRole('button', { name: 'File Tools' });
  await menu.click();
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Video repair online' });
  await expect(link).toBeVisible();
  letThrough();
  await expect(menu).toHaveAttribute('aria-expanded', 'true');
  await expect(link).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(link).toBeHidden();
});

test('a tab pressed early shows its panel', async ({ page }) => {
  await agree(page);
  const letThrough = await holdFramework(page);
  await page.goto('/win-data-recovery', { waitUntil: 'commit' });
  const tab = page.getByRole('tab', { name: 'Technical Specifications' });
  await tab.click();
  const panel = page.locator(`[aria-labelledby="${await tab.getAttribute('id')}"]`);
  await expect(panel).toBeVisible();
  letThrough();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await expect(panel).toBeVisible();
});

test('a drawer opens early on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await agree(page);
  const letThrough = await holdFramework(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  letThrough();
  await expect(page.getByRole('button', { name: 'Close menu' })).toHaveAttribute('aria-expanded', 'true');
});

test('what was pressed shows no longer that it works when the framework does not come, and may come yet', async ({
  page,
}) => {
  await agree(page);
  await page.route(framework, (route) => route.abort());
  await page.goto('/data-recovery-store');
  const buy = page.getByRole('button', { name: 'Buy Pro' }).first();
  await buy.click();
  await expect(buy).not.toHaveAttribute('aria-busy');
  await page.unroute(framework);
  await buy.click();
  await expect(page.getByRole('dialog').getByLabel('E-mail address')).toBeVisible();
});

test('who agreed and leaves before the page is alive is counted, once; who did not is not', async ({ page }) => {
  await page.route(framework, () => {});
  // What a page sends while it goes away is not seen from outside.
  await page.addInitScript(() => {
    navigator.sendBeacon = (address, body) => {
      const sent = JSON.parse(sessionStorage.getItem('sent') ?? '[]');
      sessionStorage.setItem('sent', JSON.stringify([...sent, [String(address), String(body)]]));
      return true;
    };
  });
  const sent = () => page.evaluate(() => JSON.parse(sessionStorage.getItem('sent') ?? '[]') as [string, string][]);
  await page.goto('/faq?gclid=1', { waitUntil: 'domcontentloaded' });
  await page.goto('/how-to', { waitUntil: 'domcontentloaded' });
  expect(await sent()).toEqual([]);
  await page.evaluate(() => {
    localStorage.setItem('isAgreeCookie', 'true');
    localStorage.setItem('uuid', 'a-kept-id');
  });
  await page.goto('/contact-us', { waitUntil: 'domcontentloaded' });
  const [[address, body] = ['', ''], ...others] = await sent();
  expect([address, others]).toEqual(['/api/v1/event/track/log', []]);
  const view = JSON.parse(body);
  expect(view).toMatchObject({ eventCode: 'page_view', currDocument: '/how-to', trackId: 'a-kept-id' });
  expect((await page.request.post(address, { data: body, headers: { 'content-type': 'text/plain' } })).status()).toBe(
    200,
  );
});

test('a page with something to do in its address is alive at once', async ({ page }) => {
  await page.goto('/data-recovery-store?toast=error&tip=payment_cancelled');
  await expect(page.getByRole('alert').getByText('Payment cancelled', { exact: true })).toBeVisible();
});

test('the framework starts in several turns, and its large files say that they be compiled while they come', async ({
  request,
}) => {
  const late = /"src":(\[[^\]]*\])/.exec(await (await request.get('/')).text())?.[1] ?? '[]';
  const [first = '', ...chunks] = JSON.parse(late) as string[];
  expect(await (await request.get(first)).text()).toMatch(/\.push\(\["turns","turns",/);
  const texts = await Promise.all(chunks.map(async (path) => (await request.get(path)).text()));
  const large = texts.filter((text) => text.length > 31_000);
  expect(large.length).toBeGreaterThan(1);
  for (const text of large) expect(text.slice(0, 28)).toBe('//# allFunctionsCalledOnLoad');
});

for (const path of ['/login', '/account', '/order-lookup', '/video-repair-online', '/faq']) {
  test(`${path} is painted before it asks for the framework, and comes alive untouched`, async ({ page }) => {
    // What starts after five seconds, painted or not, is for tabs that nobody looks at; a busy machine may paint later than that.
    await page.addInitScript(() => {
      const { setTimeout } = window;
      const withoutIt = (act: () => void, after?: number) => (after === 5000 ? 0 : setTimeout(act, after));
      Object.assign(window, { setTimeout: withoutIt });
    });
    await page.goto(path);
    const asked = () =>
      page.evaluate(() => {
        const [paint] = performance.getEntriesByType('paint');
        const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
        return paint ? scripts.map(({ startTime }) => startTime > paint.startTime) : [];
      });
    // The account leads visitors to the sign-in page, which ends the document that is asked.
    await expect(async () => {
      const isLater = await asked();
      expect(isLater.length).toBeGreaterThan(3);
      expect(isLater).not.toContain(false);
      expect(await page.evaluate(() => (window as { early?: unknown }).early)).toBeNull();
    }).toPass({ timeout: 120_000 });
  });
}

test('a press on a screen before the framework is there is kept and done', async ({ page }) => {
  await agree(page);
  const letThrough = await holdFramework(page);
  await page.goto('/login', { waitUntil: 'commit' });
  const menu = page.getByRole('button', { name: 'File Tools' });
  await menu.click();
  letThrough();
  await expect(menu).toHaveAttribute('aria-expanded', 'true');
});

test('a file that is dropped before the framework is there is taken, and the page is not left for it', async ({
  page,
}, info) => {
  const file = info.outputPath('dropped.txt');
  await writeFile(file, 'hello');
  await agree(page);
  const letThrough = await holdFramework(page);
  await page.goto('/video-repair-online', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'Drop a video here' })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  const protocol = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files: [file], dragOperationsMask: 1 };
    await protocol.send('Input.dispatchDragEvent', { type, x: 700, y: 500, data });
  }
  letThrough();
  await expect(page.getByText('“dropped.txt” can’t be repaired here.')).toBeVisible();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
});

test('a file that is chosen before the framework is there is taken', async ({ page }) => {
  await agree(page);
  const letThrough = await holdFramework(page);
  await page.goto('/video-repair-online', { waitUntil: 'commit' });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'notes.txt', mimeType: '', buffer: Buffer.from('hello') });
  letThrough();
  await expect(page.getByText('“notes.txt” can’t be repaired here.')).toBeVisible();
});

test('sections far down are laid out after the first paint, script or not, and the key End leads to the end', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await agree(page);
  await holdFramework(page);
  await page.addInitScript(() => {
    const skipped = () =>
      [...document.querySelectorAll('main > section > *, footer > *')].filter(
        (block) => !block.checkVisibility({ contentVisibilityAuto: true }),
      ).length;
    const kept: number[] = [];
    const look = () => {
      kept.push(skipped());
      requestAnimationFrame(look);
    };
    document.addEventListener('DOMContentLoaded', () => requestAnimationFrame(look));
    Object.assign(window, { skipped: kept });
  });
  await page.goto('/win-data-recovery');
  const skipped = () => page.evaluate(() => (window as unknown as { skipped: number[] }).skipped);
  await expect.poll(async () => (await skipped()).at(-1)).toBe(0);
  expect(Math.max(...(await skipped()))).toBeGreaterThan(3);
  await page.keyboard.press('End');
  const left = () =>
    page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight - Math.ceil(window.scrollY));
  await expect.poll(left).toBeLessThanOrEqual(0);
});
