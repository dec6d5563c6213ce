import { expect, test } from '@playwright/test';
import { agree, alive } from '../support/browser';
import { price } from '../support/prices';

test('cookie banner stays until Agree, and the agreement is remembered', async ({ page, context }) => {
  await page.goto('/');
  const banner = page.getByRole('button', { name: 'Agree' });
  await expect(banner).toBeVisible();
  const cookies = async () => (await context.cookies()).map(({ name }) => name).sort();
  await expect.poll(cookies).toEqual(['lang', 'locale']);
  await page.reload();
  await expect(banner).toBeVisible();
  await banner.click();
  await expect(banner).toBeHidden();
  expect(await page.evaluate(() => window.localStorage.getItem('isAgreeCookie'))).toBe('true');
  await expect.poll(cookies).toContain('uuid');
  const uuid = (await context.cookies()).find(({ name }) => name === 'uuid');
  expect(uuid?.value).toMatch(/^[\w-]{36}$/);
  await page.reload();
  await expect(banner).toBeHidden();
});

test('agreed to, the cookie card gives the focus back, and to the page where its small button had it', async ({
  page,
}) => {
  await page.goto('/faq');
  await alive(page);
  const search = page.getByRole('searchbox');
  await search.focus();
  await page.getByRole('button', { name: 'Agree' }).click();
  await expect(search).toBeFocused();
  await page.evaluate(() => window.localStorage.clear());
  await page.reload();
  await alive(page);
  await page.getByRole('button', { name: 'No, thanks' }).click();
  await page.getByRole('button', { name: 'Cookies', exact: true }).click();
  await page.getByRole('button', { name: 'Agree' }).click();
  await expect(page.locator('#main')).toBeFocused();
});

test('the cookie card leaves free why a sign-in was refused, on a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto('/login');
  await alive(page);
  await page.getByLabel('E-mail address').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByLabel('Password', { exact: true }).press('Enter');
  const why = page.getByRole('alert').filter({ hasText: 'The e-mail address or password is not right.' });
  await expect(why).toBeVisible();
  const card = page.getByRole('region', { name: 'Cookies' });
  // At rest: where it was put last is where it stays.
  await page.waitForTimeout(1500);
  const [said, over] = [await why.boundingBox(), (await card.isVisible()) ? await card.boundingBox() : null];
  const isApart = !over || over.y >= (said?.y ?? 0) + (said?.height ?? 0) || over.y + over.height <= (said?.y ?? 0);
  expect(isApart).toBe(true);
});

test('back to top appears after 900 pixels', async ({ page }) => {
  await agree(page);
  await page.goto('/');
  const button = page.getByRole('button', { name: 'Back to top' });
  await page.evaluate(() => window.scrollTo(0, 880));
  await expect(button).toBeHidden();
  await page.evaluate(() => window.scrollTo(0, 960));
  await button.click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await expect(button).toBeHidden();
});

test('the footer ends below its last line, with room for the cookie card as long as that stands', async ({ page }) => {
  const last = page.locator('footer p').last();
  const room = async () => {
    await last.scrollIntoViewIfNeeded();
    const [line, footer] = [await last.boundingBox(), await page.locator('footer').boundingBox()];
    return Math.round((footer?.y ?? 0) + (footer?.height ?? 0) - (line?.y ?? 0) - (line?.height ?? 0));
  };
  await page.goto('/faq');
  await expect.poll(room).toBe(160);
  await agree(page);
  await page.reload();
  await expect.poll(room).toBe(32);
});

test('links keep the query, move within the app and carry gcid and gclid', async ({ page }) => {
  await agree(page);
  await page.goto('/win-data-recovery?gcid=abc&gclid=xyz&foo=1');
  await alive(page);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.locator('header').getByRole('link', { name: 'Mendara' }).click();
  await expect(page).toHaveURL('/?gcid=abc&gclid=xyz&foo=1');
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
});

