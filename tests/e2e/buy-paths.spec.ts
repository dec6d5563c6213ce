import { type APIRequestContext, expect, type FrameLocator, type Page, type Request, test } from '@playwright/test';
import { decimal, plansFor } from '../../lib/catalog/plans';
import { isAlive, keepToken, type Member, member, siteUrl } from '../support/accounts';
import { agree, freshAddress, mailTo } from '../support/browser';

test.beforeEach(({ page }) => agree(page));

const dialogOf = (page: Page) => page.getByRole('dialog');

/** Presses Buy, as a guest with an address or signed in, and returns the provider's page. */
async function buy(page: Page, plan: string, email?: string): Promise<FrameLocator> {
  await page
    .getByRole('button', { name: `Buy ${plan}` })
    .first()
    .click();
  if (email) {
    await dialogOf(page).getByLabel('E-mail address').fill(email);
    await dialogOf(page).getByRole('button', { name: 'Continue to payment' }).click();
  }
  return dialogOf(page).frameLocator('iframe');
}

const pay = (frame: FrameLocator) => frame.getByRole('button', { name: /^Pay/ }).click();

/** The key of the sandbox's page that the overlay shows. */
async function keyOf(page: Page): Promise<string> {
  const src = await dialogOf(page).locator('iframe').getAttribute('src');
  return new URL(src ?? '', page.url()).searchParams.get('key') ?? '';
}

const isPaid = (page: Page) => page.waitForURL(/\/pay-success\?.*orderId=/, { timeout: 90_000 });

async function licenceMails(request: APIRequestContext, email: string): Promise<number> {
  const { obj } = await (await request.get('/api/v1/outbox')).json();
  return (obj as { to: string; subject: string }[]).filter(
    ({ to, subject }) => to === email && subject.startsWith('Your licence for'),
  ).length;
}

test('the order and pay payloads, field by field', async ({ page }) => {
  const email = freshAddress('payload');
  const sent: Request[] = [];
  page.on('request', (request) => {
    if (/\/api\/v1\/pay(\/create)?$/.test(request.url())) sent.push(request);
  });
  await page.goto('/data-recovery-store?ufrom=mac&gclid=g-1&gcid=c-2&channel=letter&client_id=k-3');
  // The address chooses the system; before that the buttons of the other one can be had.
  await expect(page.getByRole('tab', { name: 'Mac' })).toHaveAttribute('aria-selected', 'true');
  const frame = await buy(page, 'Pro', email);
  await expect(frame.getByText('Test mode')).toBeVisible();
  const origin = new URL(page.url()).origin;
  const query = 'ufrom=mac&gclid=g-1&gcid=c-2&channel=letter&client_id=k-3';
  const [create, payment] = sent;
  const uuid = await page.evaluate(() => window.localStorage.getItem('uuid'));
  expect(create?.postDataJSON()).toEqual({
    cancelUrl: `${origin}/data-recovery-store?${query}&toast=error&tip=payment_cancelled`,
    email,
    marketingChannel: 'SEO',
    orderAdInfoExtend: '{"gcid":"c-2","gclid":"g-1"}',
    transparentExtend: '{"channel":"letter","clientId":"k-3"}',
    productsId: 'recovery-mac-pro',
    productsPriceId: 0,
    successUrl: `${origin}/packge-loading?website=recovery&${query}`,
    userExtend: JSON.stringify({ trackId: uuid }),
  });
  const headers = create?.headers() ?? {};
  expect(headers).toMatchObject({ website: 'recovery', channel: 'letter', 'client-id': 'k-3', language: 'en' });
  expect(headers['idempotency-key']).toMatch(/^[\w-]{16,}$/);
  expect(headers.authorization).toBeUndefined();
  expect(payment?.postDataJSON()).toEqual({ orderId: expect.stringMatching(/^MD/), payExtend: '{}' });
});

const stores = [
  { path: '/data-recovery-store', website: 'recovery' },
  { path: '/duplicate-files-store', website: 'duplicate' },
  { path: '/whatsapp-store', website: 'whatsapp' },
] as const;

