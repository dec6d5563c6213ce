import { expect, type Page, test } from '@playwright/test';
import { agree, alive } from '../support/browser';
import { newFolder, removeFolder, startSite, stopAllSites, untilUp } from '../support/process';

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15';

test.afterAll(stopAllSites);

/** What of the page lies under the cookie card, or its small button. */
function covered(page: Page): Promise<string[]> {
  return coveredBy(page, 'a[href], button, input, select, textarea, summary');
}

function coveredBy(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((kept) => {
    const cards = [...document.querySelectorAll('[data-floating]')]
      .filter((card) => getComputedStyle(card).visibility === 'visible')
      .map((card) => card.getBoundingClientRect())
      .filter(({ height }) => height > 0);
    const found: string[] = [];
    for (const element of document.querySelectorAll(kept)) {
      if (element.closest('[data-floating], p') || getComputedStyle(element).visibility === 'hidden') continue;
      const box = element.getBoundingClientRect();
      const isUnder = cards.some(
        (card) =>
          box.width > 0 &&
          box.height > 0 &&
          box.left < card.right &&
          box.right > card.left &&
          box.top < card.bottom &&
          box.bottom > card.top,
      );
      if (isUnder) found.push(element.textContent ?? '');
    }
    return found;
  }, selector);
}

for (const width of [360, 390, 768, 1440]) {
  test(`the cookie card covers nothing to press at ${width} px, whole and folded`, async ({ page }) => {
    await page.setViewportSize({ width, height: width < 800 ? 780 : 900 });
    for (const path of ['/', '/data-recovery-store', '/contact-us', '/video-repair-online']) {
      await page.goto(path);
      await expect(page.getByRole('region', { name: 'Cookies' })).toBeAttached();
      for (let turn = 0; turn < 6; turn += 1) {
        await expect.poll(() => covered(page), { message: `${path} after ${turn} screens` }).toEqual([]);
        await page.evaluate(() => window.scrollBy(0, window.innerHeight * 0.8));
      }
    }
    await page.goto('/faq');
    await page.getByRole('button', { name: 'No, thanks' }).click();
    const small = page.getByRole('button', { name: 'Cookies', exact: true });
    await expect(small).toBeFocused();
    await expect(page.getByRole('button', { name: 'Agree' })).toBeHidden();
    expect((await page.context().cookies()).map(({ name }) => name).sort()).toEqual(['lang', 'locale']);
    await page.reload();
    await expect(small).toBeVisible();
    await expect.poll(() => covered(page)).toEqual([]);
    await small.click();
    await page.getByRole('button', { name: 'Agree' }).click();
    await expect(small).toBeHidden();
    expect(await page.evaluate(() => window.localStorage.getItem('cookiesFolded'))).toBeNull();
  });
}

test('the cookie card leaves what the page of a pending payment says to be read on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/pending');
  const card = page.getByRole('region', { name: 'Cookies' });
  await expect(card.getByRole('button', { name: 'Agree' })).toBeVisible();
  await expect.poll(() => coveredBy(page, 'main h1, main p, main dd')).toEqual([]);
});

for (const [width, height] of [
  [320, 568],
  [375, 553],
  [390, 664],
] as const) {
  test(`the cookie card hides no heading of a page at ${width} by ${height}, and comes where there is room`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    for (const path of ['/login', '/win-data-recovery', '/pending', '/no-such-page', '/pdf-editor']) {
      await page.goto(path);
      await expect(page.locator('[data-floating]').first()).toBeAttached();
      await expect.poll(async () => [...(await covered(page)), ...(await coveredBy(page, 'h1'))], path).toEqual([]);
    }
    await page.goto('/win-data-recovery');
    await page.evaluate(() => window.scrollBy(0, window.innerHeight));
    await expect(page.getByRole('button', { name: 'Agree' })).toBeVisible();
  });
}