test('mega menu opens by keyboard and closes on Escape', async ({ page }) => {
  await agree(page);
  await page.goto('/');
  const menu = page.getByRole('button', { name: 'Data Recover&Transfer' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect(menu).toHaveAttribute('aria-expanded', 'true');
  await expect(page.locator('header').getByRole('link', { name: /Data Recovery for Windows/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
  await expect(menu).toBeFocused();
});

for (const width of [320, 390]) {
  test(`by keyboard the bar of a phone goes as it is seen at ${width} px, open and closed`, async ({ page }) => {
    await page.setViewportSize({ width, height: 700 });
    await agree(page);
    await page.goto('/');
    await alive(page);
    const bar = page.locator('header');
    const next = async (key: string) => {
      await page.keyboard.press(key);
      return bar.locator(':focus').evaluate((held) => held.ariaLabel ?? held.textContent?.trim());
    };
    await bar.getByRole('link', { name: 'Mendara' }).focus();
    expect([await next('Tab'), await next('Tab')]).toEqual(['Download', 'Open menu']);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'Store' })).toBeVisible();
    const seen: unknown[] = [];
    for (let presses = 0; presses < 9; presses += 1) seen.push(await next('Tab'));
    const inDrawer = ['Data Recover&Transfer', 'File Tools', 'Store', 'Support', 'Download', 'Sign in'];
    expect(seen).toEqual([...inDrawer, 'Mendara', 'Download', 'Close menu']);
    expect(await next('Shift+Tab')).toBe('Download');
  });
}

test('link and buttons of the cookie card share a row on the smallest phones', async ({ page }) => {
  for (const width of [320, 340, 359, 360]) {
    await page.setViewportSize({ width, height: 640 });
    await page.goto('/faq');
    const card = page.getByRole('region', { name: 'Cookies' });
    // Read at once, as the card may be on its way to its place.
    const rows = await card.locator('a, button').evaluateAll((parts) =>
      parts.map((part) => {
        const { top, height } = part.getBoundingClientRect();
        return Math.round(top + height / 2);
      }),
    );
    expect([width, rows.length, new Set(rows).size]).toEqual([width, 3, 1]);
  }
});

test('the drawer works on a phone', async ({ page }) => {
  await agree(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('button', { name: 'Data Recover&Transfer' }).click();
  await page
    .locator('header')
    .getByRole('link', { name: /Data Recovery for Windows/ })
    .click();
  await expect(page).toHaveURL(/\/win-data-recovery$/);
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();
});

test('store tabs follow ufrom and the keyboard', async ({ page }) => {
  await agree(page);
  await page.goto('/data-recovery-store?ufrom=mac');
  const mac = page.getByRole('tab', { name: 'Mac' });
  await expect(mac).toHaveAttribute('aria-selected', 'true');
  await mac.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Windows' })).toHaveAttribute('aria-selected', 'true');
});

test('tool pages hide their bars on request', async ({ page }) => {
  await agree(page);
  await page.goto('/video-repair-online?hideHeader=1&hideFooter=1');
  await expect(page.locator('header').first()).toBeHidden();
  await expect(page.locator('footer').first()).toBeHidden();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });
  test('marketing pages read in full', async ({ page }) => {
    await page.goto('/win-data-recovery');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const text of await page.locator('main section h2').all())
      expect(await text.evaluate((node) => getComputedStyle(node).opacity)).toBe('1');
    await page.goto('/data-recovery-store');
    await expect(page.getByText(`$${price.ultimate}`).first()).toBeVisible();
  });

  test('the pages of an order say where its result comes', async ({ page }) => {
    for (const path of ['/pay-success', '/packge-loading']) {
      await page.goto(path);
      const said = page.locator('main noscript p');
      await expect(said).toBeVisible();
      await expect(said).toContainText('by e-mail');
    }
  });

  test('installers come by a plain link of the download page, which says before what they are', async ({ page }) => {
    await page.goto('/download');
    const links = page.getByRole('link', { name: /^Download .* for (Windows|Mac)$/ });
    const notes = page.locator('main').getByText(/small demonstration file that says so/);
    await expect(notes.filter({ visible: true })).toHaveCount(await links.count());
    expect(await links.count()).toBeGreaterThan(3);
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download Mendara Data Recovery for Mac' }).click();
    expect((await file).suggestedFilename()).toBe('mendara-data-recovery.dmg');
  });
});