for (const { path, website } of stores) {
  test(`${path}: every plan of both systems says what it costs and opens its own payment`, async ({
    page,
    context,
    request,
  }) => {
    test.setTimeout(420_000);
    const buyer: Member = await member(request, website);
    await keepToken(context, buyer.token);
    const created: string[] = [];
    page.on('request', (sent) => {
      if (sent.url().endsWith('/pay/create')) created.push(sent.postDataJSON().productsId);
    });
    for (const os of ['win', 'mac'] as const) {
      await page.goto(`${path}?ufrom=${os}`);
      await expect(page.locator('header').getByRole('link', { name: /^Account/ })).toBeVisible();
      for (const plan of plansFor(website, os)) {
        const price = decimal(plan.cents);
        const button = page.getByRole('button', { name: `Buy ${plan.name}` }).and(page.locator(':visible'));
        const card = page.getByRole('article').filter({ has: button });
        await expect(card).toContainText(`$${price}`);
        await expect(card).toContainText(
          plan.type === 'perpetual' ? 'One payment, no renewal' : 'until you cancel in your account',
        );
        await button.click();
        const words =
          plan.type === 'perpetual'
            ? `Total $${price}, including any tax, paid once. Nothing renews.`
            : `Total today $${price}, including any tax. Then $${price} every ${plan.type}, until you press Cancel in your account.`;
        await expect(dialogOf(page).getByText(words)).toBeVisible();
        await expect(
          dialogOf(page)
            .frameLocator('iframe')
            .getByRole('heading', { name: `Pay $${price}` }),
        ).toBeVisible();
        expect(created.at(-1)).toBe(plan.productsId);
        await dialogOf(page).getByRole('button', { name: 'Close' }).click();
        await expect(dialogOf(page)).toHaveCount(0);
      }
    }
    expect(created).toHaveLength(6);
    await buy(page, 'Ultimate');
    await pay(dialogOf(page).frameLocator('iframe'));
    await isPaid(page);
    await expect(page.locator('main').getByRole('link', { name: 'My products' })).toBeVisible();
  });
}

test('back, forward and refresh: the same order goes on, and each page of the flow stands a refresh', async ({
  page,
  request,
}) => {
  const email = freshAddress('refresh');
  await page.goto('/product-center');
  await page.goto('/data-recovery-store');
  await buy(page, 'Monthly', email);
  const key = await keyOf(page);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await page.goBack();
  // Back closes the overlay as its own button does, and leaves the page as it is.
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(
    page.getByRole('status').getByText('Payment cancelled').or(page.getByRole('alert').getByText('Payment cancelled')),
  ).toBeVisible();
  await expect(page).toHaveURL(/data-recovery-store/);
  await page.goForward();
  await expect(page).toHaveURL(/data-recovery-store/);
  await expect(dialogOf(page)).toHaveCount(0);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  await page.goBack();
  await page.goBack();
  await page.waitForURL(/product-center/);
  await page.goForward();
  await page.waitForURL(/data-recovery-store/);
  await buy(page, 'Monthly', email);
  expect(await keyOf(page)).toBe(key);
  await page.reload();
  await expect(dialogOf(page)).toHaveCount(0);
  await pay(await buy(page, 'Monthly', email));
  await isPaid(page);
  await page.reload();
  await expect(page.getByText('Paid. Your receipt and licence code')).toBeVisible();
  await page.goto(page.url().replace('pay-success', 'packge-loading'));
  await isPaid(page);
  await page.goto(page.url().replace('pay-success', 'pending'));
  await isPaid(page);
  expect(await licenceMails(request, email)).toBe(1);
});