test('the cookie card hides no label of a form on a phone', async ({ page }) => {
  for (const [width, height] of [
    [390, 780],
    [412, 915],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const path of ['/register', '/order-lookup']) {
      await page.goto(path);
      await expect(page.getByRole('textbox', { name: 'E-mail address' })).toBeVisible();
      const card = page.getByRole('region', { name: 'Cookies' });
      // It looks for its place anew once the form is there.
      await expect.poll(async () => [...(await covered(page)), ...(await coveredBy(page, 'label'))]).toEqual([]);
      await expect(card.getByRole('button', { name: 'Agree' })).toBeVisible();
    }
  }
});

test('the cookie card makes way for what comes after it, though the page stays as long as it was', async ({ page }) => {
  await page.setViewportSize({ width: 412, height: 915 });
  await page.goto('/privacy-policy');
  const card = page.getByRole('region', { name: 'Cookies' });
  await expect(card).toHaveAttribute('style', /--cookie-up/);
  // Past the look that it takes when the page was measured first.
  await page.waitForTimeout(500);
  await card.evaluate((element) => {
    const late = document.createElement('button');
    late.textContent = 'Late';
    const { top } = element.getBoundingClientRect();
    late.style.cssText = `position:fixed;left:16px;top:${top + 8}px;width:200px;height:48px`;
    document.querySelector('main')?.append(late);
  });
  await expect(page.getByRole('button', { name: 'Late' })).toBeVisible();
  await expect.poll(() => covered(page)).toEqual([]);
});