test('on paper every answer and every tab is there, and nothing to agree to', async ({ page }) => {
  await page.goto('/win-data-recovery');
  const agreement = page.getByRole('button', { name: 'Agree' });
  await expect(agreement).toBeVisible();
  const answer = page.locator('details:not([open]) > div').first();
  await expect(answer).toBeHidden();
  const specifications = page.locator('[data-panel]').last();
  await expect(specifications).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(agreement).toBeHidden();
  await expect(page.getByRole('tablist')).toBeHidden();
  await expect(specifications).toBeVisible();
  await expect(answer).toBeVisible();
  await expect
    .poll(() => answer.evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true })))
    .toBe(true);
});

test('the chosen tab can be told from the other in forced colours', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/data-recovery-store');
  const line = (chosen: boolean) =>
    page.getByRole('tab', { selected: chosen }).evaluate((tab) => {
      const { borderTopWidth, borderTopColor } = getComputedStyle(tab);
      return `${borderTopWidth} ${borderTopColor}`;
    });
  expect(await line(true)).toMatch(/^2px rgb\(/);
  expect(await line(false)).toMatch(/^0px/);
});

test('what has the focus stands clear of the way back to the top, at phone width', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await agree(page);
  await page.goto('/faq');
  await alive(page);
  const covered: string[] = [];
  let seen = 0;
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(() => {
      const { activeElement: held, body } = document;
      const button = document.querySelector('[aria-label="Back to top"]');
      if (!button || !held || held === button || held === body) return null;
      const [box, top] = [held.getBoundingClientRect(), button.getBoundingClientRect()];
      return box.bottom > top.top && box.top < top.bottom && box.right > top.left ? held.textContent : '';
    });
    if (focus !== null) seen += 1;
    if (focus) covered.push(focus);
  }
  expect(seen).toBeGreaterThan(20);
  expect(covered).toEqual([]);
});

for (const [height, path, ...kept] of [
  [740, '/data-recovery-store', 'h1', '[data-price]'],
  [640, '/data-recovery-store', 'h1', '.lead', '[role=tab]'],
  [640, '/whatsapp-store', 'h1', '.lead', '[role=tab]'],
  [640, '/register', 'h1', '.lead:visible', 'label'],
  [740, '/login', 'h1', '.lead:visible', 'label', 'a[href^="/reset-password"]'],
  [640, '/login', 'h1', '.lead:visible', 'label'],
  [740, '/contact-us', 'h1', 'label'],
  [740, '/faq', 'h1', 'label', 'h2'],
  [740, '/terms-conditions', 'h1'],
] as const) {
  test(`on a phone ${height} pixels high the cookie card leaves free at ${path}: ${kept.join(', ')}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height });
    await page.goto(path);
    const card = page.getByRole('region', { name: 'Cookies' });
    // A form comes with its script, and the card goes where that leaves room.
    for (const selector of kept) await page.locator(`main ${selector}`).first().waitFor();
    // At rest: where it was put last is where it stays.
    await expect
      .poll(async () => {
        const before = await card.boundingBox();
        await page.waitForTimeout(500);
        return before !== null && JSON.stringify(before) === JSON.stringify(await card.boundingBox());
      })
      .toBe(true);
    const stands = await card.boundingBox();
    expect(stands).not.toBeNull();
    expect(stands?.height).toBeLessThanOrEqual(110);
    for (const selector of kept) {
      const seen = await page.locator(`main ${selector}`).first().boundingBox();
      const [top, bottom] = [seen?.y ?? 0, (seen?.y ?? 0) + (seen?.height ?? 0)];
      const isCovered = bottom > (stands?.y ?? 0) && top < (stands?.y ?? 0) + (stands?.height ?? 0);
      expect(isCovered, selector).toBe(false);
    }
  });
}
