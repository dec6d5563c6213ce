import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { violations } from '../support/accessible';
import { freshAddress } from '../support/browser';
import { startProvider, type TestProvider } from '../support/oidc-provider.mjs';
import { newFolder, removeFolder, type Site, startSite, untilUp } from '../support/process';

const PORT = 3406;
let provider: TestProvider;
let site: Site;
const folder = newFolder();

test.beforeAll(async () => {
  provider = await startProvider(`http://localhost:${PORT}/api/v1/sso/provider/callback`);
  site = startSite(PORT, folder, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  });
  await untilUp(site);
});
test.afterAll(async () => {
  site.process.kill('SIGTERM');
  await site.exited;
  await provider.stop();
  removeFolder(folder);
});
test.beforeEach(() => {
  Object.assign(provider, { person: null, trouble: null });
});

test('the account leads to the provider and back, and has no password in it', async ({ page }) => {
  const email = freshAddress('elsewhere');
  provider.person = { sub: randomUUID(), email, email_verified: true };
  await page.goto(`${site.url}/account?gclid=1`);
  await expect(page.getByText(email).first()).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/account');
  expect(page.url()).not.toContain('ticket');
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  await expect(page.getByText(/password/i)).toHaveCount(0);
  // Asked for by this browser: no question stands in the way.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
});

test('the link of a mail leads there too, and comes back signed in', async ({ page }) => {
  const email = freshAddress('mailed');
  provider.person = { sub: randomUUID(), email, email_verified: true };
  await page.goto(`${site.url}/login`);
  await page.waitForURL(/\/account/);
  await expect(page.getByText(email).first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

for (const [name, change, sentence] of [
  ['whoever declines', null, /cancelled at the provider/],
  ['an address that nobody verified', { email_verified: false }, /did not say that your e-mail address is verified/],
] as const) {
  test(`${name} reads why, and may try again`, async ({ page }) => {
    const person = { sub: randomUUID(), email: freshAddress('again'), email_verified: true };
    provider.person = change && Object.assign(person, change);
    await page.goto(`${site.url}/account`);
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
    expect(page.url()).not.toContain('problem=');
    expect(await violations(page)).toEqual([]);
    // Meanwhile the person thought better of it, or verified the address there; who is signed in there already is not asked again.
    provider.person = Object.assign(person, { email_verified: true });
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
    await expect(page.getByText(person.email).first()).toBeVisible();
  });
}

test('without JavaScript the page names the way there, and no form', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.url}/login`);
  await expect(page.getByRole('link', { name: 'Go to the sign-in page' })).toBeVisible();
  await expect(page.getByText('E-mail address')).toBeHidden();
  await page.goto(`${site.url}/reset-password`);
  await expect(page.getByText('You set a new one there.')).toBeVisible();
  await expect(page.getByText('six-digit code')).toBeHidden();
  await context.close();
});

test('its start names it', () => {
  expect(site.output()).toContain(`Sign-in: OpenID Connect at ${provider.issuer}`);
});
