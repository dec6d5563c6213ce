import { expect, type Page, test } from '@playwright/test';
import { freshToken, keepToken, type Member, member, siteUrl } from '../support/accounts';
import { agree, alive, freshAddress, mailTo } from '../support/browser';

/** What a visitor may bring: click tracking, and a parameter that is there twice. */
const QUERY = 'gcid=c-1&gclid=g-2&x=1&x=2';
let ann: Member;

test.beforeAll(async ({ request }) => {
  ann = await member(request, 'going');
});
test.beforeEach(({ page }) => agree(page));

/** Fails unless the page's address carries all of it. */
async function carries(page: Page): Promise<void> {
  const { searchParams } = new URL(page.url());
  expect([...searchParams].filter(([name]) => /^(gcid|gclid|x)$/.test(name))).toEqual([
    ['gcid', 'c-1'],
    ['gclid', 'g-2'],
    ['x', '1'],
    ['x', '2'],
  ]);
}

async function openPayment(page: Page, store: string, card?: RegExp) {
  await page.goto(`${store}?${QUERY}`);
  await page.getByRole('button', { name: 'Buy Pro' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(freshAddress('way'));
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  const frame = dialog.frameLocator('iframe');
  if (card) await frame.getByRole('button', { name: card }).click();
  return frame;
}

test('to the package and success pages', async ({ page }) => {
  const visited: string[] = [];
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) visited.push(frame.url());
  });
  const frame = await openPayment(page, '/data-recovery-store');
  await frame.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(/\/pay-success\?/, { timeout: 90_000 });
  await carries(page);
  expect(visited.some((address) => /packge-loading\?.*gclid=g-2/.test(address))).toBe(true);
  await page.getByRole('link', { name: 'Sign in to your products' }).click();
  await page.waitForURL(/\/login\?/);
  await carries(page);
});

test('to the pending page, home and to the store of the product', async ({ page }) => {
  const frame = await openPayment(page, '/duplicate-files-store', /stays pending/);
  await frame.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(/\/pending\?/, { timeout: 90_000 });
  await carries(page);
  await page.getByRole('link', { name: 'Back to the store' }).click();
  await page.waitForURL(/\/duplicate-files-store\?/);
  await carries(page);
});

test('from the account to the sign-in page and back, fragment too', async ({ page }) => {
  await page.goto(`/account?${QUERY}#orders`);
  await page.waitForURL(/\/login\?/);
  await carries(page);
  const back = new URL(new URL(page.url()).searchParams.get('redirect_uri') ?? '');
  expect(back.pathname + back.hash).toBe('/account#orders');
  await page.getByLabel('E-mail address').fill(ann.email);
  await page.getByLabel('Password', { exact: true }).fill(ann.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/account\?/);
  await expect(page.getByRole('heading', { name: 'My products' })).toBeVisible();
  await carries(page);
  expect(new URL(page.url()).hash).toBe('#orders');
  expect(page.url()).not.toMatch(/ticket|state/);
});

