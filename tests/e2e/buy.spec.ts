import { expect, type FrameLocator, type Page, test } from '@playwright/test';
import { agree, freshAddress, mailTo } from '../support/browser';
import { price } from '../support/prices';

async function openCheckout(
  page: Page,
  email: string,
  plan = 'Buy Ultimate',
  path = '/data-recovery-store',
): Promise<FrameLocator> {
  await agree(page);
  await page.goto(path);
  await page.getByRole('button', { name: plan }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  return dialog.frameLocator('iframe');
}

test('a guest buys, gets an account, a licence and a receipt by mail, and signs in', async ({ page }) => {
  const email = freshAddress('buyer');
  const frame = await openCheckout(page, email);
  await expect(frame.getByText('Test mode')).toBeVisible();
  await frame.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(/\/pay-success\?.*orderId=/, { timeout: 90_000 });
  await expect(page.getByText('Paid. Your receipt and licence code')).toBeVisible();
  await expect(page.getByText(`$${price.ultimate}`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'How to install' })).toBeVisible();

  const licenceMail = await mailTo(page.request, email, /licen[cs]e|order/i);
  const licence = /\b[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){3,}\b/.exec(licenceMail)?.[0] ?? '';
  expect(licence).not.toBe('');
  const password = /password[^\n]*?:?\s*\n?\s*([^\s]{6,32})\s*$/im.exec(
    await mailTo(page.request, email, /account|password|order|licen[cs]e/i),
  )?.[1];
  expect(password).toBeTruthy();

  await page.goto('/account');
  await page.waitForURL(/\/login\?/);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/account\/?$/);
  await expect(page.getByText(licence)).toBeVisible();
  await expect(page.getByText('Please change it now')).toBeVisible();
});

test('the keyboard goes with the checkout, from the address to the payment page', async ({ page }) => {
  const frame = await openCheckout(page, freshAddress('keyboard'));
  await expect(frame.getByText('Test mode')).toBeVisible();
  await expect(page.getByRole('dialog').locator('iframe')).toBeFocused();
});

test('a payment page without a payment says so', async ({ page }) => {
  await page.goto('/checkout');
  await expect(page.getByText('The address names no payment.')).toBeVisible();
});

test('an order does not wait long for the price list', async ({ page }) => {
  await page.route('**/api/v1/products/list', () => new Promise(() => {}));
  const frame = await openCheckout(page, freshAddress('slow-list'), 'Buy Pro');
  await expect(frame.getByText('Test mode')).toBeVisible();
});

test('a double click on Buy makes one order', async ({ page }) => {
  const creations: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/pay/create')) creations.push(request.headers()['idempotency-key'] ?? '');
  });
  const email = freshAddress('double');
  await agree(page);
  await page.goto('/data-recovery-store');
  await page.getByRole('button', { name: 'Buy Pro' }).first().dblclick();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toHaveCount(1);
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('button', { name: 'Continue to payment' }).dblclick();
  await expect(dialog.frameLocator('iframe').getByText('Test mode')).toBeVisible();
  expect(new Set(creations).size).toBe(1);
});

test('a declined card says so and another one succeeds', async ({ page }) => {
  const frame = await openCheckout(page, freshAddress('declined'), 'Buy Monthly');
  await frame.getByRole('button', { name: /is declined/ }).click();
  await frame.getByRole('button', { name: /^Pay/ }).click();
  await expect(frame.getByText('The card was declined')).toBeVisible();
  await frame.getByRole('button', { name: /succeeds/ }).click();
  await frame.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(/\/pay-success\?/, { timeout: 90_000 });
});

test('a pending payment shows the pending page and never success', async ({ page }) => {
  const frame = await openCheckout(page, freshAddress('pending'));
  await frame.getByRole('button', { name: /stays pending/ }).click();
  await frame.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(/\/pending\?.*orderId=/, { timeout: 90_000 });
  await expect(page.getByText(/sent to you by e-mail/)).toBeVisible();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('Still pending')).toBeVisible();
  const orderId = new URL(page.url()).searchParams.get('orderId') ?? '';
  await page.goto(`/pay-success?orderId=${orderId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Payment pending' })).toBeVisible();
  await expect(page.getByText('Thank you')).toHaveCount(0);
  await page.goto(`/pending?orderId=${orderId}`);
  await page.getByRole('link', { name: 'Return Home' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('Cancel returns to the page with one toast, and the query goes', async ({ page }) => {
  const frame = await openCheckout(page, freshAddress('cancel'), 'Buy Pro', '/data-recovery-store?gclid=9');
  await frame.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert').getByText('Payment cancelled')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL('/data-recovery-store?gclid=9');
});

test('closing the overlay cancels cleanly, and the same order opens again', async ({ page }) => {
  const email = freshAddress('again');
  await openCheckout(page, email);
  const frameAddress = () => page.getByRole('dialog').locator('iframe').getAttribute('src');
  const first = await frameAddress();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('alert').getByText('Payment cancelled')).toBeVisible();
  await page.getByRole('button', { name: 'Buy Ultimate' }).first().click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill(email);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('dialog').locator('iframe')).toBeVisible();
  expect(await frameAddress()).toBe(first);
});

test('businessOrderCode and model go on to the provider', async ({ page }) => {
  await openCheckout(page, freshAddress('code'), 'Buy Pro', '/whatsapp-store?businessOrderCode=BC-7&model=m2');
  const src = await page.getByRole('dialog').locator('iframe').getAttribute('src');
  expect(new URL(src ?? '', page.url()).searchParams.get('businessOrderCode')).toBe('BC-7');
  expect(new URL(src ?? '', page.url()).searchParams.get('model')).toBe('m2');
});

test('a failing order says why and leaves nothing loading', async ({ page }) => {
  await page.route('**/api/v1/pay/create', (route) =>
    route.fulfill({ status: 503, json: { success: '10503', msg: 'The shop is closed for a minute.', obj: null } }),
  );
  await agree(page);
  await page.goto('/data-recovery-store');
  await page.getByRole('button', { name: 'Buy Pro' }).first().click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('ann@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('alert').getByText('The shop is closed for a minute.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Buy Pro' }).first()).not.toHaveAttribute('aria-disabled', 'true');
});

test('the overlay opens on its e-mail field, gives the focus back to its button and keeps what was typed', async ({
  page,
}) => {
  await agree(page);
  await page.goto('/data-recovery-store');
  const opener = page.getByRole('button', { name: 'Buy Pro' }).first();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('E-mail address');
  for (const close of ['Escape', 'Close'] as const) {
    await opener.click();
    await expect(field).toBeFocused();
    if (close === 'Escape') await page.keyboard.type('ann@example.com');
    await expect(field).toHaveValue('ann@example.com');
    if (close === 'Escape') await page.keyboard.press('Escape');
    else await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(opener).toBeFocused();
  }
});

test('Escape closes the overlay from inside the payment page, too, and gives the focus back', async ({ page }) => {
  const frame = await openCheckout(page, freshAddress('escape'), 'Buy Pro');
  await frame.getByLabel('Card number').focus();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Payment cancelled', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Buy Pro' }).first()).toBeFocused();
});