test('the overlay leaves no entry behind, and Back during a payment loses none that went through', async ({
  page,
  request,
}) => {
  const email = freshAddress('entries');
  await page.goto('/product-center');
  await page.goto('/data-recovery-store');
  const button = page.getByRole('button', { name: 'Buy Pro' }).first();
  for (const close of ['button', 'Escape'] as const) {
    await button.click();
    await expect(dialogOf(page)).toBeVisible();
    if (close === 'button') await dialogOf(page).getByRole('button', { name: 'Close' }).click();
    else await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  await page.goBack();
  await page.waitForURL(/product-center/);
  await page.goForward();
  await page.waitForURL(/data-recovery-store/);
  await buy(page, 'Pro', email);
  const key = await keyOf(page);
  await request.post(`/api/v1/sandbox/checkout/${key}`, { data: { cardNumber: '4242424242424242' } });
  await mailTo(request, email, /Your licence for/);
  await page.goBack();
  await isPaid(page);
  // The result is where the overlay was: behind it lies the store, as it was left.
  await page.goBack();
  await expect(page).toHaveURL(/data-recovery-store$/);
  await expect(dialogOf(page)).toHaveCount(0);
  expect(await licenceMails(request, email)).toBe(1);
});

test('a visitor who did not agree to cookies, and then does, goes on buying after a refresh', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: siteUrl });
  const page = await context.newPage();
  const email = freshAddress('private');
  await page.goto('/duplicate-files-store');
  await buy(page, 'Pro', email);
  const key = await keyOf(page);
  await page.reload();
  await buy(page, 'Pro', email);
  expect(await keyOf(page)).toBe(key);
  await page.reload();
  await page.getByRole('button', { name: 'Agree' }).click();
  await pay(await buy(page, 'Pro', email));
  await isPaid(page);
  await context.close();
});

