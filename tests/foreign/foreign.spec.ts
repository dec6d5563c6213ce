import { readFile } from 'node:fs/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import { type APIRequestContext, expect, type Page, request as requests, test } from '@playwright/test';
import { bought, type Member, member } from '../support/accounts';
import { agree, freshAddress, mailTo, withoutBeacons } from '../support/browser';
import { makePdfWithoutTable } from '../support/documents';
import { newFolder, removeFolder, type Site, startSite, untilUp } from '../support/process';
import { API, SITE, siteVariables } from './places';

const folders = [newFolder(), newFolder()] as const;
let api: Site;
let site: Site;
let ask: APIRequestContext;
let ann: Member;

test.beforeAll(async () => {
  test.setTimeout(420_000);
  api = startSite(3412, folders[0], { SITE_URL: API, ALLOWED_ORIGINS: SITE });
  await untilUp(api, 300_000);
  site = startSite(3411, folders[1], siteVariables);
  await untilUp(site, 300_000);
  ask = await requests.newContext({ baseURL: API });
  ann = await member(ask, 'ann', SITE);
});
test.afterAll(async () => {
  await ask?.dispose();
  for (const started of [site, api]) {
    started?.process.kill('SIGTERM');
    await started?.exited;
  }
  for (const folder of folders) removeFolder(folder);
});

const strays: string[] = [];
test.beforeEach(async ({ page }) => {
  await agree(page);
  strays.length = 0;
  page.on('request', (sent) => {
    if (sent.url().startsWith(`${SITE}/api/`)) strays.push(sent.url());
  });
  page.on('console', (message) => {
    if (/Content Security Policy|CORS policy/i.test(message.text())) strays.push(message.text());
  });
});
/** The site's own API is never asked, and neither policy nor CORS stops anything. */
test.afterEach(() => expect(strays).toEqual([]));

async function signIn(page: Page): Promise<void> {
  await page.goto(`${SITE}/faq`);
  await page.locator('header').getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL(`${API}/login?redirect_uri=**`);
  await page.getByLabel('E-mail address').fill(ann.email);
  await page.getByLabel('Password', { exact: true }).fill(ann.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${SITE}/faq`);
  await expect(page.locator('header').getByRole('link', { name: `Account, signed in as ${ann.email}` })).toBeVisible();
}

test('sign in at the other origin and back; account, receipt, export, sign out', async ({ page }) => {
  test.setTimeout(420_000);
  const orderId = await bought(ask, ann, 'recovery-win-monthly', SITE);
  await signIn(page);
  await page.goto(`${SITE}/account`);
  await expect(page.locator('#products').getByText('Renews then for')).toBeVisible();
  await page.getByLabel('First name').fill('Ann');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByText('Your profile is saved.')).toBeVisible();
  const [receipt] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download receipt' }).click(),
  ]);
  expect(receipt.suggestedFilename()).toBe(`receipt-${orderId}.pdf`);
  // A context that ends with a download under way may never be closed.
  await receipt.path();
  const [data] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export my data' }).click(),
  ]);
  expect(JSON.parse((await readFile(await data.path())).toString()).profile.firstName).toBe('Ann');
  await page.locator('#products').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(page.getByText('Cancelled, still active')).toBeVisible();
  const token = (await page.context().cookies(SITE)).find(({ name }) => name === 'Authorization')?.value ?? '';
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.locator('header').getByRole('link', { name: 'Sign in' })).toBeVisible();
  const check = await ask.get('/api/v1/sso/check', { headers: { authorization: token } });
  expect((await check.json()).obj).toBeNull();
  for (const output of [api.output(), site.output()]) expect(output).not.toContain(token);
});

test('buy: the payment page of the other origin in our frame, cancelled, then paid', async ({ page }) => {
  const email = freshAddress('across');
  await page.goto(`${SITE}/whatsapp-store?gclid=3`);
  const open = async () => {
    await page.getByRole('button', { name: 'Buy Pro' }).first().click();
    await page.getByRole('dialog').getByLabel('E-mail address').fill(email);
    await page.getByRole('dialog').getByRole('button', { name: 'Continue to payment' }).click();
    return page.getByRole('dialog').frameLocator('iframe');
  };
  const frame = await open();
  await frame.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert').getByText('Payment cancelled')).toBeVisible();
  await expect(page).toHaveURL(`${SITE}/whatsapp-store?gclid=3`);
  const again = await open();
  expect(await page.getByRole('dialog').locator('iframe').getAttribute('src')).toContain(`${API}/checkout?key=`);
  await again.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(/localhost:3411\/pay-success\?.*orderId=/, { timeout: 90_000 });
  await expect(page.getByText('Paid. Your receipt and licence code')).toBeVisible();
  expect(await mailTo(ask, email, /Your licence for/)).toMatch(/[0-9A-Z]{5}(-[0-9A-Z]{5}){3}/);
});

test('repair: uploaded to, watched at and fetched from the other origin', async ({ page }) => {
  await page.goto(`${SITE}/corrupted-file-recovery-online`);
  const buffer = await makePdfWithoutTable();
  await page
    .locator('main input[type=file]')
    .setInputFiles({ name: 'report.pdf', mimeType: 'application/pdf', buffer });
  await expect(page.getByRole('heading', { name: /^Repaired/ })).toBeVisible({ timeout: 90_000 });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).and(page.locator('main a')).click(),
  ]);
  expect((await PDFDocument.load(await readFile(await file.path()))).getPageCount()).toBe(3);
});

test('installer and events go there too', async ({ page }) => {
  await withoutBeacons(page);
  const event = page.waitForResponse(`${API}/api/v1/event/track/log`);
  await page.goto(`${SITE}/win-data-recovery`);
  expect((await event).status()).toBe(200);
  const [installer] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('main').getByRole('link', { name: 'Try free' }).first().click(),
  ]);
  expect(installer.suggestedFilename()).toMatch(/^mendara-data-recovery_.+\.exe$/);
});

test('a site that was not allowed gets nothing', async () => {
  const headers = { origin: 'http://localhost:3999' };
  const answer = await ask.get('/api/v1/health', { headers });
  expect(answer.headers()['access-control-allow-origin']).toBeUndefined();
  const checkout = await ask.get('/checkout');
  expect(checkout.headers()['content-security-policy']).toContain(`frame-ancestors 'self' ${SITE}`);
  const page = await ask.get('/login');
  expect(page.headers()['content-security-policy']).toMatch(/frame-ancestors 'self'$/);
});
