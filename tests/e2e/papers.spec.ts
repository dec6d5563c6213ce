import { readFile } from 'node:fs/promises';
import { type Download, expect, type Page, test } from '@playwright/test';
import type { OwnedProduct } from '../../lib/contract/account';
import { violations } from '../support/accessible';
import { bought, freshToken, isAlive, keepToken, member } from '../support/accounts';
import { agree, freshAddress, mailTo } from '../support/browser';
import { price } from '../support/prices';

test.beforeEach(({ page }) => agree(page));

async function download(page: Page, press: () => Promise<void>): Promise<{ file: Download; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { file, bytes: await readFile(await file.path()) };
}

const orders = (page: Page) => page.locator('#orders');
const product = (page: Page, name: string) => page.locator('#products').getByRole('row', { name });

test('orders: receipt as PDF, withdrawal in two steps, its receipt by mail', async ({ page, context, request }) => {
  const buyer = await member(request, 'papers');
  const orderId = await bought(request, buyer, 'recovery-win-monthly');
  await keepToken(context, buyer.token);
  await page.goto('/account');
  await expect(orders(page).getByText(`$${price.monthly} on`)).toBeVisible();
  const { file, bytes } = await download(page, () =>
    orders(page).getByRole('button', { name: 'Download receipt' }).click(),
  );
  expect(file.suggestedFilename()).toBe(`receipt-${orderId}.pdf`);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const running = product(page, 'Not activated');
  await expect(running.getByText(`Renews then for $${price.monthly}, unless you cancel before`)).toBeVisible();
  await expect(running.getByText('Demonstration download')).toBeVisible();
  const installer = await download(page, () => running.getByText('Download', { exact: true }).click());
  expect(installer.bytes.length).toBeGreaterThan(0);

  await orders(page).getByRole('button', { name: 'Withdraw from contract' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(`$${price.monthly} goes back to the means of payment`)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Later' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Later' }).click();
  await expect(orders(page).getByText('You can withdraw until')).toBeVisible();
  await orders(page).getByRole('button', { name: 'Withdraw from contract' }).click();
  await dialog.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(orders(page).getByText(/^Withdrawn on .*, the money goes back to you\.$/)).toBeVisible();
  await expect(orders(page).getByRole('button', { name: 'Withdraw from contract' })).toHaveCount(0);
  const ended = product(page, 'Withdrawn');
  await expect(ended.getByText('The licence ended then, and the money went back')).toBeVisible();
  await expect(ended.getByText('Never')).toHaveCount(0);
  await expect(ended.getByText('Download')).toHaveCount(0);
  expect(await mailTo(request, buyer.email, /withdrew/)).toContain('Please keep this mail as your receipt.');
});

test('Renew on an ended plan prolongs that plan and sells no second one', async ({ page, context, request }) => {
  const buyer = await member(request, 'renew');
  const orderId = await bought(request, buyer, 'duplicate-win-monthly');
  const headers = { authorization: buyer.token };
  const owned = async () =>
    ((await (await request.get('/api/v1/user/products/list', { headers })).json()).obj as OwnedProduct[]).map(
      ({ licenceCode, status }) => ({ licenceCode, status }),
    );
  const [before] = await owned();
  await request.post(`/api/v1/orders/${orderId}/withdraw`, { headers, data: { confirm: true } });
  await keepToken(context, buyer.token);
  await page.goto('/account');
  const renew = product(page, 'Withdrawn').getByRole('button', { name: 'Renew' });
  await renew.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: /Duplicate/ })).toBeVisible();
  const pay = dialog.frameLocator('iframe').getByRole('button', { name: /^Pay/ });
  await expect(pay).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(renew).toBeFocused();
  await renew.click();
  await pay.click();
  await page.waitForURL(/\/pay-success\?/, { timeout: 90_000 });
  await expect.poll(owned).toEqual([{ licenceCode: before?.licenceCode, status: 'activate' }]);
});

