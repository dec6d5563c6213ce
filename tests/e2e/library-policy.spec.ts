import { expect, type Page, test } from '@playwright/test';
import { violations } from '../support/accessible';
import { bought, keepToken, type Member, member } from '../support/accounts';
import { agree, collectErrors } from '../support/browser';
import { auditLayout } from '../support/layout-audit';

/**
 * The screens that antd draws, in each state that opens something, under the policy header of the product: nothing is
 * refused by it, nothing is inaccessible, whichever skin and colour scheme.
 */
let buyer: Member;
test.beforeAll(async ({ request }) => {
  buyer = await member(request, 'policy');
  await bought(request, buyer, 'whatsapp-win-pro');
});

type Watch = Window & { refused?: string[] };

async function watchPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(window, { refused });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) => {
      refused.push(`${violatedDirective} ${sourceFile}`);
    });
  });
}

const wear = (page: Page, skin: string) =>
  page.evaluate((name) => document.querySelector('[data-skin]')?.setAttribute('data-skin', name), skin);

/** Skins and colour schemes beside the first one, which differ from it in nothing but colours. */
const otherLooks = [
  ['mendara', 'dark'],
  ['chatferry', 'light'],
  ['chatferry', 'dark'],
] as const;

async function sound(page: Page, state: string): Promise<void> {
  expect(await page.evaluate(() => (window as Watch).refused), `${state}: refused by the policy`).toEqual([]);
  expect(await page.locator('style').count(), `${state}: inline styles`).toBe(0);
  expect(await violations(page), state).toEqual([]);
  for (const [skin, colorScheme] of otherLooks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await wear(page, skin);
    // Colours may take their time to change.
    await page.waitForTimeout(250);
    expect(await violations(page, ['color-contrast']), `${state}, ${skin}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await wear(page, 'mendara');
}

test('the account in each of its states, in both skins, light and dark', async ({ page, context }) => {
  await agree(page);
  await watchPolicy(page);
  const errors = collectErrors(page);
  await keepToken(context, buyer.token);
  await page.goto('/account');
  await expect(page.getByRole('row', { name: /ChatFerry/ })).toBeVisible();
  await sound(page, 'everything');

  const country = page.getByRole('combobox', { name: 'Country' });
  await country.click();
  await expect(page.getByRole('option', { name: 'Afghanistan' })).toBeVisible();
  await sound(page, 'the list of countries');
  await page.keyboard.type('swe');
  await expect(page.getByRole('option')).toHaveText(['Sweden']);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(country).toHaveAccessibleDescription('Sweden');

  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('Current password', { exact: true })).toBeFocused();
  await sound(page, 'errors beside their fields');

  const dialog = page.getByRole('dialog');
  for (const name of ['Cancel', 'Withdraw from contract', 'Erase account']) {
    const opener = page.getByRole('button', { name }).first();
    await opener.click();
    await expect(dialog.getByRole('button', { name: 'Later' })).toBeFocused();
    await expect(page.locator('html')).toHaveClass(/no-scroll/);
    if (name !== 'Cancel') await expect(dialog.getByRole('button')).not.toHaveCount(1);
    await sound(page, name);
    // The focus stays inside, whichever way it goes.
    for (let presses = 0; presses < 6; presses += 1) {
      await page.keyboard.press(presses < 3 ? 'Tab' : 'Shift+Tab');
      expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(opener).toBeFocused();
    await expect(page.locator('html')).not.toHaveClass(/no-scroll/);
  }
  expect(errors).toEqual([]);
});

for (const [path, button] of [
  ['/login', 'Sign in'],
  ['/register', 'Create account'],
  ['/reset-password', 'Send code'],
  ['/order-lookup', 'Mail me a link'],
] as const) {
  test(`${path} with errors beside its fields, in both skins, light and dark`, async ({ page }) => {
    await agree(page);
    await watchPolicy(page);
    await page.goto(path);
    await page.locator('main').getByRole('button', { name: button, exact: true }).click();
    await expect(page.locator('main [aria-invalid=true]').first()).toBeFocused();
    await sound(page, path);
  });
}

test('the account holds together at every width, with a dialog and a list open', async ({ page, context }) => {
  await agree(page);
  await keepToken(context, buyer.token);
  await page.goto('/account');
  await expect(page.getByRole('row', { name: /ChatFerry/ })).toBeVisible();
  for (const width of [320, 360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await auditLayout(page), `at ${width}`).toEqual([]);
    await page.getByRole('combobox', { name: 'Country' }).click();
    await expect(page.getByRole('option', { name: 'Afghanistan' })).toBeVisible();
    expect(await auditLayout(page), `a list at ${width}`).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Erase account' }).click();
    const box = await page.getByRole('dialog').boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width, `a dialog at ${width}`).toBe(true);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });
  test('the pages say what they need', async ({ page }) => {
    const forms = ['/login', '/register', '/reset-password', '/order-lookup'];
    for (const path of [...forms, '/account', '/checkout', '/outbox']) {
      await page.goto(path);
      await expect(page.getByText(/needs JavaScript/)).toBeVisible();
      await expect(page.getByText(/(is|are) loading\./).filter({ visible: true })).toHaveCount(0);
      await expect(page.locator('main a[href="/contact-us"], main a[href="/api/v1/outbox"]').first()).toBeVisible();
    }
  });
});