test('home, by signing out, and what was said stays long enough to be read', async ({ page, context, request }) => {
  await keepToken(context, await freshToken(request, ann));
  await page.addInitScript(() => {
    let isShown = false;
    new MutationObserver(() => {
      const messages = Array.from(document.querySelectorAll('[class*=toast]'));
      const isThere = messages.some(({ textContent }) => textContent?.includes('You are signed out.'));
      if (isThere !== isShown) performance.mark(isThere ? 'shown' : 'gone');
      isShown = isThere;
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`/account?${QUERY}#orders`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname === '/');
  await carries(page);
  const said = page.getByText('You are signed out.');
  await expect(said).toBeVisible();
  await expect(said).toBeHidden({ timeout: 60_000 });
  // The page's own clock, from the change that shows it to the change that takes it away: a busy machine only makes it longer.
  expect(await page.evaluate(() => performance.measure('life', 'shown', 'gone').duration)).toBeGreaterThanOrEqual(6000);
});

test('home, after a password change', async ({ page, context, request }) => {
  const changing = await member(request, 'changing');
  await keepToken(context, changing.token);
  await page.goto(`/account?${QUERY}`);
  await page.getByLabel('Current password', { exact: true }).fill(changing.password);
  await page.getByLabel('New password', { exact: true }).fill('second-secret');
  await page.getByLabel('Retype new password', { exact: true }).fill('second-secret');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/');
  await carries(page);
});

test('from a new password to the sign-in page, with the way back', async ({ page, request }) => {
  const forgetful = await member(request, 'forgetful');
  const back = `${siteUrl}/account#orders`;
  await page.goto(`/reset-password?${QUERY}&redirect_uri=${encodeURIComponent(back)}`);
  await page.getByLabel('E-mail address').fill(forgetful.email);
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = /\b(\d{6})\b/.exec(await mailTo(page.request, forgetful.email, /password|reset/i))?.[1] ?? '';
  await page.getByLabel('Code from the mail').fill(code);
  await page.getByLabel('New password', { exact: true }).fill('second-secret');
  await page.getByLabel('Retype new password', { exact: true }).fill('second-secret');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  await page.waitForURL(/\/login\?/);
  await carries(page);
  expect(new URL(page.url()).searchParams.get('redirect_uri')).toBe(back);
});

test('home, when the session is invalid', async ({ page, context, request }) => {
  await keepToken(context, await freshToken(request, ann));
  const over = { success: '10009', msg: 'Your session has ended. Please sign in again.', obj: null };
  await page.route('**/api/v1/user/products/list', (route) => route.fulfill({ status: 401, json: over }));
  await page.goto(`/account?${QUERY}`);
  await expect(page.getByRole('alert').getByText('Your session has ended.')).toBeVisible();
  await expect(page).toHaveURL(/\/\?gcid/);
  await carries(page);
});

test('from the links of /tools/Banner, which has no part of the framework alive', async ({ page }) => {
  await page.route('**/_next/static/**/*.js', (route) => route.abort());
  await page.goto(`/tools/Banner?${QUERY}`);
  await page.getByRole('link', { name: /Video/ }).first().click();
  await page.waitForURL(/video-repair-online/);
  await carries(page);
});

test('a sign-in that was begun here is not answered by somebody else’s', async ({ page, request }) => {
  await page.goto('/faq');
  await page.locator('header').getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL(/\/login\?/);
  await page.goto(`/?token=${await freshToken(request, ann)}`);
  const question = page.getByRole('dialog', { name: `Sign in as ${ann.email}?` });
  await question.getByRole('button', { name: 'Don’t sign in' }).click();
  await expect(page.locator('header').getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('ChatFerry’s buyer sees ChatFerry from the payment to the end, and its store is the way back', async ({
  page,
}) => {
  const bar = page.locator('header').getByRole('link', { name: 'ChatFerry' });
  const frame = await openPayment(page, '/whatsapp-store', /stays pending/);
  await frame.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(/\/pending\?/, { timeout: 90_000 });
  await expect(bar).toBeVisible();
  await expect(page.locator('header').getByRole('link', { name: 'Mendara' })).toBeHidden();
  const brand = () =>
    page.evaluate(() =>
      getComputedStyle(document.querySelector('main') as Element)
        .getPropertyValue('--brand')
        .trim(),
    );
  expect(await brand()).toMatch(/^#00687a$/i);
  expect(await page.evaluate(() => window.localStorage.getItem('website'))).toBe('whatsapp');
  const orderId = new URL(page.url()).searchParams.get('orderId');
  // Without a brand in the address the order says it.
  await page.evaluate(() => window.localStorage.setItem('website', 'recovery'));
  await page.goto(`/pay-success?orderId=${orderId}`);
  await expect(bar).toBeVisible();
  expect(await brand()).toMatch(/^#00687a$/i);
  await page.getByRole('link', { name: 'Back to the store' }).click();
  await expect(page).toHaveURL(/\/whatsapp-store\?ufrom=win/);
});

test('Escape on the overlay says what the provider’s Cancel says', async ({ page }) => {
  await openPayment(page, '/data-recovery-store');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert').getByText('Payment cancelled')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test.describe('a part of the program that does not load', () => {
  const said = (page: Page) => page.getByRole('alert').filter({ hasText: 'didn’t load' });
  /** Off line once everything that a page loads by itself is there. */
  const cutOff = async (page: Page, path: string) => {
    await page.goto(path);
    // On a busy machine the network may be quiet before the framework is fetched.
    await alive(page);
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
  };

  test('off line: Buy stays where it is, and Try again goes on', async ({ page }) => {
    await cutOff(page, '/data-recovery-store');
    await page.getByRole('button', { name: 'Buy Pro' }).first().click();
    await expect(said(page)).toBeVisible();
    await expect(page).toHaveURL('/data-recovery-store');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('dialog').getByLabel('E-mail address')).toBeVisible();
  });

  test('off line: a download and a sign-in say so', async ({ page }) => {
    await cutOff(page, '/');
    await page.getByRole('link', { name: 'Windows download' }).first().click();
    await expect(said(page)).toBeVisible();
    await said(page).getByRole('button', { name: 'Close' }).click();
    await page.locator('header').getByRole('link', { name: 'Sign in' }).click();
    await expect(said(page)).toBeVisible();
    await expect(page).toHaveURL('/');
  });

  test('off line: what was typed into the overlay is still there', async ({ page }) => {
    await page.goto('/data-recovery-store');
    await page.getByRole('button', { name: 'Buy Pro' }).first().click();
    const field = page.getByRole('dialog').getByLabel('E-mail address');
    await field.fill('typed@example.com');
    await page.route('**/_next/static/**/*.js', (route) => route.abort());
    await page.getByRole('dialog').getByRole('button', { name: 'Continue to payment' }).click();
    const problem = page.getByRole('dialog').getByRole('alert');
    await expect(problem).toBeVisible();
    await expect(field).toHaveValue('typed@example.com');
  });

  test('off line: the uploader keeps the file and sends it again', async ({ page }) => {
    await cutOff(page, '/corrupted-file-recovery-online');
    const file = { name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%broken') };
    await page.locator('input[type=file]').setInputFiles(file);
    await expect(page.getByRole('heading', { name: 'The upload stopped' })).toBeVisible();
    await expect(page.getByText('paper.pdf')).toBeVisible();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByRole('heading', { name: /Repairing|Not repaired|Repaired|Partly/ })).toBeVisible();
  });

  test('on line: loaded anew once, and the second time within a minute it says so', async ({ page }) => {
    let blocked = false;
    let loads = 0;
    await page.route('**/_next/static/**/*.js', (route) => (blocked ? route.abort() : route.continue()));
    page.on('request', (request) => {
      if (!request.isNavigationRequest()) return;
      // The page itself has to come back: only what is asked for by the press is held back.
      blocked = false;
      loads += 1;
    });
    await page.goto('/duplicate-files-store');
    await alive(page);
    await page.waitForLoadState('networkidle');
    blocked = true;
    await page.getByRole('button', { name: 'Buy Pro' }).first().click();
    await expect.poll(() => loads).toBe(2);
    await alive(page);
    await page.waitForLoadState('networkidle');
    blocked = true;
    // On a busy machine the page may not listen yet when the network is quiet.
    await expect(async () => {
      await page.getByRole('button', { name: 'Buy Pro' }).first().click();
      await expect(said(page)).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    expect(loads).toBe(2);
  });
});

for (const path of ['/tools', '/repair-tool', '/video-repair-online']) {
  test(`${path} hides its bars on request, from the first paint`, async ({ page }) => {
    await page.goto(`${path}?hideHeader=1&hideFooter=1`);
    await expect(page.locator('main h1')).toBeVisible();
    await expect(page.locator('header')).toBeHidden();
    await expect(page.locator('footer')).toBeHidden();
    await page.goto(path);
    await expect(page.locator('header')).toBeVisible();
    await expect(page.locator('footer')).toBeVisible();
  });
}
