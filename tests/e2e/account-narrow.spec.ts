import { expect, test } from '@playwright/test';
import { bought, keepToken, member } from '../support/accounts';
import { agree } from '../support/browser';

test.beforeEach(({ page }) => agree(page));

test('the products of an account stay inside of their cards on the smallest phones, in any month', async ({
  page,
  context,
  request,
}) => {
  const buyer = await member(request, 'narrow');
  await bought(request, buyer, 'recovery-win-pro');
  await keepToken(context, buyer.token);
  // The longest date there is.
  await page.route('**/user/products/list', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    answer.obj[0].expirationDate = '2027-09-29T20:48:00.000Z';
    await route.fulfill({ response, json: answer });
  });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/account');
  const row = page.getByRole('row').filter({ hasText: 'Mendara Data Recovery' });
  await expect(row).toContainText('September');
  // What is said of the download stands with its button, not with the plan.
  await expect(row.getByText('Demonstration download')).toBeVisible();
  const { right, lowest, note } = await row.evaluate((card) => {
    const inner = card.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(card).paddingRight);
    const boxes = [...card.querySelectorAll('td *')].map((part) => part.getBoundingClientRect());
    const buttons = [...card.querySelectorAll('td:last-child :is(a, button)')];
    const small = [...card.querySelectorAll('small')].at(-1);
    return {
      right: Math.round(Math.max(...boxes.map((box) => box.right)) - inner),
      lowest: Math.max(...buttons.map((button) => button.getBoundingClientRect().bottom)),
      note: small?.getBoundingClientRect().top ?? 0,
    };
  });
  expect(right).toBeLessThanOrEqual(0);
  expect(note).toBeGreaterThanOrEqual(lowest);
});

test('what the dialogs of an account say stays inside of them on small phones', async ({ page, context, request }) => {
  const buyer = await member(request, 'narrow-dialog');
  await bought(request, buyer, 'recovery-win-pro');
  await keepToken(context, buyer.token);
  await page.goto('/account');
  const dialog = page.getByRole('dialog');
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 700 });
    for (const name of ['Cancel', 'Withdraw from contract', 'Erase account']) {
      await page.getByRole('button', { name }).first().click();
      const edges = await dialog
        .getByRole('button')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      const said = await dialog.locator('p').evaluateAll((all) =>
        all.map((one) => {
          const words = document.createRange();
          words.selectNodeContents(one);
          return words.getBoundingClientRect().right;
        }),
      );
      expect(said.length).toBeGreaterThan(0);
      expect(Math.max(...said), `${name} at ${width}`).toBeLessThanOrEqual(Math.max(...edges) + 1);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    }
  }
});
