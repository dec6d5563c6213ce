import { expect, test } from '@playwright/test';
import { agree, freshAddress } from '../support/browser';

test('a message to the support names what is missing, is kept and mailed', async ({ page }) => {
  await agree(page);
  await page.goto('/contact-us');
  const send = page.getByRole('button', { name: 'Send message' });
  await send.click();
  await expect(page.getByText('Please write your message.')).toBeVisible();
  await expect(page.getByLabel('E-mail')).toBeFocused();
  const email = freshAddress('visitor');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Order number').fill('ABC-1');
  await page.getByRole('textbox', { name: 'Message' }).fill('Where is my licence?');
  await send.click();
  await expect(page.getByText('Your message was sent. We reply within 24 hours.')).toBeVisible();
  const { obj } = await (await page.request.get('/api/v1/outbox')).json();
  expect(obj.some(({ subject }: { subject: string }) => subject.includes('order ABC-1'))).toBe(true);
});

test('the download page says what the files are, and a download has the brand’s name with a uuid', async ({ page }) => {
  await agree(page);
  await page.goto('/download');
  await expect(page.getByText(/small demonstration file that says so/).first()).toBeVisible();
  await expect(page.getByText(/^[0-9a-f]{64}$/).first()).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /Download ChatFerry for Windows/ }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^chatferry_[0-9a-f-]{36}\.exe$/);
});

test('product pages say beside each button of a download, before any click, that it is a demonstration', async ({
  page,
}) => {
  await agree(page);
  const notes = page.getByText(/small demonstration file that says so/).filter({ visible: true });
  for (const [path, downloads] of [
    ['/', 2],
    ['/win-data-recovery', 2],
    ['/whatsapp-transfer', 2],
    ['/photo-restoration', 1],
  ] as const) {
    await page.goto(path);
    await expect(notes, path).toHaveCount(downloads);
  }
  // Also where the framework brings the page.
  await page.locator('header').getByRole('link', { name: 'Mendara' }).click();
  await page.waitForURL('/');
  await expect(notes).toHaveCount(2);
});

test('cookie agreement can be withdrawn, and what it allowed is deleted', async ({ page, context }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Agree' }).click();
  await page.goto('/cookies-policy');
  await page.getByRole('button', { name: /withdraw/i }).click();
  expect((await context.cookies()).some(({ name }) => name === 'uuid')).toBe(false);
  // The only button of this name, also here, where the page has a control of its own.
  await expect(page.getByRole('button', { name: 'Agree' })).toBeVisible();
  await page.getByRole('button', { name: 'Allow the rest' }).click();
  await expect(page.getByText('You agreed:')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Agree', exact: true })).toBeHidden();
});

test('aliases lead to their pages, queries kept', async ({ request }) => {
  for (const [from, to] of [
    ['/video-repair', '/video-fixer'],
    ['/file-repair', '/file-fixer'],
    ['/PaySuccess', '/pay-success'],
  ] as const) {
    const response = await request.get(`${from}?a=1`, { maxRedirects: 0 });
    expect(response.status()).toBe(308);
    expect(response.headers().location).toBe(`${to}?a=1`);
  }
  const unknownTool = await request.get('/tools/nothing');
  expect(unknownTool.status()).toBe(404);
  expect(await unknownTool.text()).toContain('This page could not be found');
});