for (const lost of ['pay/create', 'pay'] as const) {
  test(`the answer of ${lost} is lost after the server committed: the next try goes on with the same order`, async ({
    page,
  }) => {
    const email = freshAddress('lost');
    const made: string[] = [];
    page.on('response', async (response) => {
      if (response.url().endsWith('/pay/create')) made.push((await response.json()).obj.orderId);
    });
    await page.route(
      `**/api/v1/${lost}`,
      async (route) => {
        const { obj } = await (await route.fetch()).json();
        if (obj.orderId) made.push(obj.orderId);
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await page.goto('/duplicate-files-store');
    await buy(page, 'Pro', email);
    await expect(page.getByRole('alert').getByText(/can’t be reached/)).toBeVisible();
    await expect(dialogOf(page)).toHaveCount(0);
    await pay(await buy(page, 'Pro', email));
    await isPaid(page);
    expect(made.length).toBe(2);
    expect(new Set(made).size).toBe(1);
  });
}

test('the provider’s answer is lost after it took the payment: pressing again takes nothing more', async ({
  page,
  request,
}) => {
  const email = freshAddress('twice');
  await page.goto('/whatsapp-store');
  const frame = await buy(page, 'Ultimate', email);
  await expect(frame.getByRole('button', { name: /^Pay/ })).toBeVisible();
  let isLost = false;
  await page.route('**/api/v1/sandbox/checkout/*', async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
  await pay(frame);
  await expect(frame.getByRole('alert').getByText(/can’t be reached/)).toBeVisible();
  await pay(frame);
  await isPaid(page);
  expect(await licenceMails(request, email)).toBe(1);
});

test('results that are lost on the way are asked for again', async ({ page }) => {
  let lost = 0;
  await page.route('**/api/v1/pay/info/*', (route) => {
    lost += 1;
    return lost <= 2 ? route.abort('connectionreset') : route.continue();
  });
  await page.goto('/data-recovery-store');
  await pay(await buy(page, 'Pro', freshAddress('result')));
  await isPaid(page);
  expect(lost).toBeGreaterThan(2);
});

test('paid in the moment the overlay is closed: the result is shown, and no second order is made', async ({
  page,
  request,
}) => {
  const email = freshAddress('closed');
  await page.goto('/data-recovery-store');
  await expect((await buy(page, 'Pro', email)).getByText('Test mode')).toBeVisible();
  await request.post(`/api/v1/sandbox/checkout/${await keyOf(page)}`, { data: { cardNumber: '4242424242424242' } });
  await mailTo(request, email, /Your licence for/);
  await dialogOf(page).getByRole('button', { name: 'Close' }).click();
  await isPaid(page);
});

test('two tabs on one attempt: paid in one, the other leads to the result', async ({ page, context, request }) => {
  const email = freshAddress('tabs');
  await page.goto('/data-recovery-store');
  await expect((await buy(page, 'Pro', email)).getByText('Test mode')).toBeVisible();
  const opened = context.waitForEvent('page');
  await page.evaluate(() => window.open(window.location.href));
  const copy = await opened;
  const second = await buy(copy, 'Pro', email);
  expect(await keyOf(copy)).toBe(await keyOf(page));
  await expect(second.getByRole('button', { name: /^Pay/ })).toBeVisible();
  await pay(dialogOf(page).frameLocator('iframe'));
  await isPaid(page);
  await pay(second);
  await isPaid(copy);
  expect(await licenceMails(request, email)).toBe(1);
});

test('after Cancel, Buy opens a new order at once', async ({ page }) => {
  const email = freshAddress('anew');
  await page.goto('/data-recovery-store');
  const frame = await buy(page, 'Pro', email);
  await expect(frame.getByText('Test mode')).toBeVisible();
  const key = await keyOf(page);
  await frame.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert').getByText('Payment cancelled')).toBeVisible();
  await pay(await buy(page, 'Pro', email));
  expect(key).not.toBe('');
  await isPaid(page);
});

test('the session ends before the order: one toast, home, nothing open', async ({ page, context, request }) => {
  const buyer = await member(request, 'before');
  await keepToken(context, buyer.token);
  await page.goto('/data-recovery-store');
  await expect(page.locator('header').getByRole('link', { name: /^Account/ })).toBeVisible();
  await request.get('/api/v1/sso/logout', { headers: { authorization: buyer.token } });
  await page.getByRole('button', { name: 'Buy Pro' }).first().click();
  await expect(page.getByRole('alert').getByText('Your session has ended. Please sign in again.')).toHaveCount(1);
  await expect(page).toHaveURL('/');
  await expect(dialogOf(page)).toHaveCount(0);
});

test('the session ends during the payment: the paid order is kept and mailed', async ({ page, context, request }) => {
  const buyer = await member(request, 'during');
  await keepToken(context, buyer.token);
  await page.goto('/data-recovery-store');
  await expect(page.locator('header').getByRole('link', { name: /^Account/ })).toBeVisible();
  const frame = await buy(page, 'Ultimate');
  await expect(frame.getByText('Test mode')).toBeVisible();
  await request.get('/api/v1/sso/logout', { headers: { authorization: buyer.token } });
  expect(await isAlive(request, buyer.token)).toBe(false);
  await pay(frame);
  await expect(page.getByRole('alert').getByText('Your session has ended. Please sign in again.')).toHaveCount(1);
  await expect(page).toHaveURL('/');
  expect(await mailTo(request, buyer.email, /Your licence for/)).toMatch(/[0-9A-Z]{5}(-[0-9A-Z]{5}){3}/);
});

test('a payment that fails late, and an order that expired, say so and that nothing was charged', async ({
  page,
  request,
}) => {
  await page.goto('/data-recovery-store');
  const frame = await buy(page, 'Pro', freshAddress('late'));
  await frame.getByRole('button', { name: /stays pending/ }).click();
  const key = await keyOf(page);
  await pay(frame);
  await page.waitForURL(/\/pending\?/, { timeout: 90_000 });
  await request.post(`/api/v1/sandbox/settle/${key}`, { data: { outcome: 'failed' } });
  const failed = page.getByRole('heading', { name: 'The payment did not go through' });
  await expect(async () => {
    // The page asks by itself, too, and then has nothing to refresh any more.
    if (!(await failed.isVisible())) await page.getByRole('button', { name: 'Refresh' }).click({ timeout: 1000 });
    await expect(failed).toBeVisible({ timeout: 2000 });
  }).toPass();
  await page.route('**/api/v1/pay/info/*', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, obj: { ...answer.obj, status: 'expired' } } });
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This order has expired' })).toBeVisible();
  await expect(page.getByText('nothing was charged')).toBeVisible();
});

test('a payment page that does not load is said, tried again, and leaves no step of its own behind', async ({
  page,
}) => {
  await page.goto('/faq');
  await page.goto('/data-recovery-store');
  await page.route('**/checkout?key=*', (route) => route.abort('internetdisconnected'), { times: 2 });
  await buy(page, 'Pro', freshAddress('no-frame'));
  const missing = dialogOf(page).getByRole('heading', { name: 'The payment page didn’t load' });
  const again = dialogOf(page).getByRole('button', { name: 'Try again' });
  await expect(missing).toBeVisible();
  await again.press('Enter');
  await expect(again).toBeFocused();
  await again.press('Enter');
  await expect(dialogOf(page).frameLocator('iframe').getByText('Test mode')).toBeVisible();
  await expect(missing).toBeHidden();
  await dialogOf(page).getByRole('button', { name: 'Close' }).click();
  await expect(dialogOf(page)).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL('/faq');
});
