import { expect, test } from '@playwright/test';
import { violations } from '../support/accessible';
import { agree, freshAddress, mailTo, registerAccount } from '../support/browser';

test('register, be shown in the header, save the profile, sign out', async ({ page, context }) => {
  const email = freshAddress('ann');
  await agree(page);
  await registerAccount(page, email, 'first-secret');
  await expect(page.locator('header').getByRole('link', { name: `Account, signed in as ${email}` })).toBeVisible();
  expect(page.url()).not.toContain('ticket');
  const names = (await context.cookies()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Authorization', 'userInfo']));
  expect(await violations(page)).toEqual([]);

  await page.getByLabel('First name').fill('Ann');
  await page.getByLabel('Last name').fill('Lindqvist');
  await page.getByLabel('Address').fill('12 Harbour Street');
  const country = page.getByRole('combobox', { name: 'Country' });
  await country.fill('swed');
  await page.getByRole('option', { name: 'Sweden' }).click();
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByText('Your profile is saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('First name')).toHaveValue('Ann');
  await expect(country).toHaveAccessibleDescription('Sweden');
  const saved = await page.evaluate(() => document.cookie);
  expect(decodeURIComponent(saved)).toContain('"country":"SE"');

  const token = (await context.cookies()).find(({ name }) => name === 'Authorization')?.value ?? '';
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.locator('header').getByRole('link', { name: 'Sign in' })).toBeVisible();
  const check = await page.request.get('/api/v1/sso/check', { headers: { authorization: token } });
  expect((await check.json()).obj).toBeNull();
});

test('one of the most used passwords is advised against, from a list that comes with the first key', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('response', (answer) => asked.push(answer.url()));
  await agree(page);
  await page.goto('/register');
  const password = page.getByLabel('Password', { exact: true });
  await password.waitFor();
  await page.waitForLoadState('networkidle');
  asked.length = 0;
  await password.fill('Baseball');
  await expect(page.getByText(/^This is one of the 10,000 most used passwords/)).toBeVisible();
  // The list, and nothing that would tell the server what is typed.
  expect(asked.filter((address) => !/\/_next\/static\//.test(address))).toEqual([]);
  expect(await violations(page)).toEqual([]);
});

test('password change: the four messages, the two success texts, logged out', async ({ page }) => {
  const email = freshAddress('pw');
  await agree(page);
  await registerAccount(page, email, 'first-secret');
  const change = page.getByRole('button', { name: 'Change password' });
  await change.click();
  await expect(page.getByText('Please enter your password.').first()).toBeVisible();
  await expect(page.getByText('Please enter your password again.')).toBeVisible();
  await page.getByLabel('Current password', { exact: true }).fill('first-secret');
  await page.getByLabel('New password', { exact: true }).fill('12345');
  await page.getByLabel('Retype new password', { exact: true }).fill('123456');
  await change.click();
  await expect(page.getByText('Password length must be 6 to 32 characters.')).toBeVisible();
  await expect(page.getByText('The passwords do not match.')).toBeVisible();
  await page.getByLabel('New password', { exact: true }).fill('second-secret');
  await page.getByLabel('Retype new password', { exact: true }).fill('second-secret');
  await change.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Changed successfully', { exact: true })).toBeVisible();
  await expect(dialog.getByText('The password has been changed successfully, you will be logged out.')).toBeVisible();
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(page.locator('header').getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('a forgotten password is set with the mailed code', async ({ page }) => {
  const email = freshAddress('forgot');
  await agree(page);
  await registerAccount(page, email, 'first-secret');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.locator('header').getByRole('link', { name: 'Sign in' })).toBeVisible();
  // Signing out leads home: whoever goes elsewhere meanwhile is led there all the same.
  await expect(page).toHaveURL('/');
  await page.goto('/reset-password');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = /\b(\d{6})\b/.exec(await mailTo(page.request, email, /password|reset/i))?.[1] ?? '';
  await page.getByLabel('Code from the mail').fill(code);
  await page.getByLabel('New password', { exact: true }).fill('third-secret');
  await page.getByLabel('Retype new password', { exact: true }).fill('third-secret');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  await page.waitForURL(/\/login/);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('first-secret');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.locator('main').getByRole('alert')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('third-secret');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/account\/?$/);
});

test('the account leads to the provider and back; a foreign return address is refused', async ({ page }) => {
  await agree(page);
  await page.goto('/account');
  await page.waitForURL(/\/login\?redirect_uri=/);
  await page.goto('/login?redirect_uri=https://evil.example/');
  await page.getByLabel('E-mail address').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('some-secret');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.locator('main').getByRole('alert')).toBeVisible();
  expect(new URL(page.url()).hostname).toBe('localhost');
});

test('at phone width each link of the account’s row is seen whole when it has the focus', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await agree(page);
  await registerAccount(page, freshAddress('row'), 'first-secret');
  const links = page.getByRole('navigation', { name: 'Account' }).locator('a, button');
  await links.first().focus();
  for (let at = 0; at < (await links.count()); at += 1) {
    await expect(links.nth(at)).toBeFocused();
    const box = await links.nth(at).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    await page.keyboard.press('Tab');
  }
});

test('at phone width what the server refuses is on the screen, in the account and in a message', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await agree(page);
  await registerAccount(page, freshAddress('seen'), 'first-secret');
  await page.getByLabel('Current password').fill('not-my-secret');
  await page.getByLabel('New password', { exact: true }).fill('second-secret');
  await page.getByLabel('Retype new password').fill('second-secret');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.locator('main').getByRole('alert').filter({ hasText: /\w/ })).toBeInViewport({ ratio: 1 });
  await page.goto('/contact-us');
  await page.route('**/api/v1/contact', (route) => route.abort('connectionreset'));
  await page.getByLabel('E-mail').fill('ann@example.com');
  await page.getByLabel('Message').fill('Where is my licence?');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.locator('main').getByRole('alert').filter({ hasText: /\w/ })).toBeInViewport({ ratio: 1 });
});