test('cancel with Later, Resume, renewal in words, copy the licence', async ({ page, context, request }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const buyer = await member(request, 'cancel');
  await bought(request, buyer, 'whatsapp-win-pro');
  await keepToken(context, buyer.token);
  await page.goto('/account');
  const row = product(page, 'ChatFerry');
  await row.getByRole('button', { name: 'Copy the licence code' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  await expect(row.getByText(copied)).toBeVisible();
  await row.getByRole('button', { name: 'Cancel' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Later' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(row.getByText('Cancelled, still active')).toBeVisible();
  await expect(row.getByText('Renewal is off, ends then')).toBeVisible();
  await row.getByRole('button', { name: 'Resume' }).click();
  await expect(row.getByText(/^Renews then for \$[\d.]+, unless you cancel before$/)).toBeVisible();
});

test('one’s data as a file; the account erased, with what the law keeps said', async ({ page, context, request }) => {
  const buyer = await member(request, 'erase');
  const orderId = await bought(request, buyer);
  await keepToken(context, buyer.token);
  await page.goto('/account');
  const { file, bytes } = await download(page, () => page.getByRole('button', { name: 'Export my data' }).click());
  expect(file.suggestedFilename()).toBe('mendara-account-data.json');
  const data = JSON.parse(bytes.toString());
  expect(data.profile.email).toBe(buyer.email);
  expect(data.orders).toMatchObject([{ id: orderId }]);

  await page.getByRole('button', { name: 'Erase account' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/the law asks us to keep invoices/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Erase account' }).click();
  await expect(dialog.getByText('Please enter your password.')).toBeVisible();
  await dialog.getByLabel('Current password', { exact: true }).fill('wrong-secret');
  await dialog.getByRole('button', { name: 'Erase account' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Your current password is not right.');
  await dialog.getByLabel('Current password', { exact: true }).fill(buyer.password);
  await dialog.getByRole('button', { name: 'Erase account' }).click();
  await expect(dialog.getByText('What is still kept: One paid order')).toBeVisible();
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.locator('header').getByRole('link', { name: 'Sign in' })).toBeVisible();
  expect(await isAlive(request, buyer.token)).toBe(false);
});

test('sessions: another device is signed out from here', async ({ page, context, request }) => {
  const account = await member(request, 'devices');
  const elsewhere = await freshToken(request, account);
  await keepToken(context, account.token);
  await page.goto('/account');
  const list = page.locator('#sessions');
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await list.getByRole('button', { name: 'Sign out there' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  expect(await isAlive(request, elsewhere)).toBe(false);
  expect(await isAlive(request, account.token)).toBe(true);
});

test('every list of the account has its loading, empty, error and offline state', async ({
  page,
  context,
  request,
}) => {
  const account = await member(request, 'states');
  await keepToken(context, account.token);
  const lists = /\/api\/v1\/user\/(products\/list|orders|sessions)$/;
  await page.route(lists, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.goto('/account');
  for (const words of ['Your products are loading.', 'Your orders are loading.', 'The list is loading.']) {
    await expect(page.getByText(words)).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible();
  await page.unroute(lists);
  const broken = { success: '10500', msg: 'Something went wrong on our side.', obj: null };
  await page.route(lists, (route) => route.fulfill({ status: 500, json: broken }));
  await page.reload();
  const failed = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) });
  await expect(failed).toHaveCount(3);
  await expect(failed.first()).toContainText('Something went wrong on our side.');
  expect(await violations(page)).toEqual([]);
  await page.unroute(lists);
  await context.setOffline(true);
  await failed.first().getByRole('button').click();
  await expect(page.locator('#products').getByRole('alert')).toContainText('Check your connection');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.locator('#profile').getByRole('alert')).toContainText('Check your connection');
  await context.setOffline(false);
  for (const id of ['products', 'orders', 'sessions']) {
    await page.locator(`#${id}`).getByRole('button', { name: 'Try again' }).click();
  }
  await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible();
  await expect(page.locator('#sessions').getByRole('listitem')).toHaveCount(1);
});

test('a guest finds the order by a mailed link, with licence, receipt and withdrawal', async ({ page, request }) => {
  const email = freshAddress('guest');
  const orderId = await bought(request, { email }, 'duplicate-mac-pro');
  await page.goto('/order-lookup');
  await page.getByRole('button', { name: 'Mail me a link' }).click();
  await expect(page.getByText('Please enter your order number.')).toBeVisible();
  await expect(page.getByText('Please enter your e-mail address.')).toBeVisible();
  const ask = async (address: string) => {
    await page.getByLabel('Order number').fill(orderId);
    await page.getByLabel('E-mail address').fill(address);
    await page.getByRole('button', { name: 'Mail me a link' }).click();
    await expect(page.getByText(/If number and address belong together/)).toBeVisible();
  };
  await ask(freshAddress('nobody'));
  await page.getByRole('button', { name: 'Try another number' }).click();
  await ask(email);
  const mail = await mailTo(request, email, new RegExp(`Your order ${orderId}`));
  const link = /https?:\/\/\S+\/order-lookup#\S+/.exec(mail)?.[0] ?? '';
  await page.goto('/');
  await page.goto(link);
  await expect(page.getByText(orderId)).toBeVisible();
  await expect(page.getByText(/^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$/)).toBeVisible();
  const { bytes } = await download(page, () => page.getByRole('button', { name: 'Download receipt' }).click());
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  await page.getByRole('button', { name: 'Withdraw from contract' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(page.getByText(/^Withdrawn on/)).toBeVisible();
  await page.route('**/api/v1/orders/link/**', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Your order didn’t load' })).toBeVisible();
  await page.unroute('**/api/v1/orders/link/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^Withdrawn on/)).toBeVisible();
  expect(await mailTo(request, email, /withdrew/)).toContain('Please keep this mail as your receipt.');

  await page.goto('/order-lookup#not-a-key');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This link opens no order' })).toBeVisible();
  await page.getByRole('button', { name: 'Ask for a new link' }).click();
  await expect(page.getByLabel('Order number')).toBeVisible();
});
