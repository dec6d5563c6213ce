import { expect, test } from '@playwright/test';
import { keepToken, member, siteUrl } from '../support/accounts';
import { agree, alive } from '../support/browser';

test.beforeEach(({ page }) => agree(page));

test('sign-in leads on who is signed in already, to pages of ours alone, and Back does not lead there again', async ({
  page,
  context,
  request,
}) => {
  const { token } = await member(request, 'already');
  await keepToken(context, token);
  await page.goto('/faq');
  const wants = (address: string) => `/login?gclid=1&redirect_uri=${encodeURIComponent(address)}`;
  for (const [from, to] of [
    ['/login?gclid=1', '/account?gclid=1'],
    [wants(`${siteUrl}/how-to?state=used&x=2#top`), '/how-to?x=2&gclid=1#top'],
    [wants('javascript:alert(1)'), '/account?gclid=1'],
    [wants('//elsewhere.example/'), '/account?gclid=1'],
  ] as const) {
    await page.goto(from);
    await expect(page).toHaveURL(to);
    await page.goBack();
    await expect(page).toHaveURL('/faq');
  }
  // Another site hears who it is by a ticket alone: for that the form is there.
  await page.goto(wants('https://elsewhere.example/'));
  await alive(page);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(new URL(page.url()).pathname).toBe('/login');
});