for (const [width, height] of [
  [1440, 900],
  [1366, 768],
  [1280, 720],
] as const) {
  test(`the cookie card hides no price of a store at ${width} by ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    for (const path of ['/data-recovery-store', '/duplicate-files-store', '/whatsapp-store']) {
      await page.goto(path);
      const card = page.getByRole('region', { name: 'Cookies' });
      await expect(card.getByRole('button', { name: 'Agree' })).toBeVisible();
      await expect.poll(() => coveredBy(page, '[data-price]'), { message: path }).toEqual([]);
      await expect.poll(() => covered(page), { message: path }).toEqual([]);
    }
  });
}

test.describe('on a Mac', () => {
  test.use({ userAgent: MAC });

  for (const path of ['/', '/data-recovery-store', '/duplicate-files-store', '/whatsapp-store']) {
    test(`Mac comes first on ${path}, without a shift`, async ({ page }) => {
      await agree(page);
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      if (path === '/') {
        const labels = await page.getByRole('link', { name: /^(Windows|Mac) download$/ }).allTextContents();
        expect(labels.map((label) => label.trim())).toEqual([
          'Mac download',
          'Windows download',
          'Mac download',
          'Windows download',
        ]);
      } else {
        await expect(page.getByRole('tab').first()).toHaveText('Mac');
        await expect(page.getByRole('tab', { name: 'Mac' })).toHaveAttribute('aria-selected', 'true');
        await expect(page.getByRole('button', { name: 'Buy Pro' }).and(page.locator(':visible'))).toHaveCount(1);
      }
      const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
      expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.01);
    });
  }
});

test('the search of the FAQ finds by the words that people use, and says what it looked for', async ({ page }) => {
  await agree(page);
  await page.goto('/faq');
  const field = page.getByRole('searchbox', { name: 'Search the questions' });
  for (const word of [
    'refund',
    'license',
    'licence',
    'price',
    'invoice',
    'receipt',
    'login',
    'withdraw',
    'virus',
    'safe',
  ]) {
    await field.fill(word);
    await expect(page.getByText(/^(One question|\d+ questions)$/), word).toBeVisible();
  }
  await field.fill('zeppelin');
  await expect(page.getByText(/Nothing about “zeppelin” in the \d+ questions/)).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 }).and(page.locator('#questions h2'))).toHaveCount(0);
});

test('the online tools: states of one never show on another, drops and kinds find their way', async ({ page }) => {
  await agree(page);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto('/video-repair-online?gclid=g');
  const choose = (name: string, text: string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) });
  await choose('notes.txt', 'hello');
  await expect(page.getByText('“notes.txt” can’t be repaired here.')).toBeVisible();
  await page.locator('footer').getByRole('link', { name: 'Photo repair' }).click();
  await expect(page).toHaveURL('/photo-restoration-online?gclid=g');
  await expect(page.getByText('notes.txt')).toHaveCount(0);

  // A document goes to its own tool by one press, without being chosen again.
  await choose('paper.pdf', '%PDF-1.4 broken');
  await page.getByRole('button', { name: 'Repair it as a file' }).click();
  await expect(page).toHaveURL(/\/corrupted-file-recovery-online\?gclid=g/);
  await expect(page.getByText('paper.pdf')).toBeVisible();
  await expect(page.getByRole('heading', { name: /Not repaired|Repaired|Partly/ })).toBeVisible({ timeout: 90_000 });
  await page.locator('footer').getByRole('link', { name: 'Photo repair' }).click();
  await expect(page.getByRole('heading', { name: 'Drop a photo here' })).toBeVisible();

  // Dropped beside the box, on the heading.
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'dropped.bmp'));
    return transfer;
  });
  await page.dispatchEvent('h1', 'drop', { dataTransfer: data });
  await expect(page.getByText('“dropped.bmp” can’t be repaired here.')).toBeVisible();
  expect(errors).toEqual([]);
});

test('a file that is no video is told so, and a running repair can be cancelled', async ({ page }) => {
  await agree(page);
  await page.goto('/video-repair-online');
  const choose = (buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer });
  await choose(Buffer.from('just words, nothing that moves\n'.repeat(2000)));
  await expect(page.getByText('This file is no video: it is a text file')).toBeVisible();
  await expect(page.getByText('A working video can help')).toHaveCount(0);
  const deleted = page.waitForRequest((request) => request.method() === 'DELETE');
  // The task is never told to be over, as one that takes long.
  await page.route('**/api/v1/repair/tasks/*', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const answer = await (await route.fetch()).json();
    await route.fulfill({
      json: { ...answer, obj: { ...answer.obj, status: 'running', report: null, downloadUrl: null } },
    });
  });
  await choose(Buffer.concat([Buffer.from('....ftypisom'), Buffer.alloc(50_000, 7)]));
  await expect(page.getByRole('heading', { name: 'Repairing' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await deleted;
  await expect(page.getByRole('heading', { name: 'Drop a video here' })).toBeVisible();
  await expect(page).toHaveURL('/video-repair-online');
});

test('canonical addresses, sitemap and moves within the app name the public address, by PORT or HOST alone', async ({
  page,
}) => {
  test.setTimeout(420_000);
  await agree(page);
  const folder = newFolder();
  const site = startSite(Number(process.env.MENDARA_TEST_PORT ?? 3217) + 60, folder, { HOST: '127.0.0.1' });
  const origin = site.url.replace('localhost', '127.0.0.1');
  await untilUp({ ...site, url: origin });
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  const canonical = () => page.locator('link[rel=canonical]').getAttribute('href');
  await page.goto(`${origin}/faq`);
  expect(await canonical()).toBe(`${origin}/faq`);
  await alive(page);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.locator('footer').getByRole('link', { name: 'About Us' }).click();
  await expect(page).toHaveURL(`${origin}/about-us`);
  await expect.poll(canonical).toBe(`${origin}/about-us`);
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  await page.goto(`${origin}/data-recovery-store`);
  const data = await page.locator('script[type="application/ld+json"]').first().textContent();
  expect(data).toContain(`${origin}/data-recovery-store`);
  for (const file of ['/sitemap.xml', '/robots.txt', '/.well-known/security.txt']) {
    const text = await (await fetch(`${origin}${file}`)).text();
    expect(text, file).toContain(origin);
    expect(text, file).not.toContain('public-address');
  }
  expect(await page.content()).not.toContain('public-address');
  expect(errors).toEqual([]);
  site.process.kill('SIGTERM');
  await site.exited;
  removeFolder(folder);
});
