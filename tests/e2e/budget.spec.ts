import { expect, test } from '@playwright/test';
import { bought, keepToken, member } from '../support/accounts';
import { agree } from '../support/browser';
import { askForGzip, FLOOR, fetched, watchAntd } from '../support/weight';

// What each page weighs by itself is held in routes.spec.ts.

test('/account, signed in, keeps its budget with every kind of dialog', async ({ page, context, request }) => {
  const buyer = await member(request, 'budget');
  await bought(request, buyer, 'whatsapp-win-pro');
  await agree(page);
  await keepToken(context, buyer.token);
  await askForGzip(page);
  await page.goto('/account');
  const dialog = page.getByRole('dialog');
  for (const name of ['Cancel', 'Withdraw from contract', 'Erase account']) {
    await page.getByRole('button', { name }).first().click();
    await expect(dialog.getByRole('button', { name: 'Later' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  await page.getByRole('combobox', { name: 'Country' }).click();
  await expect(page.getByRole('option', { name: 'Afghanistan' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const { chunks, payload, idle } = await fetched(page);
  expect(chunks, 'script of the shell').toBeGreaterThan(100_000);
  expect(chunks + payload, 'script of the shell').toBeLessThanOrEqual(FLOOR + 60_000);
  expect(idle, 'script after the shell').toBeLessThanOrEqual(210_000);
});

test('antd comes to no checkout, and is found where it draws', async ({ page }) => {
  await agree(page);
  const antd = watchAntd(page);
  await page.goto('/data-recovery-store');
  await page.getByRole('button', { name: 'Buy Pro' }).first().click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('no-antd@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('dialog').frameLocator('iframe').getByText('Test mode')).toBeVisible();
  expect(await antd.carriers()).toEqual([]);
  // The same search finds it where it is.
  await page.goto('/login');
  await expect(page.getByRole('textbox', { name: 'E-mail address' })).toBeVisible();
  await expect.poll(async () => (await antd.carriers()).length).toBeGreaterThan(0);
});
